// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/copy.hpp"
#include "md/domain/spanning_sites.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

/// The virtual sites of one rank, with the interface of VirtualSites: those whose parents it has,
/// and those that are made from particles of other ranks.
class RankSites {
  public:
    /// `spanning`: null where there are no such sites; else localised before.
    RankSites(device::Queue& queue, const SiteSpec& spec, SpanningSites* spanning)
        : here_(queue, spec), spanning_(spanning) {
        if (spanning != nullptr) virial_ = device::Buffer<core::Sym3d>(queue, 1);
    }

    void localise(device::Queue& queue, const TagMap& tags) { here_.localise(queue, tags); }
    void construct(device::Queue& queue, const SiteMove& move) {
        here_.construct(queue, move);
        if (spanning_ != nullptr) spanning_->construct(move);
    }
    void spread(device::Queue& queue, const SiteForces& forces) {
        here_.spread(queue, forces);
        if (spanning_ == nullptr) return;
        spanning_->spread(forces);
        if (!forces.want_virial) return;
        core::Sym3d sum{};
        device::copy_to_host(queue, &sum, here_.last_virial());
        sum += spanning_->last_virial();
        device::copy_from_host(queue, virial_.view(), &sum);
    }
    /// Virial of the last spread() that wanted it, in device memory.
    device::View<const core::Sym3d> last_virial() const {
        return spanning_ == nullptr ? here_.last_virial()
                                    : device::View<const core::Sym3d>(virial_.view());
    }

  private:
    VirtualSites here_;
    SpanningSites* spanning_;
    device::Buffer<core::Sym3d> virial_;
};

}  // namespace aureole::md
