/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* SplitMix64: neighbouring numbers have results that look independent. */
static inline uint64_t mixed(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* In [0, 1). */
static inline double mixed_fraction(uint64_t x) { return (double)(mixed(x) >> 11) * 0x1p-53; }
