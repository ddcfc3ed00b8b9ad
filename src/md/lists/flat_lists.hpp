// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "md/checkpoint/state_blocks.hpp"
#include "md/context/step_context.hpp"
#include "md/context/topology.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/list_plan/list_rules.hpp"
#include "md/lists/columns_of_ghosts.hpp"
#include "md/lists/search_bounds.hpp"
#include "md/lists/tiled_list.hpp"
#include "md/neighbor/flat_list.kernel.hpp"
#include "md/pair/flat_pair_forces.hpp"
#include "md/pair/tile_pair_forces.hpp"
#include "md/particles/fixed_force_column.hpp"

namespace aureole::md {

/// Flat lists, on any device: all neighbours of each particle, processed by a team of lanes.
/// `ClusterLists` has the same members.
template <class T>
class FlatLists {
  public:
    using KernelLayout = Dense<T>;
    using Number = T;
    static constexpr auto constraints = Constraints::Path::lanes;
    static constexpr bool flat = true;
    static constexpr const char* name = "flat lists";
    /// Steps from one list to the next are enqueued without reading anything back.
    static constexpr bool looks_at_every_step = false;

    FlatLists(StepContext& context, Topology<T>& topology, const Pme<T>* mesh);

    KernelLayout layout();
    /// Lists for particles of which anything may have changed.
    void make();
    /// Lists for particles that steps have moved, at their deadline or when they expired. Without
    /// `waits`, the next look tells whether their rows were long enough.
    void renew(bool waits = true);
    /// Whether the next renewal brings the particles into a new order.
    bool sorts_next();
    /// Lets the next look bring what renew() wants to know.
    void find_facts() { context_.find_list_facts(layout(), searched_at_); }
    /// Whether rows were too short at the last look: the steps since the renewal are void.
    bool rows_were_short() const {
        return context_.rows_needed()[0] > 0 || context_.rows_needed()[1] > 0;
    }
    /// Makes the last list again, for the same particles, with rows that are long enough.
    void lengthen_rows();
    /// Waits for the last list, and makes it again if its rows are too short.
    void fit_rows() { fit_rows(stores_with_list()); }
    /// The first step at which the list must be renewed.
    std::int64_t deadline() const { return searched_at_ + lifetime_; }
    /// See StepContext::next_look().
    std::int64_t next_look() const { return context_.next_look(deadline()); }
    /// See StepContext::is_outrun().
    bool was_outrun();
    /// The box changed, and the particles with it: displacement limits follow on the device.
    void follow();

    /// Decides what is to be done at this step, from the wishes of all ranks. Ghosts get their
    /// present positions, unless the list is renewed, with new ghosts.
    Wish agree(Wish mine);
    /// Reads the columns that change with steps as they are now, before the pair forces of a step.
    void take_columns() {
        pair_forces_.take_columns(system().particles, to_ghosts(queue(), system()));
    }
    /// Pair forces, after the previous ones were taken.
    void pair_forces();
    /// Pair forces in place of those that are there, with energy and virial of each term to device
    /// memory; returns where they end.
    EnergyVirial* pair_forces_and_sums(EnergyVirial* to);
    /// As pair_forces(), with their virial, which comes with all sums.
    EnergyVirial* pair_forces_and_virial(EnergyVirial* to);
    /// Adds the forces of bonded terms, and writes the sums of each list to device memory unless
    /// that is null; returns where they end.
    EnergyVirial* add_bonded(device::Queue& queue, EnergyVirial* to);
    /// Brings what pairs and bonded terms did to ghosts to their owners; all ranks call it
    /// together.
    void return_forces();
    ForceSink<T> mesh_sink() { return {force_.view()}; }
    ParticleSums particle_sums();

    /// What kernels are told of the list by value, and changes when its rows grow.
    std::int64_t shape() const { return tiles_ ? tiles_->list.shape() : stride_; }
    /// The unit of forces is 2 to this power. Setting it leaves all forces zero.
    int force_exponent() const { return force_.exponent(); }
    void set_force_exponent(int exponent) {
        force_.set_exponent(queue(), exponent);
        system().force_exponent = exponent;
    }
    /// Forgets which units were too small.
    void forget_force_units() { least_exponent_ = ForceUnit::smallest_exponent; }
    /// Changes the unit if it does not suit the forces that were measured last, where nobody needs
    /// forces any more; all are zero then. Returns whether it did.
    bool fit_force_unit();
    /// Keeps the present forces, for return_to_saved_forces().
    void save_forces() { force_.save(queue()); }
    void return_to_saved_forces() { force_.restore(queue()); }

    void save(StateBlocks& to);
    void restore(const StateBlocks& from);
    TileCounts tile_counts() { return tiles_ ? tiles_->list.count(queue()) : TileCounts{}; }
    ListTuning tuning() const { return {0, tuning_.outer_floor, 0, lifetime_}; }
    void set_tuning(const ListTuning& tuning) { tuning_ = first_tuning_ = tuning; }

  private:
    System& system() { return context_.system; }
    device::Queue& queue() { return context_.queue; }
    ListConditions conditions() { return context_.list_conditions(largest_limit()); }
    double largest_limit();
    LimitRule rule();
    bool box_changes();
    void sort_particles();
    void sort_along_curve(std::int64_t first, std::int64_t n, device::Buffer<std::uint32_t>& key,
                          device::Buffer<std::int32_t>& order);
    void size_columns();
    void make_list(bool sorts);
    void begin_with_list();
    void load_particles();
    void store_on_ranks();
    void search(bool stores);
    void fit_rows(bool stores);
    /// Whether a new list begins with the coordinates and limits that kernels read; on ranks they
    /// are there before.
    bool stores_with_list() const { return limit_of_particle_ == nullptr; }
    FlatSearch<T> flat_search(const SearchOrder& order);
    T extent() const;
    /// Room for so many neighbours.
    static std::int64_t row_of(std::int64_t neighbours) { return neighbours / 8 * 8 + 8; }
    void search_rows(const FlatSearch<T>& search, std::int64_t n);
    void grow_rows(const std::uint32_t* needed);
    void tune(bool expired);
    FlatList list();
    TileJob tile_job();
    void list_all_neighbours();
    /// Rows of sites: whole blocks of tiles.
    std::int64_t site_rows() { return tiles_ ? tile_block * TiledList::blocks(rows()) : rows(); }
    /// Index of the site that rows of neighbours are filled up with.
    std::int64_t filler() { return site_rows(); }
    FlatParticles<T> flat_particles();

    // flat_lists_ghosts.hpp: with a domain
    void add_ghosts();
    void link_particles();
    std::int64_t listed();
    /// Owned particles, and ghosts where there is a domain.
    std::int64_t rows() {
        const auto& p = system().particles;
        return system().domain != nullptr ? p.all() : p.n;
    }
    void note_zones();
    void find_excluded();
    FlatZones zones();

    StepContext& context_;
    Topology<T>& topology_;
    int lanes_ = 1;
    SearchBounds<T> bounds_;
    FlatPairForces<T> pair_forces_;
    /// Tiles in place of rows of neighbours; in mixed precision.
    struct Tiles {
        TiledList list;
        TilePairForces forces;
    };
    std::optional<Tiles> tiles_;
    ListTuning first_tuning_{0, 0.5, 0, 0};
    ListTuning tuning_;  ///< the numbers of the outer list; a lifetime of 0 is planned anew
    int lifetime_ = 1;
    core::Box searched_;  ///< the box at the last search
    std::int64_t searched_at_ = 0;
    std::int64_t lists_since_sort_ = 0;
    std::int64_t stride_ = 0;  ///< room for neighbours of a particle

    device::Buffer<ListStrain> strain_;  ///< since the last search
    device::Buffer<Site<T>> site_, reference_;
    device::Buffer<T> limit_;
    FixedForceColumn force_;
    int least_exponent_ = ForceUnit::smallest_exponent;
    device::Buffer<std::uint32_t> key_;
    device::Buffer<std::int32_t> order_, neighbour_, count_;

    // With a domain: of particles and ghosts, how far each may go; of ghosts their zones and order.
    Column<double>* limit_of_particle_ = nullptr;
    device::Buffer<std::uint8_t> zone_;
    device::Buffer<std::uint32_t> ghost_key_;
    device::Buffer<std::int32_t> ghost_order_;
    device::Buffer<std::int32_t> excluded_here_;  ///< partners with whom pairs fall to this rank
};

extern template class FlatLists<float>;
extern template class FlatLists<double>;

}  // namespace aureole::md
