// Random streams: Philox4x32-10 (Salmon et al., SC'11; librandom123) as a gsl_rng_type over a state that the caller
// owns, so that creating a stream costs a few stores and no allocation. GSL's samplers run on it through the thin
// functions below; none of them keeps anything between calls.
#ifndef CPUSHSIM_H
#define CPUSHSIM_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
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

#endif
