// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_pairs.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// Non-bonded forces of molecules over cluster pairs.
template <class T>
class NonbondedForce {
  public:
    explicit NonbondedForce(const Nonbonded& nonbonded)
        : nonbonded_(nonbonded), tables_(nonbonded.tables<T>()) {}
    NonbondedForce(const NonbondedForce&) = delete;

    /// Writes each particle's own numbers into its slot, after a search's sort.
    void load_particles(device::Queue& queue, Particles& particles, ClusterPairs<T>& pairs);
    /// One chunk of a list.
    NonbondedTotal run(const ClusterWork<T>& work, KernelVariant variant) const;
    /// Data that kernels of charges read.
    const T* own() const { return own_.data(); }
    const NonbondedNumbers<T>* numbers() const { return &tables_.numbers; }
    /// Forces alone, and what their virial needs beside them.
    ShiftForces run_for_virial(ClusterPairs<T>& pairs);
    /// Energy of all charges with themselves; 0 with Ewald's splitting, where it belongs to the
    /// reciprocal-space sum.
    double self_energy() const { return self_energy_; }

  private:
    const Nonbonded& nonbonded_;
    NonbondedTables<T> tables_;
    device::Buffer<T> own_;  ///< [clusters][q₄ a₄ b₄ 0₄]
    std::vector<ShiftForces> chunk_shift_;
    double self_energy_ = 0;
};

extern template class NonbondedForce<float>;
extern template class NonbondedForce<double>;

}  // namespace aureole::md
