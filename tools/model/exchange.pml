/* SPDX-License-Identifier: Apache-2.0
 *
 * Positions to neighbours and forces back, as src/halo/exchange.* does it: one process per rank, one
 * landing zone and one offer per pulse, each guarded by a word that says that it is full and one that
 * says that it may be filled again. Then the combined flag of md/lists: a rank that wants new lists says
 * so in a sum over all ranks, and all make new halos in the same step. Then links: single positions of
 * ranks that are no neighbours, guarded in the same way.
 *
 * A step exchanges positions, forces or both, the same on all ranks: all such orders are tried. A number
 * stands for all positions of a step, and a weight for all forces of a step, so that data of a
 * wrong step is seen. Every wait blocks; that there is no invalid end state means that all ranks get
 * through all steps. Words hold the epoch alone.
 */
#ifndef RANKS
#define RANKS 3
#endif
#ifndef PULSES
#define PULSES 2
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef EMPTY
#define EMPTY 0                  /* 1: any pulse of any rank may have nothing to send */
#endif
#ifndef WISHES
#define WISHES 0                 /* 1: any rank may want new halos in any step */
#endif
#ifndef LINKS
#define LINKS 0                  /* 1: each rank also needs a particle of the rank below it */
#endif
#ifndef FAULT
#define FAULT 0
#endif
/* Each of these must be found. */
#define OVERWRITES_LANDING    1  /* does not wait until positions were taken */
#define FULL_BEFORE_DATA      2  /* the word overtakes the positions */
#define READS_BEFORE_FULL     3  /* positions are read before the word is seen */
#define TAKEN_BEFORE_READ     4  /* the landing zone is given back before it was read */
#define SENDS_ALL_FIRST       5  /* forwards ghosts before they have arrived */
#define OVERWRITES_OFFER      6  /* does not wait until forces were taken */
#define OFFER_BEFORE_FORCES   7  /* the word overtakes the forces */
#define FORCES_TAKEN_EARLY    8  /* the offer is given back before it was read */
#define FORCES_ASCENDING      9  /* forces return in the order of positions */
#define EMPTY_IS_SILENT      10  /* a pulse without particles publishes nothing */
#define EPOCH_GOES_BACK      11  /* a step is repeated with the epoch that it had */
#define ONE_WORD_FOR_ALL     12  /* all pulses of a rank share a word */
#define KEEPS_GHOST_FORCE    13  /* a ghost's force is not cleared when it is offered */
#define ONE_SUM_LINE         14  /* successive sums use the same line */
#define OWN_WISH             15  /* a rank makes new halos when it wants them itself */
#define NO_MEETING           16  /* halos are announced without waiting for all */
#define LINK_WITHOUT_TAKEN   17  /* a link's place is filled again before it was read */

#if PULSES==1
#define ZONES 2
#elif PULSES==2
#define ZONES 4
#else
#define ZONES 8
#endif
/* A grid of 2 x 2 where there are four ranks, otherwise a ring: two pulses to one side, one to the other. */
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
#if FAULT==ONE_WORD_FOR_ALL
#define WORD(r,p) ((r)*PULSES)
#else
#define WORD(r,p) BY_PULSE(r,p)
#endif
#if FAULT==EPOCH_GOES_BACK
#define NEXT(epoch) epoch = (t == STEPS -> epoch : epoch + 1)
#else
#define NEXT(epoch) epoch++
#endif

/* Landing zones and offers, by the zone that a ghost belongs to: the set of pulses that it came along. */
byte landing[RANKS*ZONES], offer[RANKS*ZONES];
byte ghost[RANKS*ZONES], force[RANKS*ZONES];     /* of the rank alone; zone 0: its own particles */
byte positions_here[RANKS*PULSES], positions_taken[RANKS*PULSES];
byte forces_there[RANKS*PULSES], forces_taken[RANKS*PULSES];
bool is_sent[RANKS*ZONES];                       /* whether these ghosts of the rank exist */
byte copies[RANKS];                              /* of a rank's own particles, anywhere */
#define POSITIONS 1
#define FORCES 2
byte kind[STEPS+1];                              /* what is exchanged in a step */
bool silent[RANKS*PULSES];                       /* a pulse that sends nothing */
#if WISHES
byte sum_flag[RANKS*2], outbox[RANKS], renewals[RANKS];
bool sum_value[RANKS*2];
#endif
#if LINKS
byte link[RANKS], link_here[RANKS], link_taken[RANKS];
#endif

/* f of each zone that pulse p sends: the particles themselves (0) and ghosts of earlier pulses. */
#define EACH_SENT(p,f) d_step { z = 0; do :: z < (1<<(p)) -> if :: is_sent[BY_ZONE(TO(p,r),z+(1<<(p)))] -> f :: else fi; z++ :: else -> break od; z = 0 }
#define EACH_ARRIVED(p,f) d_step { z = 1<<(p); do :: z < (2<<(p)) -> if :: is_sent[BY_ZONE(r,z)] -> f :: else fi; z++ :: else -> break od; z = 0 }

#define SPEAKS(p) (!(FAULT==EMPTY_IS_SILENT && silent[BY_PULSE(r,p)]))

inline send(p) {
#if FAULT!=OVERWRITES_LANDING
    positions_taken[BY_PULSE(r,p)] >= sent-1;
#endif
#if FAULT==FULL_BEFORE_DATA
    positions_here[WORD(TO(p,r),p)] = sent;
#endif
    EACH_SENT(p, landing[BY_ZONE(TO(p,r),z+(1<<(p)))] = ghost[BY_ZONE(r,z)]);
    if :: SPEAKS(p) -> positions_here[WORD(TO(p,r),p)] = sent :: else fi
}

inline receive(p) {
#if FAULT!=READS_BEFORE_FULL
    positions_here[WORD(r,p)] >= sent;
#endif
#if FAULT==TAKEN_BEFORE_READ
    positions_taken[BY_PULSE(FROM(p,r),p)] = sent;
#endif
    EACH_ARRIVED(p, ghost[BY_ZONE(r,z)] = landing[BY_ZONE(r,z)]);
    positions_taken[BY_PULSE(FROM(p,r),p)] = sent
}

inline positions() {
    NEXT(sent);
    p = 0;
    do
    :: p < PULSES -> send(p);
#if FAULT!=SENDS_ALL_FIRST
       receive(p);
#endif
       p++
    :: else -> break
    od;
#if FAULT==SENDS_ALL_FIRST
    p = 0; do :: p < PULSES -> receive(p); p++ :: else -> break od;
#endif
    p = 0;
    d_step { z = 1; do :: z < ZONES -> assert(!is_sent[BY_ZONE(r,z)] || ghost[BY_ZONE(r,z)] == t); z++ :: else -> break od; z = 0 }
}

inline return_forces() {
    NEXT(returned);
    /* What the rank computes: one weight on each ghost, none on its own particles. */
    d_step { z = 1; do :: z < ZONES -> if :: is_sent[BY_ZONE(r,z)] -> force[BY_ZONE(r,z)] = force[BY_ZONE(r,z)] + WEIGHT(t) :: else fi; z++ :: else -> break od; z = 0 };
    k = 0;
    do
    :: k < PULSES ->
#if FAULT==FORCES_ASCENDING
       p = k;
#else
       p = PULSES-1-k;
#endif
#if FAULT!=OVERWRITES_OFFER
       forces_taken[BY_PULSE(r,p)] >= returned-1;
#endif
#if FAULT==OFFER_BEFORE_FORCES
       forces_there[WORD(FROM(p,r),p)] = returned;
#endif
       EACH_ARRIVED(p, offer[BY_ZONE(r,z)] = force[BY_ZONE(r,z)]; if :: FAULT!=KEEPS_GHOST_FORCE -> force[BY_ZONE(r,z)] = 0 :: else fi);
       forces_there[WORD(FROM(p,r),p)] = returned;
       forces_there[WORD(r,p)] >= returned;
#if FAULT==FORCES_TAKEN_EARLY
       forces_taken[BY_PULSE(TO(p,r),p)] = returned;
#endif
       EACH_SENT(p, force[BY_ZONE(r,z)] = force[BY_ZONE(r,z)] + offer[BY_ZONE(TO(p,r),z+(1<<(p)))]);
       forces_taken[BY_PULSE(TO(p,r),p)] = returned;
       k++
    :: else -> break
    od;
    k = 0; p = 0;
    d_step { assert(force[BY_ZONE(r,0)] == copies[r]*WEIGHT(t)); force[BY_ZONE(r,0)] = 0 }
}

#if WISHES
/* One value of all ranks, combined: `any` is what it was on any rank. */
inline combine(mine) {
    gathers++;
#if FAULT==ONE_SUM_LINE
#define SUM_LINE(q) ((q)*2)
#else
#define SUM_LINE(q) ((q)*2+(gathers&1))
#endif
    sum_value[SUM_LINE(r)] = mine;
    sum_flag[SUM_LINE(r)] = gathers;
    any = 0; k = 0;
    do
    :: k < RANKS -> sum_flag[SUM_LINE(k)] == gathers; any = any || sum_value[SUM_LINE(k)]; k++
    :: else -> break
    od;
    k = 0
}

/* New halos: each rank fills its outbox, says where it is, reads that of the others, and waits for all. */
inline renew() {
    renewals[r] = renewals[r] + 1;
    outbox[r] = renewals[r];
#if FAULT!=NO_MEETING
    combine(false);
#endif
    assert(outbox[FROM(0,r)] == renewals[r]);
    combine(false)
}
#endif

#if LINKS
/* The rank's particle is written where the rank above it reads, and taken from there. */
inline use_link() {
#if FAULT!=LINK_WITHOUT_TAKEN
    link_taken[r] >= sent-1;
#endif
    link[(r+1)%RANKS] = t;
    link_here[(r+1)%RANKS] = sent;
    link_here[r] >= sent;
    assert(link[r] == t);
    link_taken[(r+RANKS-1)%RANKS] = sent
}
#endif

proctype rank(byte r) {
    byte t = 1, p = 0, z = 0, k = 0;
    byte sent = 0, returned = 0;                 /* epochs of positions and forces */
#if WISHES
    byte gathers = 0;
    bool any = 0, wish = 0;
#endif
    do
    :: t <= STEPS ->
       ghost[BY_ZONE(r,0)] = t;
#if WISHES
       if :: wish = 0 :: wish = 1 fi;
       combine(wish);
#if FAULT==OWN_WISH
       if :: wish -> renew() :: else fi;
#else
       if :: any -> renew() :: else fi;
#endif
       wish = 0; any = 0;
#endif
       if
       :: kind[t] & POSITIONS -> positions();
#if LINKS
          use_link()
#endif
       :: else
       fi;
       if :: kind[t] & FORCES -> return_forces() :: else fi;
       t++
    :: else -> break
    od
}

init {
    byte r = 0, p = 0, z = 0, at = 0;
    bool exists = 0;
    do
    :: r < STEPS -> r++; if :: kind[r] = POSITIONS :: kind[r] = FORCES :: kind[r] = POSITIONS | FORCES fi
    :: else -> break
    od;
    r = 0;
#if EMPTY
    do :: r < RANKS*PULSES -> if :: silent[r] = 0 :: silent[r] = 1 fi; r++ :: else -> break od;
#endif
    skip;
    d_step {
        r = 0;
        do
        :: r < RANKS -> z = 1;
           do
           :: z < ZONES -> at = r; exists = 1; p = PULSES;
              do
              :: p > 0 -> p--;
                 if
                 :: z & (1<<p) -> at = FROM(p,at); if :: silent[BY_PULSE(at,p)] -> exists = 0 :: else fi
                 :: else
                 fi
              :: else -> break
              od;
              is_sent[BY_ZONE(r,z)] = exists;
              if :: exists -> copies[at] = copies[at] + 1 :: else fi;
              z++
           :: else -> break
           od;
           r++
        :: else -> break
        od;
        r = 0; p = 0; z = 0; at = 0; exists = 0
    }
    atomic { do :: r < RANKS -> run rank(r); r++ :: else -> break od; r = 0 }
}
