// Random streams: Philox4x32-10 (Salmon et al., SC'11; librandom123) as a gsl_rng_type over a state that the caller
// owns, so that creating a stream costs a few stores and no allocation. GSL's samplers run on it through the thin
// functions below; none of them keeps anything between calls.
#ifndef CPUSHSIM_H
#define CPUSHSIM_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdint.h>

// The counter's first word counts blocks of four outputs; the other three words and the key name the stream.
typedef struct {
  uint32_t key[2];
  uint32_t counter[4];
  uint32_t block[4];
  uint32_t used;  // outputs of `block` already handed out; 4 when the next output needs a new block
} ps_stream;

extern const gsl_rng_type ps_philox_type;

// The next 32 bits.
uint32_t ps_next(ps_stream *stream);

// The next output of the function itself, for the known-answer test.
void ps_philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

static inline gsl_rng ps_rng(ps_stream *stream) {
  gsl_rng rng = {&ps_philox_type, stream};
  return rng;
}

// GSL's default error handler aborts the process. It is switched off when the program is loaded (gsl_setup.c), so that
// a failed evaluation returns NaN; this does it again and is for programs that have set a handler of their own.
void ps_set_error_handler_off(void);

// Variates on a caller's stream. Each takes what it needs from the stream and keeps nothing: the Gaussian is the
// ziggurat's, not Box-Muller's, because a pair kept for the next draw would be state outside the stream.

static inline double ps_ran_gaussian(ps_stream *stream, double sigma) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_gaussian_ziggurat(&rng, sigma);
}

// exp of a ziggurat Gaussian: three times as fast as gsl_ran_lognormal, which uses the polar method.
static inline double ps_ran_lognormal(ps_stream *stream, double zeta, double sigma) {
  return exp(zeta + ps_ran_gaussian(stream, sigma));
}

static inline double ps_ran_exponential(ps_stream *stream, double mean) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_exponential(&rng, mean);
}

static inline double ps_ran_gamma(ps_stream *stream, double a, double b) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_gamma(&rng, a, b);
}

static inline double ps_ran_beta(ps_stream *stream, double a, double b) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_beta(&rng, a, b);
}

static inline double ps_ran_weibull(ps_stream *stream, double a, double b) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_weibull(&rng, a, b);
}

static inline double ps_ran_pareto(ps_stream *stream, double a, double b) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_pareto(&rng, a, b);
}

static inline double ps_ran_poisson(ps_stream *stream, double mean) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_poisson(&rng, mean);
}

static inline double ps_ran_negative_binomial(ps_stream *stream, double p, double n) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_negative_binomial(&rng, p, n);
}

// Trials up to and including the first success: 1, 2, ...
static inline double ps_ran_geometric(ps_stream *stream, double p) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_geometric(&rng, p);
}

// The 0-based place of a weight, by Walker's alias method.
static inline size_t ps_ran_discrete(ps_stream *stream, const gsl_ran_discrete_t *table) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_discrete(&rng, table);
}

// A variate of the unit exponential by inversion; `u` on [0, 1).
static inline double ps_unit_exponential(double u) { return -log1p(-u); }

#endif
