// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "amr/adapt/criterion.hpp"
#include "amr/hydro/leaves.hpp"
#include "amr/step/tree_on_device.hpp"
#include "amr/tree/tree.hpp"
#include "device/buffer.hpp"

namespace aureole::amr {

/// Sub-grids that follow the state: where they are to be finer or coarser is looked for in one
/// launch; the tree is balanced on the host, and cells are moved in a few more.
class Adaptation {
  public:
    /// Steps from one check to the next. A wave that moves by a cell a step does not leave the
    /// sub-grids that are refined for it.
    static constexpr int interval = 4;
    /// So many checks in turn must allow sub-grids to be coarser.
    static constexpr int calm_checks = 2;

    Adaptation(device::Queue& queue, const Refining& refining, Ideal gas);

    const Refining& refining() const { return refining_; }
    bool has_criteria() const { return !refining_.criteria.empty(); }
    /// Checks of a leaf in turn that allowed it to be coarser: [leaf], up to `calm_checks`.
    const std::vector<std::int8_t>& calm() const { return calm_; }
    /// Leaves of another tree, with what was counted for them; nothing: none was.
    void begin(const Tree& tree, std::vector<std::int8_t> calm = {}) {
        calm_ = std::move(calm);
        calm_.resize(static_cast<std::size_t>(tree.size()));
    }

    /// The tree that the state asks for; nothing if it is the present one. `state` is memory of the
    /// queue's device, [leaf][field][cell].
    std::optional<Tree> refined(TreeOnDevice& on, const double* state);
    /// The tree with the next level of regions that it has not; nothing: it has them all. Only a
    /// tree of a run with other regions lacks some.
    std::optional<Tree> with_regions(const Tree& tree) const;
    struct Check {
        std::optional<Tree> tree;       ///< nothing: the present one
        std::vector<std::int8_t> calm;  ///< of its leaves
    };
    /// A check: the tree may have coarser sub-grids too. Nothing changes before begin() or keep().
    Check check(TreeOnDevice& on, const double* state);
    /// After a check that leaves the tree as it is.
    void keep(std::vector<std::int8_t> calm) { calm_ = std::move(calm); }
    /// The state of another tree, which differs from the present one by one level at most.
    device::Buffer<double> moved(TreeOnDevice& on, const Tree& to, const double* state);

  private:
    std::vector<std::int8_t> flags(TreeOnDevice& on, const double* state);
    Tree split(const Tree& tree, const std::vector<std::int8_t>& flags) const;
    bool is_in_region(const Tree& tree, NodeKey key, int level) const;

    device::Queue& queue_;
    const Refining refining_;
    const Ideal gas_;
    device::Buffer<Criterion> criteria_;
    device::Buffer<std::int8_t> flags_;  ///< [block]
    std::vector<std::int8_t> calm_;
};

}  // namespace aureole::amr
