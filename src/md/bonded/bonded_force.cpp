// SPDX-License-Identifier: Apache-2.0
#include "md/bonded/bonded_force.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "md/bonded/localise.kernel.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

namespace {

/// Terms that kernels of processors take together; columns are padded to whole packs of them.
constexpr std::int64_t pack_terms = 16;

template <class T>
std::vector<T> rounded(const std::vector<double>& from) {
    return {from.begin(), from.end()};
}

}  // namespace

template <class T>
BondedForces<T>::BondedForces(device::Queue& queue, const BondedTerms& terms)
    : queue_(&queue), anchors_(terms.constants().anchors) {
    if (terms.empty()) return;
    maps_ = to_device(queue, rounded<T>(terms.map_table()));
    for (const auto& from : terms.lists()) {
        List list{};
        list.kind = from.kind, list.rows = from.rows;
        list.coefficients = to_device(queue, rounded<T>(from.coefficients));
        list.exact = to_device(queue, from.coefficients);
        list.kernels = from.kind->kernels();
        lists_.push_back(std::move(list));
    }
    choose_all(terms);
}

template <class T>
void BondedForces<T>::choose_all(const BondedTerms& terms) {
    for (std::size_t k = 0; k < lists_.size(); ++k) {
        const auto& spec = terms.lists()[k].spec;
        set_terms(k, spec.particles, spec.row);
    }
}

template <class T>
void BondedForces<T>::choose(const BondedTerms& terms,
                             const std::vector<std::vector<std::int64_t>>& numbers) {
    std::vector<Tag> tags;
    std::vector<std::int32_t> rows;
    for (std::size_t k = 0; k < lists_.size(); ++k) {
        const auto& spec = terms.lists()[k].spec;
        const auto each = static_cast<std::ptrdiff_t>(lists_[k].kind->particles);
        tags.clear(), rows.clear();
        for (const auto term : numbers[k]) {
            const auto first = spec.particles.begin() + term * each;
            tags.insert(tags.end(), first, first + each);
            rows.push_back(spec.row[static_cast<std::size_t>(term)]);
        }
        set_terms(k, tags, rows);
    }
}

template <class T>
void BondedForces<T>::set_terms(std::size_t k, const std::vector<Tag>& tags,
                                const std::vector<std::int32_t>& rows) {
    auto& list = lists_[k];
    const auto n = static_cast<std::int64_t>(rows.size());
    if (n > 0x7FFFFF00)
        throw core::InputError("there are too many bonded terms",
                               "a device can have at most 2,147,483,392 of a kind",
                               "Use more ranks or a smaller system.");
    list.n = n;
    list.stride = (n + pack_terms - 1) / pack_terms * pack_terms;
    const auto put = [&]<class V>(device::Buffer<V>& to, const std::vector<V>& from) {
        to.resize(*queue_, static_cast<std::int64_t>(from.size()));
        device::copy_from_host(*queue_, to.view(), from.data());
    };
    put(list.tags, tags), put(list.row_of_term, rows);
    list.particle.resize(*queue_, list.stride * list.kind->particles);
    list.row.resize(*queue_, list.stride);
    if (key_.size() < n) key_.resize(*queue_, n), order_.resize(*queue_, n);
}

template <class T>
TermView<T> BondedForces<T>::view(const List& list, const BondedBox& box,
                                  const core::Vec3d* position) const {
    return {position,
            box.image,
            list.particle.data(),
            list.row.data(),
            list.stride,
            list.coefficients.data(),
            list.exact.data(),
            list.rows,
            {maps_.data()},
            {anchors_, box.vectors}};
}

template <class T>
void BondedForces<T>::localise(const TagMap& tags, bool sorted) {
    if (empty()) return;
    const auto index = tags.indices();
    const int bits = std::bit_width(static_cast<std::uint64_t>(tags.size() | 1));
    for (auto& list : lists_) {
        const int particles = list.kind->particles;
        if (sorted) {
            device::parallel_for(
                *queue_, "first places", list.n,
                FirstIndices{list.tags.data(), particles, index, key_.data(), order_.data()});
            device::sort_by_key(*queue_, key_.view().part(0, list.n), order_.view().part(0, list.n),
                                bits);
        }
        device::parallel_for(*queue_, "place terms", list.stride,
                             LocaliseTerms{list.tags.data(), list.row_of_term.data(), particles,
                                           index, sorted ? order_.data() : nullptr, list.n,
                                           list.stride, list.particle.data(), list.row.data()});
    }
}

template <class T>
void BondedForces<T>::partition(const ForceBlocks<T>& blocks) {
    for (auto& list : lists_) {
        const int particles = list.kind->particles;
        list.slot.resize(*queue_, list.stride * particles);
        device::parallel_for(*queue_, "term slots", list.stride * particles,
                             SlotsOfIndices{list.particle.data(), blocks.slot, list.slot.data()});
        device::host_task(
            *queue_, "mark bonded",
            [&list, particles, blocks, slot = list.slot.data()](device::ThreadPool& pool) {
                if (pool.size() == 1) return;
                pool.run([&](int rank) {
                    const auto mine = device::part_of(list.n, rank, pool.size(), pack_terms);
                    const std::uint64_t bit = std::uint64_t(1) << rank;
                    for (int p = 0; p < particles; ++p)
                        for (auto i = mine.begin; i < mine.end; ++i) {
                            const std::atomic_ref word(
                                blocks.touched[slot[p * list.stride + i] / blocks.group_slots]);
                            if ((word.load(std::memory_order_relaxed) & bit) == 0)
                                word.fetch_or(bit, std::memory_order_relaxed);
                        }
                });
            });
    }
    if (!empty()) queue_->synchronize();
}

template <class T>
void BondedForces<T>::add_to(const ForceBlocks<T>& blocks, const BondedBox& box,
                             const core::Vec3d* position, std::vector<EnergyVirial>* sums) {
    if (empty()) return;
    const auto kinds = lists_.size();
    part_.resize(kinds * static_cast<std::size_t>(queue_->threads()));
    device::host_task(*queue_, "bonded", [&](device::ThreadPool& pool) {
        pool.run([&](int rank) {
            for (std::size_t k = 0; k < kinds; ++k) {
                const auto& list = lists_[k];
                const auto mine = device::part_of(list.n, rank, pool.size(), pack_terms);
                BlockJob<T> job{view(list, box, position),
                                list.slot.data(),
                                blocks.force + blocks.stride * rank,
                                mine.begin,
                                mine.end,
                                {}};
                list.kernels.template of<T>(sums != nullptr)(job);
                part_[static_cast<std::size_t>(rank) * kinds + k] = job.total;
            }
        });
    });
    queue_->synchronize();
    if (sums == nullptr) return;
    for (std::size_t k = 0; k < kinds; ++k) {
        EnergyVirial total;
        for (std::size_t at = k; at < part_.size(); at += kinds) total += part_[at];
        sums->push_back(total);
    }
}

template <class T>
const std::vector<TermJob<T>>& BondedForces<T>::jobs(const FixedForces& force, const BondedBox& box,
                                                     const core::Vec3d* position) {
    constexpr std::int64_t warp = 32;
    jobs_.clear();
    for (const auto& list : lists_) {
        if (list.n == 0) continue;
        if (jobs_.empty() || jobs_.back().lists == TermJob<T>::most_lists)
            jobs_.push_back(
                {position, box.image, {maps_.data()}, {anchors_, box.vectors}, force, {}, {}});
        auto& job = jobs_.back();
        const auto end = job.lanes() + (list.n + warp - 1) / warp * warp;
        job.list[job.lists] = {static_cast<int>(list.kind - term_kinds().data()),
                               list.rows,
                               list.n,
                               list.stride,
                               list.particle.data(),
                               list.row.data(),
                               list.coefficients.data(),
                               list.exact.data()};
        job.end[job.lists++] = end;
    }
    return jobs_;
}

template <class T>
void BondedForces<T>::sums(device::Queue& queue, const BondedBox& box, const core::Vec3d* position,
                           EnergyVirial* to) {
    for (const auto& list : lists_)
        list.kind->lanes.template of<T>().sums(queue, list.n, view(list, box, position), to++);
}

template class BondedForces<float>;
template class BondedForces<double>;

void add_particle_sums(const BondedTerms& terms, const core::Box& box,
                       const std::vector<core::Vec3d>& position_of_tag,
                       const std::vector<Tag>& tags, std::vector<EnergyVirial>& sums) {
    std::vector<EnergyVirial*> of_tag(position_of_tag.size(), nullptr);
    for (std::size_t i = 0; i < tags.size(); ++i)
        of_tag[static_cast<std::size_t>(tags[i])] = &sums[i];
    terms.for_each(box, position_of_tag,
                   [&](std::size_t k, const Tag* members, const TermResult& result) {
                       const int n = terms.lists()[k].kind->particles;
                       const EnergyVirial part{result.energy / n, (1.0 / n) * result.virial};
                       for (int p = 0; p < n; ++p)
                           if (auto* const to = of_tag[static_cast<std::size_t>(members[p])])
                               *to += part;
                   });
}

}  // namespace aureole::md
