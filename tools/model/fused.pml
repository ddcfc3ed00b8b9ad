/* SPDX-License-Identifier: Apache-2.0
 *
 * The exchange in one launch, as graphics processors do it: all pulses of a rank at the same time. A
 * process stands for the blocks of a pulse that send positions and then offer forces, another for those
 * that receive positions and then take forces, and a driver for the queue, which starts one after the
 * other. A rank's own particles leave at once, ghosts that are sent on when all earlier pulses have
 * arrived; forces on ghosts that were sent on return when all later pulses have come back.
 *
 * A word holds the epoch and whether a rank wants new lists. Wishes are gathered on the way: for up to
 * three ranks along an axis all know them when the forces of the step are there, without any sum.
 */
#ifndef RANKS
#define RANKS 2
#endif
#ifndef PULSES
#define PULSES 2
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef WISHES
#define WISHES 0                 /* 1: any rank may wish in any step; 2: the first does in all */
#endif
#ifndef EXCHANGES
#define EXCHANGES 3              /* 1: positions alone, 2: forces alone, 3: both in each step */
#endif
#ifndef FAULT
#define FAULT 0
#endif
/* Each of these must be found. */
#define WAITS_FOR_PREVIOUS    1  /* ghosts are sent on when the pulse before has arrived, not all */
#define FULL_BEFORE_DATA      2  /* the word overtakes the positions */
#define READS_BEFORE_FULL     3  /* what is sent on is read before the words of earlier pulses */
#define OVERWRITES_LANDING    4  /* does not wait until positions were taken */
#define OFFERS_BEFORE_FORCES  5  /* forces are offered before they were computed */
#define OFFERS_WITHOUT_LATER  6  /* forces on ghosts that were sent on do not wait for later pulses */
#define OFFERS_AFTER_ONE      7  /* they wait for the last pulse only */
#define OVERWRITES_OFFER      8  /* does not wait until forces were taken */
#define OWN_WISH_ONLY         9  /* words do not pass on what earlier ones wished */
#define ROWS_IN_TURN          10  /* the blocks of a pulse run to their end before those of earlier ones */

#if PULSES==1
#define ZONES 2
#elif PULSES==2
#define ZONES 4
#else
#define ZONES 8
#endif
#if RANKS==4
#define TO(p,r) ((r)^(1<<(p)))
#define FROM(p,r) ((r)^(1<<(p)))
#else
#define ALONG(p) ((p)==1 -> RANKS-1 : 1)
#define TO(p,r) (((r)+ALONG(p))%RANKS)
#define FROM(p,r) (((r)+RANKS-ALONG(p))%RANKS)
#endif
#define BY_PULSE(r,p) ((r)*PULSES+(p))
#define BY_ZONE(r,z) ((r)*ZONES+(z))
#define WEIGHT(t) (((t)&1) -> 1 : 9)

/* Full words hold 2 epoch + wish. */
#define EPOCH_OF(word) ((word)/2)
#define WISH_OF(word) ((word)&1)

byte landing[RANKS*ZONES], offer[RANKS*ZONES], ghost[RANKS*ZONES], row[RANKS*ZONES], force[RANKS*ZONES];
byte positions_full[RANKS*PULSES], positions_taken[RANKS*PULSES];
byte forces_full[RANKS*PULSES], forces_taken[RANKS*PULSES];
byte row_word[RANKS*PULSES];                     /* forces of a pulse have come; as the word that came */
byte step_of[RANKS], computed[RANKS];            /* what the queue has started */
byte sent[RANKS*PULSES], stored[RANKS*PULSES], offered[RANKS*PULSES];   /* what blocks have ended */
bool wish[RANKS], any_wish[STEPS+1];

/* What arrives with pulse p is the sender's own and its ghosts of earlier pulses. */
#define EACH_SENT_ON(p,f) d_step { z = 1; do :: z < (1<<(p)) -> f; z++ :: else -> break od; z = 0 }
#define EACH_SENT(p,f) d_step { z = 0; do :: z < (1<<(p)) -> f; z++ :: else -> break od; z = 0 }
#define EACH_ARRIVED(p,f) d_step { z = 1<<(p); do :: z < (2<<(p)) -> f; z++ :: else -> break od; z = 0 }
/* Forces that came back on zone z with pulses from p on; they stand where the receivers have them. */
#define ROW(q,z) ((q) < PULSES -> row[BY_ZONE(r,((z)+(1<<(q)))%ZONES)] : 0)
#define ROWS(p,z) (ROW(p,z) + ROW((p)+1,z) + ROW((p)+2,z))
#define ALL(words,t) (words[BY_PULSE(r,0)] >= (t) && words[BY_PULSE(r,PULSES-1)] >= (t) && words[BY_PULSE(r,PULSES/2)] >= (t))

proctype give(byte r; byte p) {
    byte t = 1, z = 0, q = 0;
    bool wished = 0;
#if FAULT==READS_BEFORE_FULL
    byte early = 0;
#endif
    do
    :: t <= STEPS ->
       step_of[r] >= t;
#if EXCHANGES & 1
#if FAULT==ROWS_IN_TURN
       p == PULSES-1 || sent[BY_PULSE(r,p+1)] >= t;
#endif
       wished = wish[r];
#if FAULT!=OVERWRITES_LANDING
       positions_taken[BY_PULSE(r,p)] >= t-1;
#endif
#if FAULT==FULL_BEFORE_DATA
       positions_full[BY_PULSE(TO(p,r),p)] = 2*t + wished;
#endif
       landing[BY_ZONE(TO(p,r),1<<p)] = ghost[BY_ZONE(r,0)];
#if FAULT==READS_BEFORE_FULL
       early = landing[BY_ZONE(r,1)];
#endif
#if FAULT==WAITS_FOR_PREVIOUS
       q = (p > 0 -> p-1 : 0);
#else
       q = 0;
#endif
       do
       :: q < p -> EPOCH_OF(positions_full[BY_PULSE(r,q)]) >= t;
#if FAULT!=OWN_WISH_ONLY
          wished = wished || WISH_OF(positions_full[BY_PULSE(r,q)]);
#endif
          q++
       :: else -> break
       od;
       q = 0;
       EACH_SENT_ON(p, landing[BY_ZONE(TO(p,r),z+(1<<p))] = landing[BY_ZONE(r,z)]);
#if FAULT==READS_BEFORE_FULL
       if :: p > 0 -> landing[BY_ZONE(TO(p,r),1+(1<<p))] = early :: else fi;
       early = 0;
#endif
       positions_full[BY_PULSE(TO(p,r),p)] = 2*t + wished;
       sent[BY_PULSE(r,p)] = t;
#endif
#if EXCHANGES & 2
#if FAULT!=OFFERS_BEFORE_FORCES
       computed[r] >= t;
#endif
       wished = wish[r];
#if FAULT!=OVERWRITES_OFFER
       forces_taken[BY_PULSE(r,p)] >= t-1;
#endif
#if FAULT!=OFFERS_WITHOUT_LATER
#if FAULT==OFFERS_AFTER_ONE
       q = (p < PULSES-1 -> PULSES-1 : PULSES);
#else
       q = p+1;
#endif
       do
       :: q < PULSES -> EPOCH_OF(row_word[BY_PULSE(r,q)]) >= t;
#if FAULT!=OWN_WISH_ONLY
          wished = wished || WISH_OF(row_word[BY_PULSE(r,q)]);
#endif
          q++
       :: else -> break
       od;
#endif
       q = 0;
       EACH_ARRIVED(p, offer[BY_ZONE(r,z)] = force[BY_ZONE(r,z)] + ROWS(p+1,z); force[BY_ZONE(r,z)] = 0);
       forces_full[BY_PULSE(FROM(p,r),p)] = 2*t + wished;
       offered[BY_PULSE(r,p)] = t;
#endif
       wished = 0;
       t++
    :: else -> break
    od
}

proctype take(byte r; byte p) {
    byte t = 1, z = 0;
    byte word = 0;
    do
    :: t <= STEPS ->
#if EXCHANGES & 1
       ALL(sent,t);                                      /* this launch follows that which sends */
       EPOCH_OF(positions_full[BY_PULSE(r,p)]) >= t;
       EACH_ARRIVED(p, ghost[BY_ZONE(r,z)] = landing[BY_ZONE(r,z)]);
       positions_taken[BY_PULSE(FROM(p,r),p)] = t;
       stored[BY_PULSE(r,p)] = t;
#endif
#if EXCHANGES & 2
       computed[r] >= t;
       EPOCH_OF(forces_full[BY_PULSE(r,p)]) >= t;
       word = forces_full[BY_PULSE(r,p)];
       EACH_SENT(p, row[BY_ZONE(r,z+(1<<p))] = offer[BY_ZONE(TO(p,r),z+(1<<p))]);
       forces_taken[BY_PULSE(TO(p,r),p)] = t;
       row_word[BY_PULSE(r,p)] = word;
       word = 0;
#endif
       t++
    :: else -> break
    od
}

#define ANY(words) (WISH_OF(words[BY_PULSE(r,0)]) || WISH_OF(words[BY_PULSE(r,PULSES-1)]) || WISH_OF(words[BY_PULSE(r,PULSES/2)]))

proctype queue(byte r) {
    byte t = 1, z = 0;
    bool heard = 0;
    do
    :: t <= STEPS ->
#if WISHES
       if
       :: WISHES == 1 || r != 0 -> wish[r] = 0
       :: WISHES == 1 || r == 0 -> atomic { wish[r] = 1; any_wish[t] = 1 }
       fi;
#endif
       ghost[BY_ZONE(r,0)] = t;
       step_of[r] = t;
#if EXCHANGES & 1
       ALL(sent,t); ALL(stored,t);
       d_step { z = 1; do :: z < ZONES -> assert(ghost[BY_ZONE(r,z)] == t); z++ :: else -> break od; z = 0 };
       heard = wish[r] || ANY(positions_full);
#endif
#if EXCHANGES & 2
       d_step { z = 1; do :: z < ZONES -> force[BY_ZONE(r,z)] = WEIGHT(t); z++ :: else -> break od; z = 0 };
       computed[r] = t;
       ALL(offered,t); EPOCH_OF(row_word[BY_PULSE(r,0)]) >= t; EPOCH_OF(row_word[BY_PULSE(r,PULSES-1)]) >= t; EPOCH_OF(row_word[BY_PULSE(r,PULSES/2)]) >= t;
       assert(ROWS(0,0) == (ZONES-1)*WEIGHT(t));
#if WISHES
       heard = heard || ANY(row_word);
       assert(heard == any_wish[t]);
#endif
#endif
       heard = 0;
       t++
    :: else -> break
    od
}

init {
    byte r = 0, p = 0;
    atomic {
        do
        :: r < RANKS -> run queue(r); p = 0;
           do :: p < PULSES -> run give(r,p); run take(r,p); p++ :: else -> break od;
           r++
        :: else -> break
        od;
        r = 0; p = 0
    }
}
