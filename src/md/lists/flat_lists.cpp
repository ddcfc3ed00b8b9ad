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
#include "md/neighbor/hilbert.kernel.hpp"

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
      bounds_(context.queue),
      pair_forces_(context.queue, context.system.pairs()),
      tuning_(first_tuning_),
      strain_(context.queue, 1),
      force_(context.queue, context.system.force_exponent.value_or(usual_force_exponent)) {
    if (context.system.tiles && context.r_cut > 0)
        tiles_.emplace(TiledList(), TilePairForces(context.queue, context.system.pairs()));
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
    const auto* const expired_at = system().list.exact ? &context_.state()->expired_at : nullptr;
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
void FlatLists<T>::size_columns() {
    const auto n = rows();
    site_.resize(queue(), site_rows() + 1), reference_.resize(queue(), n),
        limit_.resize(queue(), n);
    force_.resize(queue(), n), count_.resize(queue(), n);
}

/// Cells of the curve hold one particle or so; it has at most 10 levels of 3 bits.
template <class T>
void FlatLists<T>::sort_along_curve(std::int64_t first, std::int64_t n,
                                    device::Buffer<std::uint32_t>& key,
                                    device::Buffer<std::int32_t>& order) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(system().n_total()));
    const int levels = std::clamp((bits + 2) / 3, 1, 10);
    key.resize(queue(), n), order.resize(queue(), n);
    device::parallel_for(queue(), "hilbert keys", n,
                         HilbertKeys{system().box, levels, first,
                                     system().particles.position.data(), key.data(), order.data()});
    device::sort_by_key(queue(), key.view(), order.view(), 3 * levels);
}

template <class T>
void FlatLists<T>::sort_particles() {
    auto& p = system().particles;
    device::parallel_for(queue(), "wrap", p.n,
                         Wrap{system().box, p.position.data(), p.image.data()});
    if (system().domain != nullptr) {
        limit_of_particle_->resize(queue(), p.n);  // ranks must know all columns in use
        pair_forces_.put_columns_on_ghosts(p);
        system().domain->migrate(queue(), system().box, p);
    }
    lists_since_sort_ = 0;
    if (p.n <= bounds_block) return;  // no order makes a difference
    sort_along_curve(0, p.n, key_, order_);
    context_.permute_columns(order_.data());
}

/// Ranks save no lists: they begin anew at a checkpoint, as those do that read it.
template <class T>
void FlatLists<T>::make() {
    if (system().domain != nullptr) tuning_ = first_tuning_;
    context_.forget_list_facts();
    context_.begin_watch();
    make_list(true);
    begin_with_list();
}

/// Between sorts the order ages, and particles leave the box: shifts by one box must still bring
/// all pairs together. Ranks send particles to their new owners.
template <class T>
bool FlatLists<T>::sorts_next() {
    constexpr std::int64_t most_lists = 16;
    constexpr double most_astray = 0.1;
    if (system().domain != nullptr || lists_since_sort_ + 1 >= most_lists) return true;
    if (context_.list_facts() == nullptr) find_facts(), context_.look();
    return context_.list_facts()->facts.astray > most_astray;
}

template <class T>
void FlatLists<T>::make_list(bool sorts) {
    const Profile::Scope time(context_.profile, StepRegion::search);
    context_.check_positions();
    if (sorts)
        sort_particles();
    else
        ++lists_since_sort_;
    context_.expect_motion(context_.measure_speed(), sorts);
    lifetime_ = plan_one_list(system(), tuning_, conditions());
    if (sorts) {
        add_ghosts();
        if (!topology_.localise()) link_particles();
        note_zones();
        size_columns();
        load_particles();
    }
    searched_ = system().box;
    store_on_ranks();
    search(stores_with_list());
    find_excluded();
    context_.forget_list_facts();
    searched_at_ = system().step;
    ++context_.statistics.searches;
}

template <class T>
void FlatLists<T>::renew(bool waits) {
    const bool early = system().step < deadline();
    if (early) ++context_.statistics.early_prunings;
    if (system().list.exact)
        tune(early);
    else if (!early)
        context_.watch.list_was_kept(system().step - searched_at_);
    make_list(sorts_next());
    if (waits) begin_with_list();
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
    set_force_exponent(wanted);
    return true;
}

template <class T>
bool FlatLists<T>::was_outrun() {
    return context_.is_outrun(layout(), searched_at_, deadline(), [&](auto&& compare) {
        compare(list_width(system(), lifetime_, conditions()), context_.statistics.outer_buffer);
    });
}

template <class T>
void FlatLists<T>::follow() {
    if (!box_changes()) return;
    device::parallel_for(queue(), "list strain", 1,
                         FindListStrain{context_.state(), context_.r_cut, strain_.data()});
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

/// Bound of the coordinates in the box.
template <class T>
T FlatLists<T>::extent() const {
    const auto corner = searched_.lattice(1, 1, 1);
    return static_cast<T>(std::abs(corner.x) + std::abs(corner.y) + std::abs(corner.z));
}

/// The list for the particles in their order, and an empty record of it. `stores`: with the
/// coordinates and limits that kernels read; otherwise they are there.
template <class T>
void FlatLists<T>::search(bool stores) {
    const auto n = listed();
    SearchOrder order{system().particles.n, nullptr};
    if (n > order.owned) {
        sort_along_curve(order.owned, n - order.owned, ghost_key_, ghost_order_);
        order.ghost = ghost_order_.data();
    }
    bounds_.resize(queue(), n, tiles_.has_value());
    bounds_.find(queue(),
                 {{context_.columns(), layout(), rule()},
                  stores,
                  context_.list_report(),
                  box_changes() ? strain_.data() : nullptr,
                  searched_,
                  site_.data() + filler()},
                 order, site_.data(), limit_.data());
    if constexpr (std::is_same_v<T, float>)
        if (tiles_)
            return tiles_->list.search(
                queue(),
                {bounds_.levels(), site_.data(), limit_.data(), static_cast<float>(context_.r_cut),
                 extent(), topology_.exclusions.partners(), searched_},
                context_.list_report()->needed);
    if (n < rows() || context_.r_cut == 0) device::fill(queue(), count_.view(), 0);
    if (context_.r_cut > 0) search_rows(flat_search(order), n);
}

template <class T>
FlatSearch<T> FlatLists<T>::flat_search(const SearchOrder& order) {
    const double surely = searched_.orthorhombic() ? std::numeric_limits<double>::infinity()
                                                   : 0.49 * smallest_periodic_face(searched_);
    return {bounds_.levels(),
            LatticeShifts<T>(searched_),
            Images<T>(searched_),
            order,
            site_.data(),
            limit_.data(),
            static_cast<T>(context_.r_cut),
            extent(),
            static_cast<T>(std::min(surely, double(std::numeric_limits<T>::max()))),
            topology_.exclusions.partners(),
            zones(),
            {},
            static_cast<std::int32_t>(filler()),
            context_.list_report()->needed};
}

template <class T>
void FlatLists<T>::search_rows(const FlatSearch<T>& search, std::int64_t n) {
    const double sphere =
        4.0 / 3 * std::numbers::pi * std::pow(context_.r_cut + largest_limit(), 3);
    const double guess =
        1.2 * static_cast<double>(system().n_total()) / searched_.volume() * sphere + 16;
    if (stride_ == 0) stride_ = row_of(static_cast<std::int64_t>(std::min(guess, double(n))));
    neighbour_.resize(queue(), n * stride_);
    auto kernel = search;
    kernel.list = list();
    device::team_for(queue(), "search", device::TeamPolicy{n, lanes_of_search, 0}, kernel);
}

template <class T>
void FlatLists<T>::grow_rows(const std::uint32_t* needed) {
    if (tiles_) return tiles_->list.grow_rows(needed);
    const std::int64_t most = needed[0];
    stride_ = row_of(std::min(most + most / 10, listed()));
}

/// Steps with a new list, before a segment begins with them.
template <class T>
void FlatLists<T>::begin_with_list() {
    fit_rows();
    context_.begin_segment();
}

template <class T>
void FlatLists<T>::lengthen_rows() {
    grow_rows(context_.rows_needed());
    search(stores_with_list());
    fit_rows();
}

template <class T>
void FlatLists<T>::fit_rows(bool stores) {
    for (;;) {
        const auto* const needed = context_.read_rows_needed();
        if (!rows_were_short()) return;
        grow_rows(needed);
        search(stores);
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
