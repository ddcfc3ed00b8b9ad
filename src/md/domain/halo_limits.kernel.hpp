// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "core/box.hpp"
#include "md/integrate/displacement.kernel.hpp"
#include "md/neighbor/zone.hpp"

// How far particles may go before other ranks need other ghosts. Ghosts are the particles within a
// width W = r + 2 H + s above an upper face of a rank's cell, r being the cut-off, H the limit that
// each particle has at least, and s how far particles lie outside the cells of their ranks at most.
// Let l be b below an upper face, and u be c above its lower face; both are at least −s.
//
// * u in the next cell up is no ghost of the rank of l if c ≥ W. The two are b + c apart at least,
//   so that they come within r only after displacements d_l + d_u ≥ b + c − r = (H + b + s) +
//   (H + c − W).
// * u in the cell after that is no ghost there at all. The two are b + w + c apart at least, w
//   being the width of the cell between: d_l + d_u ≥ b + w + c − r = (H + b + s) +
//   (H + c + w − W), of which the last is at least H where cells are as wide as W + s.
//
// As b + s ≥ max(0, b), no pair is missed while each particle stays within H + max(0, b), and
// within H + c − W where c ≥ W, or H + c + w − W elsewhere.
namespace aureole::md {

/// The limit of one particle along one axis, from fractional coordinates and those of its cell.
struct HaloLimit {
    double low, high;     ///< of the cell, fractional
    double face;          ///< distance of opposite faces of the box
    double width, limit;  ///< W, H

    AUREOLE_FN double operator()(double fraction) const {
        const double below = (high - fraction) * face, above = (fraction - low) * face;
        const double cell = (high - low) * face;
        const double as_upper = above >= width ? above - width : above + cell - width;
        const double room = as_upper < below ? as_upper : below;
        return limit + (room > 0 ? room : 0);
    }
};

/// Width W of a rank's halo, and the limit H that it is made for.
struct HaloSize {
    double width, limit;
};

/// The limit of one particle in a rank's part of the box.
class HaloLimits {
  public:
    HaloLimits(const core::Box& box, const Frame& frame, const HaloSize& halo)
        : box_(box), frame_(frame) {
        const auto face = box.face_distances();
        x_ = {frame.low.x, frame.high.x, face.x, halo.width, halo.limit};
        y_ = {frame.low.y, frame.high.y, face.y, halo.width, halo.limit};
        z_ = {frame.low.z, frame.high.z, face.z, halo.width, halo.limit};
    }
    AUREOLE_FN double operator()(const core::Vec3d& r) const {
        const auto f = box_.fractional(r);
        double least = std::numeric_limits<float>::max();
        const auto take = [&](double limit) { least = limit < least ? limit : least; };
        if (frame_.divides(0)) take(x_(f.x));
        if (frame_.divides(1)) take(y_(f.y));
        if (frame_.divides(2)) take(z_(f.z));
        return least;
    }

  private:
    core::Box box_;
    Frame frame_;
    HaloLimit x_{}, y_{}, z_{};
};

/// Inner limits of owned particles, as RenewLimits has them, within what the halo allows.
template <class KernelLayout>
struct RenewLimitsInHalo {
    using device_kernel = std::false_type;  // hosts only
    RenewLimits<KernelLayout> renew;
    const float* halo;  ///< [n] displacement since the search that the halo allows
    double r_cut;
    bool fresh;           ///< the list was searched at this step
    std::uint32_t* wish;  ///< becomes 1 where a particle needs another halo

    AUREOLE_FN void operator()(std::int64_t i) const {
        using T = typename KernelLayout::Number;
        const auto& layout = renew.layout;
        // The margin covers rounding of coordinates in single precision.
        const double moved = 1.0001 * layout.moved_since_search(i, renew.strain) + 1e-6;
        const double want = renew.rule.limit(renew.c.velocity[i], layout.acceleration(i));
        // A box that shrinks takes of the distance between the halo and its rank.
        const double near = renew.strain.size();
        const double room = (1 - near) * double(halo[i]) - 0.5 * near * r_cut - moved;
        if (!fresh && !(room >= 0.5 * want)) core::atomic_or(wish, 1u);
        const double limit = want < room ? want : room > 0 ? room : 0;
        layout.set_limit(i, static_cast<T>(limit));
        const double need = moved + limit;
        if (need <= layout.outer_limit(i)) return;
        layout.ask(i, static_cast<float>(need + 0.5 * limit));
        core::atomic_or(&renew.state->outer_expired, 1);
    }
};

/// Limits of ghosts, which their owners set.
template <class KernelLayout>
struct RenewLimitsOfGhosts {
    using device_kernel = std::false_type;
    using T = typename KernelLayout::Number;
    KernelLayout layout;
    StepState* state;
    Strain strain;
    bool uniform;  ///< of a list by drift tolerance, which is not watched

    AUREOLE_FN void operator()(std::int64_t i, T limit) const {
        layout.set_limit(i, limit);
        if (uniform) return;
        const double need = 1.0001 * (layout.moved_since_search(i, strain) + limit) + 1e-6;
        if (need <= layout.outer_limit(i)) return;
        layout.ask(i, static_cast<float>(need + 0.5 * limit));
        core::atomic_or(&state->outer_expired, 1);
    }
};

}  // namespace aureole::md
