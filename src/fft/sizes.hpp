// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace aureole::fft {

/// Prime factors, with 4 in place of 2 · 2 as often as possible, as the transforms take them.
std::vector<int> radices(int n);

/// Whether lines of n points are transformed fast: no prime factor above 13.
bool fast_size(int n);

/// The smallest size from `least` on that GROMACS would choose for a fourier-spacing, so that its
/// users get the grid they know.
int gromacs_size(int least);

/// Points along a lattice vector of the given length for a spacing, by GROMACS' rule, not fewer
/// than `least`, and without a prime factor above `largest_factor`.
int gromacs_size(double length, double spacing, int least = 1, int largest_factor = 13);

}  // namespace aureole::fft
