// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "md/integrate/constraints/localise.kernel.hpp"
#include "md/integrate/constraints/molecule_slots.kernel.hpp"
#include "md/integrate/constraints/packed_groups.hpp"
#include "md/integrate/constraints/regions.hpp"

namespace aureole::md {

/// Positions to correct; all columns in local order.
struct ConstraintMove {
    OfBox<ImageShift> box;
    device::View<const core::Vec3d> reference;  ///< before the move, satisfying the constraints
    device::View<core::Vec3d> position;         ///< after it, corrected in place
    device::View<core::Vec3d> velocity{};       ///< if given, gets Δx · inverse_dt
    double inverse_dt = 0;
    bool want_sums = false;
    std::uint32_t* unsatisfied = nullptr;  ///< see Constraints::enqueue()
    bool refines = false;  ///< positions come from such a move, which was not good enough
};

/// Velocities to correct.
struct VelocityCorrection {
    OfBox<ImageShift> box;
    device::View<const core::Vec3d> position;
    device::View<core::Vec3d> velocity;  ///< loses what is along constraints
    double inverse_time = 0;             ///< forces are m Δv · inverse_time: 2/dt for a half kick
    bool want_sums = false;
    std::uint32_t* unsatisfied = nullptr;
    bool refines = false;
};

/// Constraints of distance: rigid waters by SETTLE, small groups exactly, everything else by LINCS.
/// Results depend on the number of threads of the device, and on nothing else.
class Constraints {
  public:
    /// Packs run on processors alone, lanes everywhere.
    enum class Path { automatic, packs, lanes };

    /// Throws core::InputError for constraints that cannot be satisfied.
    Constraints(device::Queue& queue, const ConstraintSpec& spec, Path path = Path::automatic);
    /// Constraints of these regions alone, on a processor and without a tolerance; `measured`: the
    /// constraints whose deviations and rates are found.
    Constraints(device::Queue& queue, const ConstraintSpec& measured, const RegionPlan& regions);

    bool empty() const { return degrees_ == 0; }
    /// Degrees of freedom that the constraints remove.
    std::int64_t degrees_removed() const { return degrees_; }
    /// Degrees of freedom removed by tag: half of each constraint to each of its ends.
    const std::vector<double>& degrees_removed_of_tags() const { return degrees_of_; }

    /// To be called after every sort.
    void localise(device::Queue& queue, const TagMap& tags);

    /// Correct positions, or velocities. The sums, if wanted, are complete on return: a virial of
    /// the forces F = m Δx/dt² that a leap-frog step needs, at the reference positions.
    ConstraintSums apply(device::Queue& queue, const ConstraintMove& move);
    ConstraintSums apply_velocities(device::Queue& queue, const VelocityCorrection& correction);
    /// Correct as above, but without waiting: sums stay on the device, in last_sums(). With a
    /// tolerance these functions do wait, and return whether it was reached, unless `unsatisfied`
    /// is given, in device memory: that is set if the refinements that are enqueued do not reach
    /// the tolerance.
    bool enqueue(device::Queue& queue, const ConstraintMove& move);
    bool enqueue_velocities(device::Queue& queue, const VelocityCorrection& correction);
    device::View<const ConstraintSums> last_sums() const { return sums_.view(); }
    bool has_tolerance() const { return tolerance_ > 0; }
    /// The molecules for a launch that moves them and satisfies their constraints (MoveMolecules),
    /// or null where that cannot be: on the path of packs, with a tolerance, or if there are more
    /// kinds of water than it takes. Coupled constraints are left to enqueue_coupled().
    const MoleculeSlots* molecules() const { return molecules_ ? &*molecules_ : nullptr; }
    bool has_coupled() const { return region_.size() > 0; }
    /// A correction as kernels read it.
    ConstraintPass pass_of(const ConstraintMove& move) const;
    void enqueue_coupled(device::Queue& queue, const ConstraintMove& move);
    /// Has more refinements enqueued from now on; false if there are as many as is sensible.
    bool refine_more();

    /// The largest rate at which a constraint changes its length, relative to that length, times
    /// the correction's time.
    double largest_rate(device::Queue& queue, const VelocityCorrection& of);

    struct Deviation {
        double largest = 0, rms = 0;  ///< of |l/d − 1|
    };
    Deviation deviation(device::Queue& queue, const OfBox<ImageShift>& box,
                        device::View<const core::Vec3d> position);

    /// The constraint that is violated most.
    struct WorstLength {
        std::int64_t tag_a = -1, tag_b = -1;
        double deviation = -1;  ///< |l/d − 1|
    };
    WorstLength worst_length(device::Queue& queue, const OfBox<ImageShift>& box,
                             device::View<const core::Vec3d> position);

    struct Rotation {
        Tag tag_a = no_tag, tag_b = no_tag;
        double angle = 0;  ///< [rad]
    };
    /// The constraint that turned most from one set of positions to another.
    Rotation worst_rotation(device::Queue& queue, const core::Box& box,
                            device::View<const core::Vec3d> before,
                            device::View<const core::Vec3d> after);

    /// New lengths of the rows of constraints (perturbed ones); those of waters stay.
    void set_lengths(device::Queue& queue, const std::vector<double>& lengths);

  private:
    void make_regions(device::Queue& queue, const ConstraintSpec& spec, const RegionPlan& plan);
    void make_measures(device::Queue& queue, const ConstraintSpec& spec);
    void collect_tables();
    void collect_molecules();
    void run(device::Queue& queue, const ConstraintPass& pass, bool velocities);
    void run_packs(device::Queue& queue, const ConstraintPass& pass, bool velocities);
    template <bool velocities>
    void run_lanes(device::Queue& queue, const ConstraintPass& pass);
    void run_regions(device::Queue& queue, const ConstraintPass& pass, std::int64_t slot);
    template <class Shape, bool velocities>
    std::int64_t run_shape(device::Queue& queue, const ConstraintPass& pass, std::int64_t slot);
    ConstraintSums read_sums(device::Queue& queue, bool wanted);
    template <class Measure>
    bool run_until_satisfied(device::Queue& queue, ConstraintPass pass, std::uint32_t* unsatisfied,
                             const Measure& measure);
    template <class Measure>
    void refine_on_device(device::Queue& queue, ConstraintPass pass, std::uint32_t* unsatisfied,
                          const Measure& measure);
    const double* measure_rate(device::Queue& queue, const VelocityCorrection& of);
    const double* measure_deviation(device::Queue& queue, const OfBox<ImageShift>& box,
                                    device::View<const core::Vec3d> position);

    bool lanes_;
    int solutions_;
    double tolerance_;
    int refinements_ = 1;  ///< enqueued for the tolerance where nobody looks
    std::int64_t degrees_ = 0;
    std::vector<double> degrees_of_;
    std::vector<PackedGroups> waters_;
    std::array<PackedGroups, shape_count> groups_;
    PackedGroups singles_;  ///< particles of neither, on lanes
    std::optional<MoleculeSlots> molecules_;
    std::vector<SettleTables> settle_;
    /// Tables of waters, which enqueued work reads and keeps alive, whatever becomes of the
    /// constraints meanwhile.
    std::shared_ptr<const std::vector<SettleTables>> settle_in_use_;
    ConstraintTables tables_{};
    std::int64_t slots_ = 0;  ///< of sums, on lanes
    device::Buffer<ConstraintSums> sums_, all_sums_, slot_sums_;

    std::vector<std::int32_t> region_rows_;
    device::Buffer<Region> region_;
    device::Buffer<Tag> region_tag_, region_tag_a_, region_tag_b_;
    device::Buffer<std::int32_t> region_index_, region_index_a_, region_index_b_;
    device::Buffer<std::int32_t> region_a_, region_b_, region_coupled_, region_bond_;
    device::Buffer<double> region_length_, region_scale_, region_weight_, region_coupling_,
        region_pull_;
    device::Buffer<double> of_constraints_, of_couplings_, of_atoms_;

    std::vector<Tag> measured_;                ///< [n][2]
    std::vector<std::int32_t> measured_rows_;  ///< or -1
    device::Buffer<Tag> measured_tag_;
    device::Buffer<std::int32_t> measured_index_;
    device::Buffer<double> measured_length_;
    std::vector<double> measured_lengths_;
    device::Buffer<Deviations> deviations_;
    device::Buffer<double> largest_rate_;
};

}  // namespace aureole::md
