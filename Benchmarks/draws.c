// Draws variates and does nothing else, by plain GSL calls on one mt19937: the least that any simulation pays that
// draws the same.
//
//   draws KIND COUNT [KIND COUNT]...
//   draws push7 --devices N --days D     (what push7 draws: 339 exponential, 153 lognormal, 75 uniform a device-day)
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double draw(gsl_rng *rng, const char *kind, unsigned long count) {
  double sum = 0;
#define KIND(name, variate) \
  if (!strcmp(kind, name)) { \
    for (unsigned long i = 0; i < count; i++) sum += variate; \
    return sum; \
  }
  KIND("uniform", gsl_rng_uniform(rng))
  KIND("index", (double)gsl_rng_uniform_int(rng, 60))
  KIND("exponential", gsl_ran_exponential(rng, 1))
  KIND("gaussian", gsl_ran_gaussian(rng, 1))
  KIND("lognormal", gsl_ran_lognormal(rng, 0, 1))
  KIND("gamma", gsl_ran_gamma(rng, 2, 1))
  KIND("beta", gsl_ran_beta(rng, 2, 5))
  KIND("weibull", gsl_ran_weibull(rng, 1, 2))
  KIND("pareto", gsl_ran_pareto(rng, 2, 1))
  KIND("poisson", gsl_ran_poisson(rng, 3))
  KIND("negative_binomial", gsl_ran_negative_binomial(rng, .5, 2))
  KIND("geometric", gsl_ran_geometric(rng, .3))
  KIND("truncated", gsl_cdf_lognormal_Pinv(.01 + .98 * gsl_rng_uniform(rng), 0, 1))
  if (!strcmp(kind, "discrete")) {
    double weights[10] = {1, 2, 3, 4, 5, 5, 4, 3, 2, 1};
    gsl_ran_discrete_t *table = gsl_ran_discrete_preproc(10, weights);
    for (unsigned long i = 0; i < count; i++) sum += (double)gsl_ran_discrete(rng, table);
    gsl_ran_discrete_free(table);
    return sum;
  }
  fprintf(stderr, "draws: unknown kind %s\n", kind);
  exit(2);
}

int main(int argc, char **argv) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double sum = 0;
  if (argc == 6 && !strcmp(argv[1], "push7")) {
    // Interleaved as in the model, by device-day.
    unsigned long days = strtoul(argv[3], 0, 10) * strtoul(argv[5], 0, 10);
    for (unsigned long day = 0; day < days; day++)
      sum += draw(rng, "exponential", 339) + draw(rng, "lognormal", 153) + draw(rng, "uniform", 75);
  } else {
    for (int i = 1; i + 1 < argc; i += 2) sum += draw(rng, argv[i], strtoul(argv[i + 1], 0, 10));
  }
  printf("{\"sum\":%.3f}\n", sum);
  gsl_rng_free(rng);
  return 0;
}
