#include "CPushsim.h"

#include <Random123/philox.h>
#include <string.h>

// Inlined into both: what a call would move through memory takes as long as a round.
__attribute__((always_inline)) static inline void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  philox4x32_ctr_t c;
  philox4x32_key_t k;
  memcpy(c.v, counter, sizeof c.v);
  memcpy(k.v, key, sizeof k.v);
  philox4x32_ctr_t r = philox4x32_R(10, c, k);
  memcpy(out, r.v, sizeof r.v);
}

void ps_philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) { philox(counter, key, out); }

void ps_refill(ps_stream *stream) {
  philox(stream->counter, stream->key, stream->block);
  stream->counter[0] += 1;
  stream->used = 0;
}

#ifdef PUSHSIM_COUNT_DRAWS
uint64_t ps_counts[PS_KINDS];
uint64_t ps_draw_count(ps_kind kind) { return ps_counts[kind]; }
#else
uint64_t ps_draw_count(ps_kind kind) {
  (void)kind;
  return 0;
}
#endif

// GSL asks a generator to seed itself by one number; streams are named by their key and counter instead.
static void set_state(void *state, unsigned long seed) {
  ps_stream *stream = state;
  memset(stream, 0, sizeof *stream);
  stream->key[0] = (uint32_t)seed;
  stream->key[1] = (uint32_t)((uint64_t)seed >> 32);
  stream->used = 4;
}

static unsigned long get_bits(void *state) { return ps_next(state); }

static double get_double(void *state) { return ps_bits53(state); }

const gsl_rng_type ps_philox_type = {"philox4x32-10", 0xffffffffUL, 0, sizeof(ps_stream), set_state, get_bits, get_double};
