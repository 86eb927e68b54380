/* Random numbers that are the same everywhere: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef BERTH_BASE_RANDOM_H
#define BERTH_BASE_RANDOM_H

#include <stdint.h>

/* The next 64 random bits; *state, which begins as the seed, goes on. */
uint64_t berth_random_bits(uint64_t *state);

/* A uniform number in 0 .. 1, 1 excluded. */
double berth_random_uniform(uint64_t *state);

#endif
