// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "md/neighbor/cluster_pairs.hpp"

// Restoring lists from a checkpoint.
namespace aureole::md {

template <class T>
void ClusterPairs<T>::repeat(const ColumnSort& sort, const core::Box& box,
                             const std::vector<PairExtension>& log) {
    search(sort, box);
    for (auto first = log.begin(); first != log.end();) {
        auto last = first;
        while (last != log.end() && last->batch == first->batch) ++last;
        device::host_task(queue_, "repeat extensions",
                          [=, asked = asked_.data()](device::ThreadPool&) {
                              for (auto e = first; e != last; ++e)
                                  asked[e->cluster] = e->limit_bits;
                          });
        queue_.synchronize();
        extend(clusters_, std::numeric_limits<double>::infinity());
        first = last;
    }
}

template <class T>
void ClusterPairs<T>::use_outer_list() {
    for (std::size_t c = 0; c < outer_list_.size(); ++c) {
        const auto& from = outer_list_[c];
        auto& to = inner_list_[c];
        to.entries.clear(), to.j.clear(), to.bits.clear();
        to.entries.reserve(from.entries.size), to.j.reserve(from.j.size);
        std::copy_n(from.entries.data, from.entries.size, to.entries.data);
        std::copy_n(from.j.data, from.j.size, to.j.data);
        to.entries.size = from.entries.size, to.j.size = from.j.size;
        to.bits.reserve(from.bits.size);
        std::copy_n(from.bits.data, from.bits.size, to.bits.data);
        to.bits.size = from.bits.size;
    }
}

template <class T>
std::vector<T> ClusterPairs<T>::limits() {
    std::vector<T> out(static_cast<std::size_t>(clusters_) * cluster_size);
    device::host_task(queue_, "limits", [&, x = x_.data()](device::ThreadPool&) {
        for (std::size_t s = 0; s < out.size(); ++s)
            out[s] = x[block_index(static_cast<std::int64_t>(s), 3)];
    });
    queue_.synchronize();
    return out;
}

template <class T>
void ClusterPairs<T>::set_limits(const std::vector<T>& limits) {
    device::host_task(queue_, "set limits", [&, x = x_.data()](device::ThreadPool&) {
        for (std::size_t s = 0; s < limits.size(); ++s)
            x[block_index(static_cast<std::int64_t>(s), 3)] = limits[s];
    });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::prune_at(const std::vector<T>& coordinates) {
    device::host_task(queue_, "pruning coordinates",
                      [&, x = x_.data(), slots = slot_.view()](device::ThreadPool&) {
                          for (std::int64_t i = 0; i < slots.size; ++i)
                              for (int row = 0; row < 3; ++row) {
                                  const auto k = block_index(slots.data[i], row);
                                  x[k] = coordinates[static_cast<std::size_t>(k)];
                              }
                      });
    queue_.synchronize();
    prune();
}

// The class itself is instantiated in cluster_pairs.cpp, with the members that it sees there.
#define AUREOLE_RESTART_OF(T)                                                  \
    template void ClusterPairs<T>::repeat(const ColumnSort&, const core::Box&, \
                                          const std::vector<PairExtension>&);  \
    template void ClusterPairs<T>::use_outer_list();                           \
    template std::vector<T> ClusterPairs<T>::limits();                         \
    template void ClusterPairs<T>::set_limits(const std::vector<T>&);          \
    template void ClusterPairs<T>::prune_at(const std::vector<T>&);
AUREOLE_RESTART_OF(float)
AUREOLE_RESTART_OF(double)

}  // namespace aureole::md
