/* SPDX-License-Identifier: Apache-2.0
 * Conjugate gradients with a multigrid preconditioner, as HPCG 3.1 defines them. Four levels; each
 * smoothing is one symmetric Gauss-Seidel sweep over eight colours of cells, forwards and back. */
#pragma once

#include "hpcg_halo.h"
#include "memory.h"

enum { hpcg_levels = 4 };

struct HpcgLevel {
    int own[3];    /* cells of this rank */
    int origin[3]; /* the first of them, among all */
    long long n;   /* doubles of an array, ghosts included */
    struct HpcgHalo halo;
    double* product; /* the operator times `solution`; none on the coarsest level */
    /* Of the levels below the finest one. */
    double *right, *solution;
};

struct Hpcg {
    enum Memory memory;
    struct HpcgPlace place;
    struct HpcgLevel level[hpcg_levels];
    double *right, *solution;   /* of the system */
    double *r, *z, *p, *ap;     /* of the iteration */
    double *parts, *mine, *all; /* of dot products */
    double diagonal;            /* on the finest level */
    int marked;                 /* HpcgWork's, on the finest level */
    /* Ghosts are filled before each colour instead of once before each symmetric sweep (HPCG's
     * way), so that any number of ranks does the same. */
    int fills_each_colour;
    int sweeps_in_order;        /* instead of by colours, as HPCG's reference; host memory alone */
    double exchange, reduction; /* seconds in messages and in all-reduces */
    double large;               /* messages that are long enough to go straight */
};

/* `cells` of each rank; refuses numbers that are no multiples of 8. Vectors are zero. */
void hpcg_begin(struct Hpcg* of, enum Memory memory, const int cells[3]);
void hpcg_end(struct Hpcg* of);

/* An array of the finest level, of zeros. */
double* hpcg_vector(const struct Hpcg* of);
/* to = a x + b y */
void hpcg_combined(const struct Hpcg* of, double* to, double a, const double* x, double b,
                   const double* y);
/* Over all ranks. Ghosts of x or those of y have to be zero. */
double hpcg_dot(struct Hpcg* of, const double* x, const double* y);
/* y = operator times x; fills the ghosts of x. */
void hpcg_operator(struct Hpcg* of, double* x, double* y);
/* x = one cycle of multigrid for the right-hand side r. */
void hpcg_precondition(struct Hpcg* of, const double* r, double* x);

/* How to iterate from the present solution on. */
struct HpcgAim {
    int most;         /* iterations */
    double tolerance; /* of the norm of the residual, in that of the first one */
    int preconditions;
    double* norms; /* most + 1 norms of residuals; may be NULL */
};
/* Iterations done. */
int hpcg_solve(struct Hpcg* of, const struct HpcgAim* aim);
