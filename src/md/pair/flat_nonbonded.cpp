// SPDX-License-Identifier: Apache-2.0
#include "md/pair/flat_nonbonded.hpp"

#include <algorithm>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"

namespace aureole::md {

template <class T>
FlatNonbonded<T>::FlatNonbonded(device::Queue& queue, const Nonbonded& nonbonded)
    : nonbonded_(nonbonded), tables_(nonbonded.tables<T>()), squares_(queue, 1) {
    c6_ = to_device(queue, tables_.c6), c12_ = to_device(queue, tables_.c12);
    tables_.numbers.c6 = c6_.data(), tables_.numbers.c12 = c12_.data();
    tables_.numbers.mesh_cubics = {};  // in host memory, for kernels of packs
    std::vector<OwnNumbers<T>> of_type;
    for (int t = 0; t < nonbonded.spec().n_types; ++t) {
        const auto own = nonbonded.own(t, 1);
        of_type.push_back({T(0), static_cast<T>(own.a), static_cast<T>(own.b), T(0)});
    }
    of_type_ = to_device(queue, of_type);
}

template <class T>
void FlatNonbonded<T>::load_particles(device::Queue& queue, Particles& particles, std::int64_t rows,
                                      std::int64_t room) {
    const bool charged = particles.charge.in_use();
    own_.resize(queue, std::max(rows, room));
    if (room > rows) device::fill(queue, own_.view(), OwnNumbers<T>{});
    device::parallel_for(
        queue, "particle parameters", rows,
        SetOwnNumbers<T>{charged ? particles.charge.data() : nullptr, particles.type.data(),
                         of_type_.data(), nonbonded_.own(0, 1).charge, own_.data()});
    self_energy_ = 0;
    if (!charged || !nonbonded_.spec().has_self_energy()) return;
    // Excluded pairs cancel most of it, so it comes from the kernels' own numbers, as rounded.
    device::parallel_reduce<double>(queue, "squares of charges", particles.n, 0.0,
                                    SquareOfCharge<T>{own_.data()}, device::Sum{}, squares_.data());
    double squares = 0;
    device::copy_to_host(queue, &squares, squares_.view());
    self_energy_ = -0.5 * squares * static_cast<double>(tables_.numbers.coulomb_shift);
}

namespace {

/// Calls f with the kernel of a form as its template argument: on hosts, where flat lists are for
/// tests, one for all rules.
template <bool energy, class T, class F>
void with_kernel(const NonbondedForm& form, bool on_host, const F& f) {
    const auto mixed = [&]<Coulomb coulomb, VdwEnd end>() {
        using enum Mixing;
        const auto call = [&]<class Rule>() {
            f.template operator()<FlatNonbondedForce<coulomb, end, Rule, energy, T>>();
        };
        if (!device::has_gpu || on_host) return call.template operator()<FoundRule>();
        if constexpr (device::has_gpu) {
            if (form.mixing == geometric) return call.template operator()<StatedRule<geometric>>();
            if (form.mixing == lorentz_berthelot)
                return call.template operator()<StatedRule<lorentz_berthelot>>();
            call.template operator()<StatedRule<table>>();
        }
    };
    const auto ended = [&]<Coulomb coulomb>() {
        using enum VdwEnd;
        switch (form.end) {
            case plain:
                return mixed.template operator()<coulomb, plain>();
            case potential_switch:
                return mixed.template operator()<coulomb, potential_switch>();
            default:
                return mixed.template operator()<coulomb, force_switch>();
        }
    };
    if (form.coulomb == Coulomb::ewald)
        ended.template operator()<Coulomb::ewald>();
    else
        ended.template operator()<Coulomb::reaction_field>();
}

}  // namespace

template <class T>
FlatNonbondedJob<T> FlatNonbonded<T>::job(const FlatParticles<T>& of) const {
    FlatNonbondedJob<T> job{};
    job.site = of.site, job.own = own_.data(), job.list = of.list, job.images = of.images;
    job.numbers = tables_.numbers, job.expired_at = of.expired_at;
    const bool smooth = nonbonded_.spec().coulomb == Coulomb::ewald || job.numbers.field != 0 ||
                        job.numbers.coulomb_shift != 0;
    if (smooth && job.numbers.smooth != 0) job.smooth = of.exclusions;
    return job;
}

template <class T>
template <bool energy>
void FlatNonbonded<T>::run(device::Queue& queue, int lanes, const FlatNonbondedJob<T>& job) {
    const bool on_host = queue.backend() == device::Backend::host;
    with_kernel<energy, T>(nonbonded_.form(), on_host, [&]<class Kernel>() {
        device::team_for(queue, "non-bonded force", device::TeamPolicy{own_.size(), lanes, 0},
                         Kernel{job});
    });
}

template <class T>
void FlatNonbonded<T>::forces(device::Queue& queue, const FlatParticles<T>& of,
                              const FixedForces& force) {
    auto work = job(of);
    work.force = force;
    run<false>(queue, of.lanes, work);
}

template <class T>
void FlatNonbonded<T>::sums(device::Queue& queue, const FlatParticles<T>& of,
                            NonbondedPairSums* sums) {
    auto work = job(of);
    work.sums = sums;
    run<true>(queue, of.lanes, work);
}

template class FlatNonbonded<float>;
template class FlatNonbonded<double>;

}  // namespace aureole::md
