#include "CPushsim.h"

#include <Random123/philox.h>
#include <string.h>

void ps_philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  philox4x32_ctr_t c;
  philox4x32_key_t k;
  memcpy(c.v, counter, sizeof c.v);
  memcpy(k.v, key, sizeof k.v);
  philox4x32_ctr_t r = philox4x32_R(10, c, k);
  memcpy(out, r.v, sizeof r.v);
}

uint32_t ps_next(ps_stream *stream) {
  if (stream->used >= 4) {
    ps_philox4x32_10(stream->counter, stream->key, stream->block);
    stream->counter[0] += 1;
    stream->used = 0;
  }
  return stream->block[stream->used++];
}

// GSL asks a generator to seed itself by one number; streams are named by their key and counter instead.
static void set_state(void *state, unsigned long seed) {
  ps_stream *stream = state;
  memset(stream, 0, sizeof *stream);
  stream->key[0] = (uint32_t)seed;
  stream->key[1] = (uint32_t)((uint64_t)seed >> 32);
  stream->used = 4;
}

static unsigned long get_bits(void *state) { return ps_next(state); }

// 53 bits, so that an inverse distribution function reaches beyond six standard deviations.
static double get_double(void *state) {
  uint64_t high = ps_next(state) >> 5;
  uint64_t low = ps_next(state) >> 6;
  return (double)(high << 26 | low) * 0x1p-53;
}

const gsl_rng_type ps_philox_type = {"philox4x32-10", 0xffffffffUL, 0, sizeof(ps_stream), set_state, get_bits, get_double};
