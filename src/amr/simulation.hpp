// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "amr/adapt/adapt.hpp"
#include "amr/fluid_state.hpp"
#include "amr/mesh.hpp"
#include "amr/profile.hpp"
#include "amr/step/schedule.hpp"
#include "amr/step/tree_on_device.hpp"
#include "amr/tree/tree.hpp"
#include "device/device.hpp"
#include "device/open.hpp"
#include "device/queue.hpp"

namespace aureole::amr {

/// Integrals over the box.
struct Totals {
    double mass = 0;
    Vec3d momentum{};
    double energy = 0;
};

/// An ideal gas on a mesh that may follow it, by a finite-volume method (docs/theory/fluids.md).
class Simulation {
  public:
    /// @throws core::InputError for what cannot be
    /// @throws core::DeviceError where there is no such device
    Simulation(const device::OpenOptions& device, const Mesh& mesh, double gamma,
               const Scheme& scheme, const Launching& launching = {},
               const Refining& refining = {});

    /// Density, velocity and pressure, [5][nz][ny][nx]. Throws core::InputError for a cell without
    /// positive density and pressure.
    void set(const std::vector<double>& primitive);
    /// The time goes on from there.
    void set_time(double time) { clock_.set(time); }
    /// Steps are counted from there.
    void set_step(std::int64_t step) { clock_.step = step, checked_ = -1; }
    /// Density, momentum and total energy per volume, [5][nz][ny][nx].
    std::vector<double> conserved();
    /// As these two, for meshes with levels: [leaf][5][cell].
    void set_leaves(std::vector<double> primitive);
    std::vector<double> conserved_of_leaves();
    Totals totals();

    /// Back to the sub-grids without criteria; the simulation has no state then.
    void reset_tree();
    /// Keeps the mesh and its state, and takes them back: for callers that may fail in between.
    void keep_state();
    void take_back();
    void drop_kept() { kept_.reset(); }
    /// Refines the mesh as its state asks for, by one level at most. Whether it was refined: then
    /// its state is to be set again.
    bool refine();

    /// Makes up to `steps` steps, or fewer where `until` is reached, at which a last, shorter step
    /// ends exactly. Returns how many; `interrupted` is asked about every tenth of a second.
    /// Throws core::BlowUpError where a cell leaves the physical range, and where a step would be
    /// below the rounding of the time or a millionth of the first one; the state is then that of
    /// the step before.
    std::int64_t run(std::int64_t steps, double until, const std::function<void()>& interrupted);

    /// Writes all that an exact restart needs, with `extra` of the caller's; see
    /// io::write_checkpoint().
    void write_checkpoint(const std::filesystem::path& path, const std::string& extra);
    /// Takes the state of a checkpoint, and goes on from there. Throws core::FileError for one of
    /// another mesh, or that no run goes on with; the simulation is then as it was.
    void read_checkpoint(const std::filesystem::path& path);

    std::int64_t step() const { return clock_.step; }
    double time() const { return clock_.time; }
    /// The length of the last step; 0 before any.
    double dt() const { return clock_.dt; }

    const Mesh& mesh() const { return tree_.mesh(); }
    const Tree& tree() const { return tree_; }
    const Scheme& scheme() const { return scheme_; }
    const Launching& launching() const { return launching_; }
    const device::OpenOptions& device_options() const { return device_options_; }
    device::Device& device() { return device_; }
    device::Queue& queue() { return queue_; }
    /// Seconds by region since the last reset.
    Profile& profile() { return profile_; }
    /// Launches, copies and looks so far.
    device::QueueCounts counts() const;
    TaskCounts task_counts() const;
    /// What was made with care so far, and before a restart.
    const Repairs& repairs() const { return repairs_; }

  private:
    void resume(Tree tree, FluidState state);
    void check_room(const Tree& tree) const;
    void change(Tree tree);
    void step_with_care();
    void adapt();
    void move_to(const Tree& tree, std::vector<std::int8_t> calm);
    std::unique_ptr<Schedule> make_schedule();
    Schedule& schedule();
    std::vector<double> cells();
    [[noreturn]] void report() const;
    [[noreturn]] void report_short_step();
    double rate_beyond() const;
    void check_is_set() const;
    void check_size(std::size_t values) const;
    void check_uniform() const;

    double gamma_;
    Scheme scheme_;
    Launching launching_;
    device::OpenOptions device_options_;
    device::Device device_;
    device::Queue queue_;
    Tree tree_;
    std::optional<TreeOnDevice> on_device_;  ///< once there was a schedule of it
    std::unique_ptr<Schedule> schedule_;     ///< null: there was no memory for it
    device::Buffer<double> waiting_;         ///< the state meanwhile
    /// Makes steps with care for schedules that cannot, once needed.
    std::unique_ptr<CarefulSchedule> careful_;
    Repairs repairs_;
    device::QueueCounts past_counts_;  ///< of schedules before
    TaskCounts past_tasks_;
    Adaptation adaptation_;
    std::int64_t checked_ = -1;  ///< the step after which the mesh was checked last
    Profile profile_;
    bool set_ = false;
    Clock clock_;
    std::optional<std::pair<Tree, FluidState>> kept_;
};

}  // namespace aureole::amr
