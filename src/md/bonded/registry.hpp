// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "device/queue.hpp"
#include "md/bonded/block_job.hpp"
#include "md/bonded/lanes.kernel.hpp"

namespace aureole::md {

/// Enqueues the sums of one kind of term on any device.
template <class T>
struct TermLaunch {
    void (*sums)(device::Queue&, std::int64_t n, const TermView<T>&, EnergyVirial* to);
};

struct TermLaunches {
    TermLaunch<float> mixed;
    TermLaunch<double> full;

    template <class T>
    const TermLaunch<T>& of() const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed;
        else
            return full;
    }
};

/// Most particles that a term of any kind has.
inline constexpr int most_particles = 8;

/// One term's energy, virial Σ r ⊗ F and the forces on its particles.
struct TermResult {
    double energy;
    core::Sym3d virial;
    std::array<core::Vec3d, most_particles> force;
};

/// A kind of bonded term as the rest of the program sees it, made from its leaf file.
struct Term {
    const char* name;
    const char* words;
    std::span<const Parameter> parameters;
    int particles;
    int apart;  ///< so many particles in turn have to differ; all, or those of each pair
    int coefficients;

    /// The problem with a row of parameters, in words, or null.
    const char* (*problem)(const double* parameters, const TermConstants&);
    void (*derive)(const double* parameters, const TermConstants&, double* coefficients);
    /// One term in double precision.
    TermResult (*evaluate)(const TermView<double>&, std::int64_t i);
    std::vector<BlockKernels (*)()> kernels_of_isa;
    TermLaunches lanes;

    /// The kernels for the instruction set in use.
    BlockKernels kernels() const;
};

/// All kinds of terms, in the order of their file names.
std::span<const Term> term_kinds();
/// Throws core::InputError for a name that no leaf file has.
const Term& term_kind(std::string_view name);

template <class P>
Term make_term(const char* name, std::vector<BlockKernels (*)()> kernels, TermLaunches lanes) {
    constexpr std::size_t np = parameter_count<P>;
    static_assert(particle_count<P>() <= most_particles);
    Term t{};
    t.name = name, t.words = P::words, t.parameters = P::parameters;
    t.particles = t.apart = particle_count<P>();
    if constexpr (requires { P::apart; }) t.apart = P::apart;
    t.coefficients = static_cast<int>(term_coefficients<P>);
    t.problem = [](const double* from, const TermConstants& constants) -> const char* {
        std::array<double, np> p;
        std::copy_n(from, np, p.begin());
        if constexpr (requires { P::problem(p, constants); })
            return P::problem(p, constants);
        else
            return nullptr;
    };
    t.derive = [](const double* from, const TermConstants& constants, double* to) {
        std::array<double, np> p;
        std::copy_n(from, np, p.begin());
        const auto c = derive_term<P>(p, constants);
        std::copy(c.begin(), c.end(), to);
    };
    t.evaluate = [](const TermView<double>& view, std::int64_t i) {
        const OneTerm<P, double> one(view, i);
        TermResult result{one.energy, one.virial(view, i), {}};
        for (int p = 0; p < particle_count<P>(); ++p) result.force[p] = one.on(p);
        return result;
    };
    t.kernels_of_isa = std::move(kernels);
    t.lanes = lanes;
    return t;
}

}  // namespace aureole::md
