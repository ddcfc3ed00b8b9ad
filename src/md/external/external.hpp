// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/dual_functions.hpp"
#include "core/nearest_image.hpp"
#include "md/box/step_state.hpp"
#include "md/leaf/leaf.hpp"
#include "md/leaf/leaf_columns.hpp"
#include "md/neighbor/cluster_job.hpp"

// What an external force's leaf file is made of (docs/howto/add-an-external-force.md).
namespace aureole::md {

namespace externals {
// Those of dual numbers are found by their arguments.
using std::cos;
using std::log;
using std::sin;
using std::tanh;
}  // namespace externals

/// Which periodic image of a particle an external force acts on.
enum class Image {
    in_box,
    unwrapped,  ///< with the boxes that it has travelled through
    nearest,    ///< to the point that the leaf calls its centre
};

template <class P>
constexpr Image image_of() {
    if constexpr (requires { P::image; })
        return P::image;
    else
        return Image::in_box;
}

/// Leaves may derive what kernels read from their parameters.
template <class P>
constexpr auto derive_external(const std::array<double, parameter_count<P>>& parameters) {
    if constexpr (requires { P::coefficients(parameters); })
        return P::coefficients(parameters);
    else
        return parameters;
}
template <class P>
inline constexpr std::size_t external_coefficients =
    std::tuple_size_v<decltype(derive_external<P>({}))>;

inline constexpr std::size_t most_external_coefficients = 12;

/// One external force, and the particles that it acts on.
struct ExternalView {
    const core::Vec3d* position;
    const core::Vec3i* image;
    const std::uint8_t* group;  ///< flag per particle; null: all
    void* column[most_leaf_columns];
    double coefficient[most_external_coefficients];
    const StepState* state;  ///< with the box
    double start, dt;

    AUREOLE_FN bool acts_on(std::int64_t i) const { return group == nullptr || group[i] != 0; }
    AUREOLE_FN double time() const { return start + static_cast<double>(state->step) * dt; }
};

/// Values of a particle that a leaf may read besides its position.
template <class P>
struct ExternalParticle : LeafValues<P> {
    double time;
};

struct ExternalResult {
    double energy;
    core::Vec3d force;
};

/// One external force on one particle.
template <class P>
class OneExternal {
  public:
    AUREOLE_FN OneExternal(const ExternalView& view, std::int64_t i)
        : particle_{{view.column, i}, view.time()} {
        for (std::size_t k = 0; k < c_.size(); ++k) c_[k] = view.coefficient[k];
        r_ = view.position[i];
        if constexpr (image_of<P>() == Image::unwrapped) {
            const auto n = view.image[i];
            r_ += view.state->box.lattice(n.x, n.y, n.z);
        } else if constexpr (image_of<P>() == Image::nearest) {
            const core::Vec3d centre = P::centre(c_);
            r_ = centre + core::nearest_image(view.state->box, r_ - centre);
        } else {
            core::Vec3i passed{};
            view.state->box.wrap(r_, passed);
        }
    }

    AUREOLE_FN core::Vec3d force() const {
        if constexpr (requires { P::force(r_, particle_, c_); })
            return P::force(r_, particle_, c_);
        else if constexpr (requires { P::force(r_, c_); })
            return P::force(r_, c_);
        else
            return {-slope(1, 0, 0), -slope(0, 1, 0), -slope(0, 0, 1)};
    }
    AUREOLE_FN ExternalResult result() const { return {energy(r_), force()}; }

  private:
    using Dual = core::Dual<double>;

    template <class R>
    AUREOLE_FN R energy(const core::Vec3<R>& r) const {
        if constexpr (requires { P::energy(r, particle_, c_); })
            return P::energy(r, particle_, c_);
        else
            return P::energy(r, c_);
    }
    AUREOLE_FN double slope(double x, double y, double z) const {
        return energy(core::Vec3<Dual>{Dual(r_.x, x), Dual(r_.y, y), Dual(r_.z, z)}).slope;
    }

    ExternalParticle<P> particle_;
    Coefficients<double, external_coefficients<P>> c_{};
    core::Vec3d r_;
};

}  // namespace aureole::md
