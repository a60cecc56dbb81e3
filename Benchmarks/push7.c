// The reference model push7 in C over GSL, device at a time: what pushsim's kernel is measured against.
//
//   push7 --devices N --days D --seed S
//
// Built twice from one text, so that both simulate the same rules:
//   push7_reference   binary heap, one mt19937, gsl_ran_lognormal: what a C programmer with GSL writes first;
//   push7_best        (-DBEST) sorted small array, four Philox streams a device (Random123 as a gsl_rng_type),
//                     ziggurat, logarithmic histogram: the fastest combination known.
// The rules are in README.md, "The model push7". Time is in hours.
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OPEN, CHARGE, SEND, ARRIVE, HANDLER_END };

typedef struct {
  double time;
  double sent;
  int kind;
  int attempts;  // of a handler's end: whether it was cut off
} event;

// ---- The future event list

static event *events;
static int pending, capacity;

static void make_room(void) {
  if (pending < capacity) return;
  capacity = capacity ? 2 * capacity : 64;
  events = realloc(events, sizeof *events * (size_t)capacity);
  if (!events) abort();
}

#ifdef BEST

// Ascending from the end, so that taking the next event is free.
static inline void push(event new) {
  make_room();
  int i = pending++;
  for (; i > 0 && events[i - 1].time < new.time; i--) events[i] = events[i - 1];
  events[i] = new;
}

static inline event pop(void) { return events[--pending]; }
static inline double next_time(void) { return events[pending - 1].time; }

#else

static inline void push(event new) {
  make_room();
  int hole = pending++;
  while (hole > 0 && new.time < events[(hole - 1) / 2].time) {
    events[hole] = events[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  events[hole] = new;
}

static inline event pop(void) {
  event first = events[0], last = events[--pending];
  int hole = 0;
  for (;;) {
    int child = 2 * hole + 1;
    if (child >= pending) break;
    if (child + 1 < pending && events[child + 1].time < events[child].time) child++;
    if (last.time <= events[child].time) break;
    events[hole] = events[child];
    hole = child;
  }
  events[hole] = last;
  return first;
}

static inline double next_time(void) { return events[0].time; }

#endif

// ---- Random variates

static gsl_rng *rng_open, *rng_charge, *rng_push, *rng_handler;

#ifdef BEST
#include <Random123/philox.h>

typedef struct {
  philox4x32_ctr_t counter, block;
  philox4x32_key_t key;
  int used;
} philox_state;

static inline uint32_t philox_next(philox_state *s) {
  if (s->used == 4) {
    s->block = philox4x32_R(10, s->counter, s->key);
    s->counter.v[0]++;
    s->used = 0;
  }
  return s->block.v[s->used++];
}
static unsigned long philox_get(void *state) { return philox_next(state); }
static double philox_get_double(void *state) { return philox_next(state) * 0x1p-32; }
static void philox_set(void *state, unsigned long seed) {
  philox_state *s = state;
  memset(s, 0, sizeof *s);
  s->key.v[0] = (uint32_t)seed;
  s->used = 4;
}
static const gsl_rng_type philox_type = {
    "philox", 0xffffffffUL, 0, sizeof(philox_state), philox_set, philox_get, philox_get_double};

static void seed_run(unsigned long seed) {
  gsl_rng **all[] = {&rng_open, &rng_charge, &rng_push, &rng_handler};
  for (int i = 0; i < 4; i++) {
    *all[i] = gsl_rng_alloc(&philox_type);
    gsl_rng_set(*all[i], seed);
  }
}
static void seed_device(uint32_t device) {
  gsl_rng *all[] = {rng_open, rng_charge, rng_push, rng_handler};
  for (uint32_t i = 0; i < 4; i++) {
    philox_state *s = all[i]->state;
    s->counter.v[0] = 0;
    s->counter.v[2] = device;
    s->counter.v[3] = i;
    s->used = 4;
  }
}
static inline double lognormal(gsl_rng *rng, double zeta, double sigma) {
  return exp(zeta + gsl_ran_gaussian_ziggurat(rng, sigma));
}
#else
static void seed_run(unsigned long seed) {
  rng_open = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng_open, seed);
  rng_charge = rng_push = rng_handler = rng_open;
}
static void seed_device(uint32_t device) { (void)device; }
static inline double lognormal(gsl_rng *rng, double zeta, double sigma) {
  return gsl_ran_lognormal(rng, zeta, sigma);
}
#endif

// ---- Latencies

#ifdef BEST
// Microseconds in 64 bins a factor of two.
static uint64_t bins[2560], latencies;
static double latency_sum;

static inline void record(double hours) {
  uint64_t us = (uint64_t)(hours * 3.6e9), shift = 57 - (uint64_t)__builtin_clzll(us | 64);
  bins[shift * 64 + (us >> shift)]++;
  latencies++;
  latency_sum += hours;
}
static double latency_mean(void) { return latency_sum / (double)latencies; }
static double latency_p95(void) {
  uint64_t below = 0;
  for (uint64_t bin = 0; bin < 2560; bin++) {
    below += bins[bin];
    if ((double)below < 0.95 * (double)latencies) continue;
    uint64_t shift = bin < 128 ? 0 : bin / 64 - 1;
    return (double)(((2 * (bin - shift * 64) + 1) << shift) / 2) / 3.6e9;
  }
  return 0;
}
#else
static double *kept;
static size_t latencies, room;

static inline void record(double hours) {
  if (latencies == room) {
    room = room ? 2 * room : 4096;
    kept = realloc(kept, sizeof *kept * room);
    if (!kept) abort();
  }
  kept[latencies++] = hours;
}
static double latency_mean(void) { return gsl_stats_mean(kept, 1, latencies); }
static double latency_p95(void) {
  return gsl_stats_select(kept, 1, latencies, (size_t)(0.95 * (double)(latencies - 1)));
}
#endif

// ---- The model

static const double open_rate[24] = {.05, .05, .05, .05, .05, .05, .05, .4, .4, .4, .4, .4,
                                     .4,  .4,  .4,  .4,  .4,  .4,  .8, .8, .8, .8, .8, .3};
static const double greatest_open_rate = .8;

static uint64_t event_count, sent_count, delivered_count;

static double next_open(double now, double end) {
  do {
    now += gsl_ran_exponential(rng_open, 1 / greatest_open_rate);
  } while (now <= end && gsl_rng_uniform(rng_open) * greatest_open_rate >= open_rate[(int)fmod(now, 24)]);
  return now;
}

static void run_device(double end) {
  const double zeta_charge = log(1.5), zeta_transit = log(.4 / 3600), zeta_handler = log(4. / 3600);
  double battery = 30 + 70 * gsl_rng_uniform(rng_charge), tokens = 4 * gsl_rng_uniform(rng_push);
  double quality = 1, last = 0;
  int charging = 0, low_power = 0;

  pending = 0;
  push((event){.time = next_open(0, end), .kind = OPEN});
  push((event){.time = gsl_ran_exponential(rng_charge, 10), .kind = CHARGE});
  push((event){.time = gsl_ran_exponential(rng_push, .25), .kind = SEND});
  while (next_time() <= end) {
    event e = pop();
    double now = e.time, dt = now - last;
    last = now;
    event_count++;
    battery += charging ? 45 * dt : -2.5 * dt;
    if (battery > 100) battery = 100;
    if (battery < 0) battery = 0;
    if (battery >= 80) low_power = 0;
    if (!charging && battery < 20) low_power = 1;
    tokens += 3 * quality * dt;
    if (tokens > 4) tokens = 4;

    switch (e.kind) {
      case OPEN:
        battery = battery > .7 ? battery - .7 : 0;
        tokens = tokens < 3.5 ? tokens + .5 : 4;
        e.time = next_open(now, end);
        push(e);
        break;
      case CHARGE:
        charging = !charging;
        e.time = now + (charging ? lognormal(rng_charge, zeta_charge, .5) : gsl_ran_exponential(rng_charge, 10));
        push(e);
        break;
      case SEND:
        sent_count++;
        push((event){.time = now + lognormal(rng_push, zeta_transit, 1), .sent = now, .kind = ARRIVE});
        e.time = now + gsl_ran_exponential(rng_push, .25);
        push(e);
        break;
      case ARRIVE:
        if (tokens >= 1 && (charging || (battery >= 20 && !low_power))) {
          tokens -= 1;
          delivered_count++;
          record(now - e.sent);
          double run_time = lognormal(rng_handler, zeta_handler, .8), limit = 30. / 3600;
          int cut = run_time > limit;
          push((event){.time = now + (cut ? limit : run_time), .kind = HANDLER_END, .attempts = cut});
        } else if (++e.attempts < 5) {
          e.time = now + gsl_ran_exponential(rng_push, .5);
          push(e);
        }
        break;
      case HANDLER_END: {
        double u = gsl_rng_uniform(rng_handler);
        if (e.attempts || u < .1) {
          quality = quality > .25 ? quality * .8 : .2;
        } else if (u < .7) {
          quality *= 1.05;
          if (quality > 1.5) quality = 1.5;
        } else {
          quality *= .99;
        }
        if (quality < .2) quality = .2;
        battery = battery > .05 ? battery - .05 : 0;
        break;
      }
    }
  }
}

int main(int argc, char **argv) {
  unsigned long devices = 1000, seed = 1;
  double days = 7;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--devices")) devices = strtoul(argv[i + 1], 0, 10);
    if (!strcmp(argv[i], "--days")) days = strtod(argv[i + 1], 0);
    if (!strcmp(argv[i], "--seed")) seed = strtoul(argv[i + 1], 0, 10);
  }
  seed_run(seed);
  for (unsigned long device = 0; device < devices; device++) {
    seed_device((uint32_t)device);
    run_device(24 * days);
  }
  printf("{\"events\":%lu,\"device_days\":%.0f,\"delivered_share\":%.6f,\"mean_latency_s\":%.3f,\"p95_latency_s\":%.3f}\n",
         event_count, (double)devices * days, (double)delivered_count / (double)sent_count, latency_mean() * 3600,
         latency_p95() * 3600);
  return 0;
}
