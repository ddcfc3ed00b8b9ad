#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fit the rational functions of src/md/pair/ewald_split.hpp, and print them.

    fit_ewald_split.py 5/5 9/9                        the usual fits, on z in [0, 16]
    fit_ewald_split.py --last 33 12/12                the wide one in double precision
    fit_ewald_split.py --last 33 --relative 6/6       the wide one in single precision

Needs mpmath (PyPI), which nothing else of the project does. On z in [0, last]:

    energy(z) = erf(x)/x,  force(z) = (erf(x)/x - 2/sqrt(pi) exp(-x^2))/x^2,  x = sqrt(z)

each as P(z)/Q(z) with the least largest error: linearised least squares whose weights follow the
errors (C. L. Lawson, thesis, UCLA 1961; as in Y. Nakatsukasa, O. Sete, L. N. Trefethen, SIAM J.
Sci. Comput. 40 (2018) A1494, section 8).
"""

import argparse

import mpmath as mp

mp.mp.dps = 45


def energy(z):
    x = mp.sqrt(z)
    return 2 / mp.sqrt(mp.pi) if z == 0 else mp.erf(x) / x


def force(z):
    # The difference cancels near zero; 45 digits leave enough from 1e-10 on.
    if z < mp.mpf("1e-10"):
        return 4 / (3 * mp.sqrt(mp.pi)) * (1 - 3 * z / 5)
    return (energy(z) - 2 / mp.sqrt(mp.pi) * mp.exp(-z)) / z


def solve(points, values, weights, top, bottom, before, units):
    """P and Q (Q_0 = 1) by weighted least squares of (P - f Q)/(Q_before unit)."""
    columns = top + 1 + bottom
    normal = mp.zeros(columns, columns)
    right = mp.zeros(columns, 1)
    for z, f, w, q, unit in zip(points, values, weights, before, units, strict=True):
        row = [z**k for k in range(top + 1)] + [-f * z**k for k in range(1, bottom + 1)]
        scale = w / (q * unit) ** 2
        for i, a in enumerate(row):
            right[i] += scale * a * f
            for j in range(i, columns):
                normal[i, j] += scale * a * row[j]
    for i in range(columns):
        for j in range(i):
            normal[i, j] = normal[j, i]
    c = list(mp.lu_solve(normal, right))
    return c[: top + 1], [mp.mpf(1), *c[top + 1 :]]


def fit(f, top, bottom, last, relative, rounds=25, n=160):
    points = [last * (1 - mp.cos(mp.pi * k / (n - 1))) / 2 for k in range(n)]
    values = [f(z) for z in points]
    units = values if relative else [values[0]] * n
    weights, before = [mp.mpf(1)] * n, [mp.mpf(1)] * n
    best = None
    for _ in range(rounds):
        p, q = solve(points, values, weights, top, bottom, before, units)
        before = [mp.polyval(q[::-1], z) for z in points]
        errors = [
            abs(mp.polyval(p[::-1], z) / b - v) / unit
            for z, b, v, unit in zip(points, before, values, units, strict=True)
        ]
        worst = max(errors)
        if best is None or worst < best[0]:
            best = (worst, p, q)
        weights = [w * (e / worst + mp.mpf("1e-3")) for w, e in zip(weights, errors, strict=True)]
        total = sum(weights)
        weights = [w / total for w in weights]
    return best


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--last", type=float, default=16, help="largest z")
    parser.add_argument("--relative", action="store_true", help="errors in parts of the value")
    parser.add_argument("degrees", nargs="+", help="of P and Q: 5/5")
    asked = parser.parse_args()
    of = "itself" if asked.relative else "at 0"
    for name, f in (("force", force), ("energy", energy)):
        for top, bottom in [tuple(map(int, a.split("/"))) for a in asked.degrees]:
            error, p, q = fit(f, top, bottom, asked.last, asked.relative)
            digits = 10 if error > 1e-10 else 18
            print(f"{name} {top}/{bottom}: largest error {mp.nstr(error, 3)} of the value {of}")
            print("  P", ", ".join(mp.nstr(c, digits) for c in p))
            print("  Q", ", ".join(mp.nstr(c, digits) for c in q))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
