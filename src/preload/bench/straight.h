/* SPDX-License-Identifier: Apache-2.0
 * Which way messages went: what the preloaded library tells who asks. */
#pragma once

#include "memory.h"

/* The line under which thresholds of this machine are kept, and the shortest message in device
 * memory that goes straight from device to device [bytes]; "" and -1 without the library or without
 * devices. */
const char* straight_machine(void);
long straight_from(void);

/* Messages of both first ranks until each knows whether the other can map its memory. Nothing is
 * sent where no message goes straight. */
void straight_begin(enum Memory memory);

/* How many messages in this memory have gone straight since it was asked last, of all ranks; and
 * how many should have. `large` counts those that this rank has sent to others from that size on.
 * Every rank has to call it. */
struct Straight {
    double sent, of;
};
struct Straight straight_since(enum Memory memory, double large);
