// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/buffer.hpp"
#include "device/queue.hpp"
#include "md/bonded/bonded_terms.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// The forces of cluster lists: blocks of each thread, and which threads' blocks
/// hold forces on each group of clusters.
template <class T>
struct ForceBlocks {
    const std::int32_t* slot;  ///< [particles]
    T* force;
    std::int64_t stride;     ///< from one thread's blocks to the next one's
    std::uint64_t* touched;  ///< [groups] bits of threads
    int group_slots;
};

/// The box as bonded terms need it.
struct BondedBox {
    OfBox<ShortestImage> image;
    OfBox<core::Box> vectors;

    template <class Box>
    BondedBox(const Box& box) : image(box), vectors(box) {}
};

/// Bonded forces on a device, in mixed (float) or double precision.
template <class T>
class BondedForces {
  public:
    BondedForces(device::Queue& queue, const BondedTerms& terms);

    bool empty() const { return lists_.empty(); }

    /// Computes the terms with these numbers in each list, of those it was made of, from the next
    /// localise() on.
    void choose(const BondedTerms& terms, const std::vector<std::vector<std::int64_t>>& numbers);
    /// Computes all terms again.
    void choose_all(const BondedTerms& terms);
    /// Looks up the local indices of the particles of terms; after every sort.
    /// `sorted`: in the order of their first particles, for kernels that go through blocks.
    void localise(const TagMap& tags, bool sorted);

    /// Hosts: partitions the terms among the threads and marks whose blocks get forces; after
    /// localise(), whenever slots or marks changed.
    void partition(const ForceBlocks<T>& blocks);
    /// Adds forces to the threads' blocks; with `sums` energy and virial of each list to those.
    void add_to(const ForceBlocks<T>& blocks, const BondedBox& box, const core::Vec3d* position,
                std::vector<EnergyVirial>* sums);

    /// Any device: the work that adds forces to a column in local order, in as few launches as
    /// there can be.
    const std::vector<TermJob<T>>& jobs(const FixedForces& force, const BondedBox& box,
                                        const core::Vec3d* position);
    /// Energy and virial of each list, to device memory.
    void sums(device::Queue& queue, const BondedBox& box, const core::Vec3d* position,
              EnergyVirial* to);
    /// Number of lists.
    std::int64_t terms() const { return static_cast<std::int64_t>(lists_.size()); }

  private:
    /// One list, as kernels read it.
    struct List {
        const Term* kind;
        std::int64_t n, stride;
        std::int32_t rows;
        device::Buffer<Tag> tags;
        device::Buffer<std::int32_t> row_of_term;
        device::Buffer<T> coefficients;
        device::Buffer<double> exact;
        device::Buffer<std::int32_t> particle, row, slot;
        BlockKernels kernels;
    };

    TermView<T> view(const List& list, const BondedBox& box, const core::Vec3d* position) const;
    void set_terms(std::size_t list, const std::vector<Tag>& tags,
                   const std::vector<std::int32_t>& rows);

    device::Queue* queue_;
    Anchors anchors_;
    std::vector<List> lists_;
    device::Buffer<T> maps_;
    device::Buffer<std::int32_t> order_;
    device::Buffer<std::uint32_t> key_;
    std::vector<EnergyVirial> part_;  ///< [threads][lists]
    std::vector<TermJob<T>> jobs_;    ///< of the last jobs()
};

extern template class BondedForces<float>;
extern template class BondedForces<double>;

/// Adds each term's energy and virial to `sums` of its particles, in equal parts. `sums` are those
/// of the particles with `tags`, in their order; others of a term get nothing.
void add_particle_sums(const BondedTerms& terms, const core::Box& box,
                       const std::vector<core::Vec3d>& position_of_tag,
                       const std::vector<Tag>& tags, std::vector<EnergyVirial>& sums);

}  // namespace aureole::md
