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

// Replaces the block by the next one.
void ps_refill(ps_stream *stream);

// Counting of draws by kind, for the benchmark that compares a run with drawing the same variates alone
// (Benchmarks/README.md): only in a build of its own with -DPUSHSIM_COUNT_DRAWS, and for one thread.
typedef enum {
  PS_UNIFORM,
  PS_INDEX,
  PS_EXPONENTIAL,
  PS_GAUSSIAN,
  PS_LOGNORMAL,
  PS_GAMMA,
  PS_BETA,
  PS_WEIBULL,
  PS_PARETO,
  PS_POISSON,
  PS_NEGATIVE_BINOMIAL,
  PS_GEOMETRIC,
  PS_DISCRETE,
  PS_TRUNCATED,  // a truncated (log-)Gaussian, by its quantile
  PS_KINDS
} ps_kind;

#ifdef PUSHSIM_COUNT_DRAWS
extern uint64_t ps_counts[PS_KINDS];
static inline void ps_count(ps_kind kind) { ps_counts[kind] += 1; }
#else
static inline void ps_count(ps_kind kind) { (void)kind; }
#endif

// How many variates of a kind were drawn; 0 in a build that does not count.
uint64_t ps_draw_count(ps_kind kind);

// The next 32 bits. Inlined into the caller, who seldom needs a new block.
static inline uint32_t ps_next(ps_stream *stream) {
  if (__builtin_expect(stream->used >= 4, 0)) ps_refill(stream);
  return stream->block[stream->used++];
}

// Uniform on [0, 1) with 53 bits, so that an inverse distribution function reaches beyond six standard deviations.
static inline double ps_bits53(ps_stream *stream) {
  uint64_t high, low;
  if (__builtin_expect(stream->used <= 2, 1)) {
    high = stream->block[stream->used];
    low = stream->block[stream->used + 1];
    stream->used += 2;
  } else {
    high = ps_next(stream);
    low = ps_next(stream);
  }
  high >>= 5;
  low >>= 6;
  // Signed, because SSE2 converts no unsigned numbers of 64 bits.
  return (double)(int64_t)(high << 26 | low) * 0x1p-53;
}

static inline double ps_uniform(ps_stream *stream) {
  ps_count(PS_UNIFORM);
  return ps_bits53(stream);
}

// 64 bits, to be scaled to an index.
static inline uint64_t ps_index_bits(ps_stream *stream) {
  ps_count(PS_INDEX);
  uint64_t high = ps_next(stream);
  return high << 32 | ps_next(stream);
}

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

static inline double ps_ziggurat(ps_stream *stream, double sigma) {
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_gaussian_ziggurat(&rng, sigma);
}

static inline double ps_ran_gaussian(ps_stream *stream, double sigma) {
  ps_count(PS_GAUSSIAN);
  return ps_ziggurat(stream, sigma);
}

// exp of a ziggurat Gaussian: three times as fast as gsl_ran_lognormal, which uses the polar method.
static inline double ps_ran_lognormal(ps_stream *stream, double zeta, double sigma) {
  ps_count(PS_LOGNORMAL);
  return exp(zeta + ps_ziggurat(stream, sigma));
}

static inline double ps_ran_gamma(ps_stream *stream, double a, double b) {
  ps_count(PS_GAMMA);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_gamma(&rng, a, b);
}

static inline double ps_ran_beta(ps_stream *stream, double a, double b) {
  ps_count(PS_BETA);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_beta(&rng, a, b);
}

static inline double ps_ran_weibull(ps_stream *stream, double a, double b) {
  ps_count(PS_WEIBULL);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_weibull(&rng, a, b);
}

static inline double ps_ran_pareto(ps_stream *stream, double a, double b) {
  ps_count(PS_PARETO);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_pareto(&rng, a, b);
}

static inline double ps_ran_poisson(ps_stream *stream, double mean) {
  ps_count(PS_POISSON);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_poisson(&rng, mean);
}

static inline double ps_ran_negative_binomial(ps_stream *stream, double p, double n) {
  ps_count(PS_NEGATIVE_BINOMIAL);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_negative_binomial(&rng, p, n);
}

// Trials up to and including the first success: 1, 2, ...
static inline double ps_ran_geometric(ps_stream *stream, double p) {
  ps_count(PS_GEOMETRIC);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_geometric(&rng, p);
}

// The 0-based place of a weight, by Walker's alias method.
static inline size_t ps_ran_discrete(ps_stream *stream, const gsl_ran_discrete_t *table) {
  ps_count(PS_DISCRETE);
  gsl_rng rng = ps_rng(stream);
  return gsl_ran_discrete(&rng, table);
}

// A variate of mean 1 by inversion: one uniform a draw. The logarithm of 1 - u and not log1p of -u: a u of 53 bits
// makes 1 - u exact, and log is both the faster and the more accurate of the two.
static inline double ps_unit_exponential(ps_stream *stream) {
  ps_count(PS_EXPONENTIAL);
  // 0 - x and not -x, which would make a negative zero of a u of 0.
  return 0 - log(1 - ps_bits53(stream));
}

#endif
