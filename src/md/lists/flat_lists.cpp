// SPDX-License-Identifier: Apache-2.0
#include "md/lists/flat_lists.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/reduce_ops.hpp"
#include "md/lists/flat_lists_forces.hpp"
#include "md/lists/flat_lists_ghosts.hpp"
#include "md/lists/flat_lists_state.hpp"
#include "md/lists/force_unit.hpp"

namespace aureole::md {

namespace {

/// Particles faster than this renew the list early, instead of widening every search: limit as
/// a fraction of the cut-off.
constexpr double largest_limit_fraction = 0.3;
/// Least limit as a fraction of the cut-off, for systems at rest.
constexpr double smallest_limit_fraction = 0.02;

/// Lanes per particle: many for few particles, so that the device has enough to do (measured on an
/// H100). The order of sums depends on it, so it follows from the system alone.
int choose_lanes(std::int64_t n) {
    if (n < 3000) return 32;
    return n < 6000 ? 16 : n < 20'000 ? 8 : 4;
}

/// Lanes that look for one particle's neighbours; their order does not depend on it.
constexpr int lanes_of_search = 32;

int ranks_of(const System& system) {
    return system.domain != nullptr ? system.domain->world().size() : 1;
}

}  // namespace

template <class T>
FlatLists<T>::FlatLists(StepContext& context, Topology<T>& topology, const Pme<T>*)
    : context_(context),
      topology_(topology),
      lanes_(choose_lanes(context.system.n_total() / ranks_of(context.system))),
      pair_forces_(context.queue, context.system.pairs()),
      tuning_(first_tuning_),
      strain_(context.queue, 1),
      largest_limit_(context.queue, 1),
      force_(context.queue, usual_force_exponent),
      needed_(context.queue, 1) {
    if (context.system.tiles)
        tiles_.emplace(TiledList(context.queue),
                       TilePairForces(context.queue, context.system.pairs()));
    if (context.system.domain != nullptr)
        limit_of_particle_ =
            &context.system.particles.template column<double>({.name = "displacement limit",
                                                               .unit = "length",
                                                               .in_checkpoints = false,
                                                               .on_ghosts = true});
}

template <class T>
Dense<T> FlatLists<T>::layout() {
    return {site_.data(), reference_.data(), limit_.data(), force_.view(),
            box_changes() ? strain_.data() : nullptr};
}

/// While the list is in use, and with it the displacements that it allows.
template <class T>
bool FlatLists<T>::box_changes() {
    const auto& s = system();
    return s.list.exact && s.motion.coupled && s.coupling.barostat.kind != Barostat::none;
}

template <class T>
FlatList FlatLists<T>::list() {
    return {neighbour_.data(), count_.data(), stride_};
}

template <class T>
FlatParticles<T> FlatLists<T>::flat_particles() {
    auto excluded = topology_.exclusions.partners();
    if (system().domain != nullptr && excluded.any()) excluded.partner = excluded_here_.data();
    const auto* const expired_at =
        system().list.exact ? &context_.state.data()->expired_at : nullptr;
    return {site_.data(), list(), excluded, context_.box(), lanes_, expired_at};
}

template <class T>
double FlatLists<T>::largest_limit() {
    const double most = largest_limit_fraction * context_.r_cut;
    const auto* const domain = system().domain;
    if (domain == nullptr) return most;
    return std::min(most, domain->widest_limit(system().box, context_.r_cut));
}

template <class T>
LimitRule FlatLists<T>::rule() {
    if (context_.r_cut == 0) return {0, 1e15, 0, 1e15, true};
    const double most = largest_limit(), time = lifetime_ * system().motion.dt;
    if (!system().list.exact) {
        const double width = list_width(system(), lifetime_, conditions());
        context_.statistics.outer_buffer = std::min(width, 2 * most);
        return {0, std::min(0.5 * width, most), 0, most, true};
    }
    const double floor = std::max(tuning_.outer_floor * context_.thermal_speed * time,
                                  smallest_limit_fraction * context_.r_cut);
    return {time, floor, 0, most, false};
}

template <class T>
void FlatLists<T>::size_cells(const core::Box& box) {
    const auto n = system().particles.n;
    key_.resize(queue(), n), order_.resize(queue(), n);
    CellsOf part{box};
    if (const auto* domain = system().domain; domain != nullptr) {
        part.frame = domain->frame();
        part.halo = context_.r_cut + 2 * largest_limit() + domain->stray();
    }
    grid_ = make_cell_grid(part, context_.r_cut + largest_limit(), system().n_total());
    cell_start_.resize(queue(), grid_.cells() + 1);
}

template <class T>
void FlatLists<T>::size_columns() {
    const auto n = rows();
    site_.resize(queue(), site_rows()), reference_.resize(queue(), n), limit_.resize(queue(), n);
    force_.resize(queue(), n), count_.resize(queue(), n);
}

template <class T>
void FlatLists<T>::sort_particles() {
    auto& p = system().particles;
    context_.check_positions();
    device::parallel_for(queue(), "wrap", p.n,
                         Wrap{system().box, p.position.data(), p.image.data()});
    if (system().domain != nullptr) {
        limit_of_particle_->resize(queue(), p.n);  // ranks must know all columns in use
        pair_forces_.put_columns_on_ghosts(p);
        system().domain->migrate(queue(), system().box, p);
    }
    int bits = 0;
    if (tiles_) {
        key_.resize(queue(), p.n), order_.resize(queue(), p.n);
        TiledList::find_keys(queue(), p, system().box, key_.data(), order_.data());
        bits = TiledList::key_bits(p.n);
    } else {
        size_cells(system().box);
        device::parallel_for(queue(), "cell keys", p.n,
                             CellKeys<T>{grid_, p.position.data(), key_.data(), order_.data()});
        bits = std::bit_width(static_cast<std::uint64_t>(grid_.cells()));
    }
    device::sort_by_key(queue(), key_.view(), order_.view(), bits);
    context_.permute_columns(order_.data());
}

/// Ranks save no lists: they begin anew at a checkpoint, as those do that read it.
template <class T>
void FlatLists<T>::make() {
    if (system().domain != nullptr) tuning_ = first_tuning_;
    context_.begin_watch();
    make_list();
}

template <class T>
void FlatLists<T>::make_list() {
    const Profile::Scope time(context_.profile, StepRegion::search);
    sort_particles();
    context_.expect_motion(context_.measure_speed());
    lifetime_ = plan_one_list(system(), tuning_, conditions());
    add_ghosts();
    if (!topology_.localise()) link_particles();
    note_zones();
    size_columns();
    load_particles();
    place_particles();
    searched_ = system().box;
    search(searched_);
    find_excluded();
    context_.begin_segment();
    follow_from_here();
    searched_at_ = system().step;
    ++context_.statistics.searches;
}

/// Coordinates as kernels read them, and limits.
template <class T>
void FlatLists<T>::place_particles() {
    auto& p = system().particles;
    if (limit_of_particle_ == nullptr) {
        device::parallel_for(queue(), "pack positions", p.n,
                             StoreInLayout<Dense<T>>{context_.columns(), layout(), rule()});
        return;
    }
    device::parallel_for(queue(), "pack positions", p.all(),
                         [layout = layout(), r = p.position.data(),
                          limit = limit_of_particle_->data()](std::int64_t i) {
                             layout.store(i, r[i]);
                             layout.set_outer_limit(i, static_cast<T>(limit[i]));
                         });
}

template <class T>
void FlatLists<T>::renew() {
    const bool early = system().step < deadline();
    if (early) ++context_.statistics.early_prunings;
    if (system().list.exact)
        tune(early);
    else if (!early)
        context_.watch.list_was_kept(system().step - searched_at_);
    make_list();
    fit_force_unit();
}

/// Where contributions cancel, as in a crystal, they may be too large for the unit that their sums
/// suggest: smaller ones than one that failed are not tried again.
template <class T>
bool FlatLists<T>::fit_force_unit() {
    const double dt = system().motion.dt;
    const bool too_small = !std::isfinite(context_.mean_square_force);
    if (too_small)
        least_exponent_ = std::min(force_.exponent() + margin_of_unit, ForceUnit::largest_exponent);
    const int wanted = std::max(
        least_exponent_,
        force_exponent_for<T>({std::sqrt(context_.mean_square_force),
                               dt > 0 ? context_.usual_momentum / dt : 0, force_.exponent()}));
    // Units that differ by little would only change the bits of a trajectory more often.
    constexpr int most = 4;
    if (std::abs(wanted - force_.exponent()) <= most) return false;
    force_.set_exponent(queue(), wanted);
    return true;
}

template <class T>
bool FlatLists<T>::was_outrun() {
    return context_.is_outrun(layout(), searched_at_, deadline(), [&](auto&& compare) {
        compare(list_width(system(), lifetime_, conditions()), context_.statistics.outer_buffer);
    });
}

/// The list is that of the box `searched_`.
template <class T>
void FlatLists<T>::follow_from_here() {
    if (!box_changes()) return;
    ListStrain none;
    none.searched = searched_;
    device::copy_from_host(queue(), strain_.view(), &none);
    follow();
}

template <class T>
void FlatLists<T>::follow() {
    if (!box_changes()) return;
    device::parallel_for(queue(), "list strain", 1,
                         FindListStrain{context_.state.data(), context_.r_cut, strain_.data()});
}

/// The kernels' copies of particles, but for coordinates.
template <class T>
void FlatLists<T>::load_particles() {
    auto& p = system().particles;
    if constexpr (std::is_same_v<T, float>)
        if (tiles_) return tiles_->forces.load_particles(p, TiledList::blocks(p.n), site_.data());
    pair_forces_.load_particles(p, rows(), site_.data());
}

template <class T>
TileJob FlatLists<T>::tile_job() {
    TileJob job{};
    const auto of = flat_particles();
    if constexpr (std::is_same_v<T, float>) job.site = site_.data();
    job.list = tiles_->list.view(), job.part = tiles_->list.part();
    job.blocks = TiledList::blocks(system().particles.n);
    job.shifts = context_.box().device->template at<TileShifts>();
    job.expired_at = of.expired_at, job.force = force_.view();
    return job;
}

template <class T>
void FlatLists<T>::search_tiles(const core::Box& box) {
    const auto corner = box.lattice(1, 1, 1);
    if constexpr (std::is_same_v<T, float>)
        tiles_->list.search(queue(), {system().particles.n, site_.data(), limit_.data(),
                                      largest_limit_.data(), static_cast<float>(context_.r_cut),
                                      static_cast<float>(std::abs(corner.x) + std::abs(corner.y) +
                                                         std::abs(corner.z)),
                                      topology_.exclusions.partners(), box});
}

/// The list for the sorted sites and their limits.
template <class T>
void FlatLists<T>::search(const core::Box& box) {
    const auto& p = system().particles;
    device::parallel_reduce<T>(queue(), "largest limit", rows(), T(0), LimitOf<T>{limit_.data()},
                               device::Max{}, largest_limit_.data());
    if (tiles_) return search_tiles(box);
    device::parallel_for(
        queue(), "cell starts", grid_.cells() + 1,
        CellStarts{key_.data(), static_cast<std::int32_t>(p.n), cell_start_.data()});
    if (context_.r_cut == 0) {
        device::fill(queue(), count_.view(), 0);
        return;
    }
    sort_ghosts();
    find_neighbours(box);
}

template <class T>
void FlatLists<T>::find_neighbours(const core::Box& box) {
    const auto n = listed();
    const auto corner = box.lattice(1, 1, 1);
    const double surely = box.orthorhombic() ? std::numeric_limits<double>::infinity()
                                             : 0.49 * smallest_periodic_face(box);
    const double sphere =
        4.0 / 3 * std::numbers::pi * std::pow(context_.r_cut + largest_limit(), 3);
    const double guess = 1.2 * static_cast<double>(system().n_total()) / box.volume() * sphere + 16;
    const GhostCells ghosts{n > system().particles.n ? ghost_start_.data() : nullptr,
                            ghost_order_.data()};
    if (stride_ == 0) stride_ = static_cast<std::int64_t>(std::min(guess, double(n))) / 8 * 8 + 8;
    if (n < rows()) device::fill(queue(), count_.view(), 0);
    for (;;) {
        neighbour_.resize(queue(), n * stride_);
        device::fill(queue(), needed_.view(), 0u);
        device::team_for(
            queue(), "search", device::TeamPolicy{n, lanes_of_search, 0},
            FlatSearch<T>{
                grid_, Images<T>(box), site_.data(), limit_.data(), largest_limit_.data(),
                cell_start_.data(), static_cast<T>(context_.r_cut),
                static_cast<T>(std::abs(corner.x) + std::abs(corner.y) + std::abs(corner.z)),
                static_cast<T>(std::min(surely, double(std::numeric_limits<T>::max()))),
                topology_.exclusions.partners(), zones(), ghosts, list(), needed_.data()});
        std::uint32_t needed = 0;
        device::copy_to_host(queue(), &needed, needed_.view());
        if (needed == 0) return;
        stride_ = std::min<std::int64_t>(needed + needed / 10, n) / 8 * 8 + 8;
    }
}

/// Limits are tuned so that about one list in fifty expires.
template <class T>
void FlatLists<T>::tune(bool expired) {
    auto& floor = tuning_.outer_floor;
    floor = std::clamp(expired ? 1.1 * floor : 0.998 * floor, 0.1, 4.0);
}

template class FlatLists<float>;
template class FlatLists<double>;

}  // namespace aureole::md
