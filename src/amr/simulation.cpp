// SPDX-License-Identifier: Apache-2.0
#include "amr/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <utility>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/memory.hpp"
#include "amr/step/look.hpp"
#include "comm/run_until.hpp"
#include "core/error.hpp"
#include "device/copy.hpp"
#include "io/state_blocks.hpp"

namespace aureole::amr {

namespace {

constexpr int most_host_threads = 4096;
/// Most steps of one run: steps are counted in 64 bits.
constexpr std::int64_t most_steps = std::int64_t{1} << 60;
constexpr double no_end = std::numeric_limits<double>::infinity();

std::string text(double value) {
    if (std::isnan(value)) return "nan";
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", value);
    return digits.data();
}

std::string name_of(const BadCell& bad) {
    return bad.field == at::density ? "density" : "pressure";
}

std::string position_of(const Tree& tree, const BadCell& bad) {
    const Mesh& mesh = tree.mesh();
    const auto center = tree.center(bad.block, bad.cell);
    const std::array along{center.x, center.y, center.z};
    std::string all;
    for (int axis = 0; axis < mesh.dims; ++axis)
        all += (axis == 0 ? "(" : ", ") + text(along[static_cast<std::size_t>(axis)]);
    return all + ")";
}

/// "sub-grid 3, cell 17 at (0.1, 0.2)"
std::string where_is(const Tree& tree, const BadCell& bad) {
    return "sub-grid " + std::to_string(bad.block) + ", cell " + std::to_string(bad.cell) + " at " +
           position_of(tree, bad);
}

/// The cell with the largest signal rate, of [block][field][cell].
BadCell fastest(const Tree& tree, const Ideal& gas, const std::vector<double>& conserved) {
    const Mesh& mesh = tree.mesh();
    const auto cells = mesh.shape().cells();
    BadCell found;
    double most = 0;
    for (std::int64_t block = 0; block < tree.size(); ++block)
        for (int cell = 0; cell < cells; ++cell) {
            std::array<double, fields> u, w;
            for (int f = 0; f < fields; ++f)
                u[static_cast<std::size_t>(f)] =
                    conserved[static_cast<std::size_t>((block * fields + f) * cells + cell)];
            to_primitive(gas, u.data(), w.data());
            const double rate = signal_rate(gas, w.data(), mesh.inverse_spacings(), mesh.dims) *
                                tree.refinement(block);
            if (rate > most) most = rate, found.block = block, found.cell = cell;
        }
    return found;
}

/// f(place in an array [z][y][x] of the whole box, place in an array [block][5][cell]) of all
/// cells, without levels.
template <class F>
void for_cells(const Tree& tree, F f) {
    const Mesh& mesh = tree.mesh();
    const auto shape = mesh.shape();
    const std::int64_t nx = mesh.cells_along(0), ny = mesh.cells_along(1);
    for (std::int64_t block = 0; block < tree.size(); ++block) {
        const auto at = tree.key(block).place();
        for (int cell = 0; cell < shape.cells(); ++cell) {
            const std::int64_t x = at.x * edge + cell % edge,
                               y = at.y * shape.extent(1) + cell / edge % edge,
                               z = at.z * shape.extent(2) + cell / (edge * edge);
            f((z * ny + y) * nx + x, block * fields * shape.cells() + cell);
        }
    }
}

void check(double gamma, const Scheme& scheme) {
    if (!(gamma > 1) || !std::isfinite(gamma))
        throw core::InputError("gamma is " + text(gamma), "an ideal gas has a finite one above 1",
                               "Use 5/3 for atoms, 7/5 for molecules of two.");
    if (!(scheme.cfl > 0 && scheme.cfl <= 1))
        throw core::InputError("cfl is " + text(scheme.cfl),
                               "steps are stable with a value above 0 and at most 1",
                               "Use 0.4 if in doubt.");
}

/// The tree of a mesh, whose fields have room in the host's memory where they are to be there.
Tree tree_with_room(const device::Device& device, const Mesh& mesh,
                    std::span<const RefinedBox> refined) {
    const bool here = device.backend() == device::Backend::host;
    const Room room(mesh.shape(), here ? free_memory() : no_end);
    return tree_of(mesh, refined, [&](std::int64_t subgrids) { room.check(subgrids); });
}

}  // namespace

Simulation::Simulation(const device::OpenOptions& device, const Mesh& mesh, double gamma,
                       const Scheme& scheme, const Launching& launching, const Refining& refining)
    : gamma_(gamma),
      scheme_(scheme),
      launching_(launching),
      device_options_(device),
      device_((amr::check(mesh), check(gamma, scheme), device::open(device, most_host_threads))),
      queue_(device_),
      tree_(tree_with_room(device_, mesh, refining.regions)),
      schedule_(make_schedule()),
      adaptation_(queue_, refining, Ideal{gamma}) {
    clock_.beyond_rate = rate_beyond();
    adaptation_.begin(tree_);
}

std::unique_ptr<Schedule> Simulation::make_schedule() {
    const std::string& name = launching_.schedule;
    try {
        if (!on_device_) on_device_.emplace(queue_, tree_, halo_of(scheme_));
        auto& on = *on_device_;
        if (name == "subgrids")
            return make_subgrids(device_, queue_, on, gamma_, scheme_, launching_);
        if (name == "aggregate")
            return make_aggregate(device_, queue_, on, gamma_, scheme_, launching_);
        if (name == "pack" || name == "lanes")
            return make_pack(queue_, on, gamma_, scheme_, name == "lanes");
    } catch (const std::bad_alloc&) {
        throw core::DeviceError("the mesh has " + std::to_string(tree_.cells()) + " cells",
                                "there is not enough memory for their fields",
                                "Use fewer sub-grids or a larger machine.");
    }
    throw core::InputError("there is no schedule '" + name + "'",
                           "it says how the work of a step is launched",
                           "Choose pack, aggregate or subgrids.");
}

device::QueueCounts Simulation::counts() const {
    auto all = queue_.counts();
    all += past_counts_;
    return schedule_ ? all += schedule_->counts() : all;
}

TaskCounts Simulation::task_counts() const {
    auto all = schedule_ ? schedule_->task_counts() : TaskCounts{};
    all.items += past_tasks_.items, all.batches += past_tasks_.batches;
    all.idle_seconds += past_tasks_.idle_seconds;
    return all;
}

void Simulation::check_room(const Tree& tree) const {
    if (device_.backend() == device::Backend::host)
        Room(mesh().shape(), free_memory()).check(tree.size() - tree_.size());
}

/// Another tree, with cells that are to be set. The memory of the old cells goes before.
void Simulation::change(Tree tree) {
    check_room(tree);
    set_ = false;
    past_tasks_ = task_counts();
    if (schedule_) past_counts_ += schedule_->counts();
    schedule_.reset(), careful_.reset(), on_device_.reset();
    queue_.synchronize();  // until then memory that was freed is not there
    tree_ = std::move(tree);
    clock_.beyond_rate = rate_beyond();
    schedule_ = make_schedule();
}

void Simulation::reset_tree() {
    set_ = false, checked_ = -1;
    if (Tree tree = tree_of(mesh(), adaptation_.refining().regions);
        !std::ranges::equal(tree.leaves(), tree_.leaves()))
        change(std::move(tree));
    adaptation_.begin(tree_);
}

void Simulation::keep_state() {
    kept_.emplace(tree_, FluidState{clock_, repairs_, cells(), adaptation_.calm(), checked_});
}

void Simulation::take_back() {
    if (kept_) resume(std::move(kept_->first), std::move(kept_->second));
    kept_.reset();
}

void Simulation::resume(Tree tree, FluidState state) {
    if (!std::ranges::equal(tree.leaves(), tree_.leaves())) change(std::move(tree));
    schedule().set(state.conserved);
    adaptation_.begin(tree_, std::move(state.calm)), checked_ = state.checked;
    clock_ = state.clock, repairs_ = state.repairs, set_ = true;
    clock_.beyond_rate = rate_beyond();
}

bool Simulation::refine() {
    if (!adaptation_.has_criteria()) return false;
    const double* const state = schedule().state().data;
    auto finer = adaptation_.refined(*on_device_, state);
    if (!finer) return false;
    change(std::move(*finer));
    adaptation_.begin(tree_);
    set_ = false;
    return true;
}

/// The schedule, which is made again where there was no memory for it before.
Schedule& Simulation::schedule() {
    if (!schedule_) {
        auto made = make_schedule();
        if (set_) made->put(std::move(waiting_));
        schedule_ = std::move(made);
    }
    return *schedule_;
}

/// Checks the mesh, once between two steps. Where the memory for another one is not there, the
/// simulation is as it was.
void Simulation::adapt() {
    if (!adaptation_.has_criteria() || clock_.step % Adaptation::interval != 0 ||
        checked_ == clock_.step)
        return;
    const Profile::Scope time(profile_, RunRegion::mesh);
    const double* const state = schedule().state().data;
    auto check = adaptation_.check(*on_device_, state);
    if (check.tree)
        move_to(*check.tree, std::move(check.calm));
    else
        adaptation_.keep(std::move(check.calm));
    checked_ = clock_.step;
}

void Simulation::move_to(const Tree& tree, std::vector<std::int8_t> calm) {
    auto moved = adaptation_.moved(*on_device_, tree, schedule().state().data);
    check_room(tree);
    waiting_ = schedule_->take();
    auto old = tree_;
    auto old_calm = adaptation_.calm();
    const Clock clock = clock_;
    try {
        change(tree);
        schedule_->put(std::move(moved));
        adaptation_.begin(tree_, std::move(calm));
        const auto looks = on_device_->look_at(queue_, Ideal{gamma_}, schedule().state().data);
        clock_.rate = std::ranges::max(looks, {}, &Look::rate).rate;
        set_ = true, waiting_ = {};
    } catch (...) {
        schedule_.reset(), on_device_.reset();
        tree_ = std::move(old), clock_ = clock;
        adaptation_.begin(tree_, std::move(old_calm));
        set_ = true;
        throw;
    }
}

/// Makes the step that left a bad cell, in the same way for all schedules.
void Simulation::step_with_care() {
    if (auto* const own = dynamic_cast<CarefulSchedule*>(schedule_.get())) {
        own->step_with_care(clock_, repairs_);
        return;
    }
    if (!careful_) careful_ = make_pack(queue_, *on_device_, gamma_, scheme_, false);
    device::copy(queue_, careful_->state(), schedule_->state());
    careful_->step_with_care(clock_, repairs_);
    if (clock_.bad.block < 0) device::copy(queue_, schedule_->state(), careful_->state());
    queue_.synchronize();  // schedules with tasks have queues of their own
}

double Simulation::rate_beyond() const {
    double most = 0;
    for (std::size_t face = 0; face < static_cast<std::size_t>(2 * mesh().dims); ++face) {
        if (mesh().boundary[face] != Boundary::fixed) continue;
        std::array<double, fields> w;
        to_primitive(Ideal{gamma_}, mesh().beyond[face].data(), w.data());
        if (!is_physical(w.data()))
            throw core::InputError("the state beyond a face of the box is none of a gas",
                                   "its density and pressure must be positive and finite",
                                   "Change the boundary.");
        const double rate =
            signal_rate(Ideal{gamma_}, w.data(), mesh().inverse_spacings(), mesh().dims);
        Vec3i step{};
        component(step, static_cast<int>(face / 2)) = face % 2 == 1 ? 1 : -1;
        for (std::int64_t leaf = 0; leaf < tree_.size(); ++leaf)
            if (tree_.neighbour(tree_.key(leaf), step).bits() == 0)
                most = std::max(most, rate * tree_.refinement(leaf));
    }
    return most;
}

void Simulation::check_size(std::size_t values) const {
    const auto cells = tree_.cells();
    if (static_cast<std::int64_t>(values) != fields * cells)
        throw core::InputError("the fields have " + std::to_string(values) + " values",
                               "the mesh has " + std::to_string(cells) + " cells and each has 5",
                               "Give an array [5][nz][ny][nx], or [sub-grid][5][cell].");
}

void Simulation::check_uniform() const {
    if (tree_.has_levels())
        throw core::InputError("the mesh has levels", "its cells make no single array",
                               "Use the sub-grids one by one, or name a level.");
}

void Simulation::set(const std::vector<double>& primitive) {
    check_uniform();
    check_size(primitive.size());
    std::vector<double> of_leaves(primitive.size());
    const auto cells = tree_.cells();
    const auto block_cells = mesh().shape().cells();
    for_cells(tree_, [&](std::int64_t from, std::int64_t to) {
        for (int f = 0; f < fields; ++f)
            of_leaves[static_cast<std::size_t>(f * block_cells + to)] =
                primitive[static_cast<std::size_t>(f * cells + from)];
    });
    set_leaves(std::move(of_leaves));
}

void Simulation::set_leaves(std::vector<double> state) {
    check_size(state.size());
    const auto cells = static_cast<std::size_t>(mesh().shape().cells());
    for (std::size_t first = 0; first < state.size(); first += fields * cells)
        for (std::size_t cell = first; cell < first + cells; ++cell) {
            std::array<double, fields> w, u;
            for (std::size_t f = 0; f < fields; ++f) w[f] = state[cell + f * cells];
            to_conserved(Ideal{gamma_}, w.data(), u.data());
            for (std::size_t f = 0; f < fields; ++f) state[cell + f * cells] = u[f];
        }
    const auto [rate, bad] = look_at(tree_, Ideal{gamma_}, state.data());
    if (bad.block >= 0)
        throw core::InputError("the " + name_of(bad) + " is " + text(bad.value),
                               where_is(tree_, bad) + ", where it must be positive and finite",
                               "Change the initial state.");
    if (!std::isfinite(rate) || !std::isfinite(scheme_.cfl / rate))
        throw core::InputError("no time step can be found for the state",
                               "the largest (|v| + c) / Δx is " + text(rate),
                               "Use units in which speeds and lengths are near 1.");
    schedule().set(state);
    clock_.rate = clock_.first_rate = rate, repairs_ = {}, set_ = true;
}

std::vector<double> Simulation::conserved_of_leaves() {
    check_is_set();
    const Profile::Scope time(profile_, RunRegion::state);
    return cells();
}

std::vector<double> Simulation::cells() { return schedule().get(); }

std::vector<double> Simulation::conserved() {
    check_uniform();
    const auto from = conserved_of_leaves();
    std::vector<double> to(from.size());
    const auto cells = tree_.cells(), block_cells = std::int64_t{mesh().shape().cells()};
    for_cells(tree_, [&](std::int64_t whole, std::int64_t block) {
        for (int f = 0; f < fields; ++f)
            to[static_cast<std::size_t>(f * cells + whole)] =
                from[static_cast<std::size_t>(f * block_cells + block)];
    });
    return to;
}

Totals Simulation::totals() {
    // Without levels in the order of the whole array, as always.
    const bool has_levels = tree_.has_levels();
    const auto all = has_levels ? conserved_of_leaves() : conserved();
    const auto cells = static_cast<std::size_t>(tree_.cells()),
               each = static_cast<std::size_t>(mesh().shape().cells());
    std::array<double, fields> sums{};
    for (std::size_t f = 0; f < fields; ++f) {
        double lost = 0;  // by rounding (Kahan), so that drifts are those of the fields
        const auto add = [&](double more) {
            const double term = more - lost, sum = sums[f] + term;
            lost = (sum - sums[f]) - term;
            sums[f] = sum;
        };
        if (!has_levels)
            for (std::size_t i = 0; i < cells; ++i) add(all[f * cells + i]);
        for (std::int64_t leaf = 0; leaf < tree_.size() && has_levels; ++leaf) {
            const double part = std::pow(tree_.refinement(leaf), -mesh().dims);
            const auto first = (static_cast<std::size_t>(leaf) * fields + f) * each;
            for (std::size_t i = first; i < first + each; ++i) add(all[i] * part);
        }
        sums[f] *= mesh().cell_volume();
    }
    return {sums[0], {sums[1], sums[2], sums[3]}, sums[4]};
}

void Simulation::report() const {
    const auto& bad = clock_.bad;
    core::BlowUp what;
    what.step = clock_.step + 1, what.value = bad.value, what.force = name_of(bad);
    what.place = where_is(tree_, bad);
    throw core::BlowUpError("the " + what.force + " became " + text(bad.value) + " in step " +
                                std::to_string(what.step),
                            what.place,
                            "The state is that of step " + std::to_string(clock_.step) +
                                ", at time " + text(clock_.time) + ". " +
                                (scheme_.repair ? "Fluxes of first order did not help: "
                                                : "Let the scheme repair such steps, ") +
                                "lower cfl, which is " + text(scheme_.cfl) +
                                ", or start without such strong contrasts.",
                            what);
}

void Simulation::report_short_step() {
    const double time = clock_.time,
                 rounding = std::nextafter(std::abs(time), no_end) - std::abs(time);
    core::BlowUp what;
    what.step = clock_.step + 1, what.value = clock_.next_dt, what.force = "time step";
    what.place = where_is(tree_, fastest(tree_, Ideal{gamma_}, cells()));
    if (clock_.shrank)
        throw core::BlowUpError(
            "the time step has become " + text(scheme_.cfl / clock_.rate) + " in step " +
                std::to_string(what.step),
            "that of the first step was " + text(scheme_.cfl / clock_.first_rate) +
                ", above a million times as long; the fastest signals are in " + what.place,
            "The state is that of step " + std::to_string(clock_.step) + ", at time " + text(time) +
                ". Look at this place: a cell there is nearly empty or very hot.",
            what);
    throw core::BlowUpError(
        "the time stands still at " + text(time) + " in step " + std::to_string(what.step),
        "the time step, " + text(what.value) + ", is below the rounding of the time, " +
            text(rounding) + "; the fastest signals are in " + what.place,
        "The state is that of step " + std::to_string(clock_.step) +
            ". Count the time from 0, with set(..., time=0), or start without such fast signals.",
        what);
}

void Simulation::check_is_set() const {
    if (!set_)
        throw core::InputError("the simulation has no initial state", "its cells are empty",
                               "Call set() first.");
}

void Simulation::write_checkpoint(const std::filesystem::path& path, const std::string& extra) {
    check_is_set();
    const Profile::Scope time(profile_, RunRegion::output);
    io::StateBlocks blocks;
    put_state(blocks, tree_, {clock_, repairs_, cells(), adaptation_.calm(), checked_});
    io::put(blocks, "extra", std::span(extra));
    io::write_blocks(path, blocks);
}

void Simulation::read_checkpoint(const std::filesystem::path& path) {
    auto [tree, state] = get_state(io::read_blocks(path), mesh());
    const auto [rate, bad] = look_at(tree, Ideal{gamma_}, state.conserved.data());
    io::require(bad.block < 0, "cells", "a density or pressure is not positive");
    // Steps find the rate in another order of operations.
    io::require(std::abs(rate - state.clock.rate) <= 1e-9 * rate, "fluid",
                "its time step is not that of its cells");
    io::require(state.clock.step <= most_steps, "fluid", "its step is out of range");
    io::require(tree.deepest_level() <= adaptation_.refining().deepest(), "keys",
                "sub-grids have levels above max_level");
    resume(std::move(tree), std::move(state));
    while (const auto finer = adaptation_.with_regions(tree_)) move_to(*finer, {});
}

std::int64_t Simulation::run(std::int64_t steps, double until,
                             const std::function<void()>& interrupted) {
    check_is_set();
    const auto last = clock_.step + std::min(steps, most_steps);
    clock_.until = until, clock_.bad = {};
    const auto finished = [&] { return clock_.step >= last || clock_.time >= until; };
    const auto advance = [&](std::int64_t most) {
        adapt();
        const Profile::Scope time(profile_, RunRegion::steps);
        const auto start = clock_.step;
        if (adaptation_.has_criteria())
            most = std::min(most, Adaptation::interval - start % Adaptation::interval);
        clock_.last_step = std::min(start + most, last);
        schedule().advance(clock_);
        if (clock_.bad.block >= 0 && scheme_.repair) step_with_care();
        if (clock_.bad.block >= 0) report();
        if (clock_.stands || clock_.shrank) report_short_step();
        return clock_.step - start;
    };
    return comm::run_until(
        nullptr, finished, advance, [] {}, interrupted);
}

}  // namespace aureole::amr
