/* SPDX-License-Identifier: Apache-2.0
 *
 * The sleep of a waiter and the ring of who publishes, as in src/comm/node.cpp. Both store something and
 * then look at what the other stores: the sender publishes and looks whether the waiter sleeps; the
 * waiter says that it sleeps and looks whether what it waits for is there. A processor's store may wait
 * in its store buffer while later loads go ahead, so each process has a buffer of one store. The waiter
 * alone pays for the order: by a barrier on all processors (membarrier), which empties all buffers.
 *
 * Sleeps have no time limit here, so that a ring that goes unheard is a deadlock.
 */
#ifndef MESSAGES
#define MESSAGES 3
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define NO_BARRIER       1      /* the stores of both may wait in their buffers */
#define BARRIER_OF_ONE   2      /* only the waiter's own buffer is emptied */
#define LOOKS_FIRST      3      /* looks, and then says that it sleeps */
#define BELL_READ_LATE   4      /* the bell's number is read after the last look */
#define WAKES_WITHOUT_BELL 5    /* a ring wakes who sleeps, but leaves the bell's number */

byte word, bell;                /* in memory */
bool sleeps;
byte buffered; bool is_buffered;          /* the sender's store of the word */
bool sleeps_buffered, is_sleeps_buffered; /* the waiter's store of `sleeps` */
bool asleep;                              /* in the kernel */

inline empty_sender() { if :: is_buffered -> word = buffered; is_buffered = 0 :: else fi }
inline empty_waiter() { if :: is_sleeps_buffered -> sleeps = sleeps_buffered; is_sleeps_buffered = 0 :: else fi }

/* Buffers empty themselves at any time. */
active proctype sender_buffer() { end: do :: atomic { is_buffered -> word = buffered; is_buffered = 0 } od }
active proctype waiter_buffer() { end: do :: atomic { is_sleeps_buffered -> sleeps = sleeps_buffered; is_sleeps_buffered = 0 } od }

active proctype sender() {
    byte k = 1;
    do
    :: k <= MESSAGES ->
       atomic { empty_sender(); buffered = k; is_buffered = 1 };  /* publish: a plain store */
       if
       :: !sleeps                                                 /* a plain load, perhaps before the store */
       :: sleeps ->                                               /* fetch_add is a full barrier */
#if FAULT!=WAKES_WITHOUT_BELL
          atomic { empty_sender(); bell = bell + 1 };
#else
          atomic { empty_sender() };
#endif
          asleep = 0                                              /* FUTEX_WAKE */
       fi;
       k++
    :: else -> break
    od
}

active proctype waiter() {
    byte want = 1, heard = 0;
    bool there = 0;
    do
    :: want <= MESSAGES ->
       do
       :: word >= want -> break
       :: else ->
#if FAULT!=BELL_READ_LATE
          heard = bell;
#endif
#if FAULT==LOOKS_FIRST
          there = word >= want;
#endif
#if FAULT==NO_BARRIER
          atomic { empty_waiter(); sleeps_buffered = 1; is_sleeps_buffered = 1 };
#else
          sleeps = 1;                                             /* an exchange with the full order */
#endif
#if FAULT==0 || FAULT>BARRIER_OF_ONE
          atomic { empty_sender(); empty_waiter() };              /* membarrier */
#endif
#if FAULT!=LOOKS_FIRST
          there = word >= want;
#endif
#if FAULT==BELL_READ_LATE
          heard = bell;
#endif
          if
          :: there
          :: else -> atomic { if :: bell == heard -> asleep = 1 :: else fi }; !asleep   /* FUTEX_WAIT */
          fi;
          atomic { empty_waiter(); sleeps = 0 }
       od;
       want++
    :: else -> break
    od
}
