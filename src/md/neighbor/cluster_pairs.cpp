// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/cluster_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/neighbor/cluster_bounds.kernel.hpp"

namespace aureole::md {

template <class T>
void Appendable<T>::reserve(std::int32_t n) {
    if (n <= capacity) return;
    // What was never written is not copied either, so that it takes no memory.
    core::BulkVector<T> larger(
        std::max<std::size_t>(n, static_cast<std::size_t>(capacity) * 5 / 4 + 64));
    std::copy_n(data, size, larger.data());
    storage.swap(larger);
    data = storage.data();
    capacity = static_cast<std::int32_t>(storage.size());
}
template struct Appendable<std::int32_t>;
template struct Appendable<ClusterEntry>;
template struct Appendable<TileBits>;

namespace {

constexpr int chunks_per_thread = 32;
/// How many chunks of a thread's part were taken; on a cache line of its own.
struct alignas(128) NextChunk {
    std::atomic<int> taken{0};
};

constexpr int search_padding = 16;  ///< elements that a vector load may reach past the end

}  // namespace

template <class T>
void ClusterPairs<T>::lay_out(const ColumnSort& sort, std::int64_t n) {
    clusters_ = sort.clusters();
    const std::int64_t numbers = static_cast<std::int64_t>(clusters_) * block_size;
    const int threads = queue_.threads();
    x_.resize(queue_, numbers), reference_.resize(queue_, numbers), outer_.resize(queue_, numbers);
    force_.resize(queue_, numbers * threads);
    reactions_ = reaction_kernels().of<T>();
    wide_reactions_ = reactions_.of_potentials || (molecules_ && reactions_.of_molecules);
    if (wide_reactions_)
        reaction_.clear(),
            reaction_.resize(std::size_t{ReactionKernel<T>::size} * clusters_ * threads);
    type_.resize(queue_, static_cast<std::int64_t>(clusters_) * cluster_size);
    slot_.resize(queue_, n);
    asked_.resize(queue_, clusters_);
    device::fill(queue_, asked_.view(), 0u);
    column_of_.resize(clusters_);
    // The blocks of the first thread, which keep accelerations of all particles; clear_new_blocks()
    // clears those of others.
    cleared_.assign((clusters_ + group_clusters - 1) / group_clusters, 1);
    // Hostile mode notices blocks that are read before.
    const T unwritten = queue_.device().hostile() ? std::numeric_limits<T>::quiet_NaN() : T(0);
    device::host_task(
        queue_, "lay out clusters",
        [&, order = sort.order().data(), owned = sort.grids().front().zone.end, slot = slot_.data(),
         type = type_.data(), x = x_.data(), outer = outer_.data(), reference = reference_.data(),
         force = force_.data()](device::ThreadPool& pool) {
            pool.run([&](int rank) {
                const auto columns = device::part_of(sort.columns(), rank, pool.size());
                for (auto c = columns.begin; c < columns.end; ++c) {
                    const auto begin = sort.particle_start()[c], end = sort.particle_start()[c + 1];
                    const auto first = sort.cluster_start()[c], last = sort.cluster_start()[c + 1];
                    for (auto k = begin; k < end; ++k)
                        slot[k < owned ? k : order[k]] = cluster_size * first + (k - begin);
                    std::fill(column_of_.begin() + first, column_of_.begin() + last,
                              static_cast<std::int32_t>(c));
                    for (std::int64_t s = cluster_size * first + (end - begin);
                         s < cluster_size * last; ++s) {  // fillers
                        for (int row = 0; row < 4; ++row) {
                            x[block_index(s, row)] = row < 3 ? T(filler_coordinate) : T(0);
                            outer[block_index(s, row)] = reference[block_index(s, row)] = T(0);
                        }
                        type[s] = 0;
                    }
                    std::fill(force + std::int64_t(first) * block_size,
                              force + std::int64_t(last) * block_size, T(0));
                    for (int t = 1; t < pool.size() && unwritten != 0; ++t)
                        std::fill(force + numbers * t + std::int64_t(first) * block_size,
                                  force + numbers * t + std::int64_t(last) * block_size, unwritten);
                }
            });
        });
    queue_.synchronize();
}

template <class T>
Packed<T> ClusterPairs<T>::packed() {
    return {x_.data(),        reference_.data(),
            outer_.data(),    force_.data(),
            asked_.data(),    slot_.data(),
            touched_.data(),  force_stride(),
            queue_.threads(), group_clusters * cluster_size};
}

template <class T>
void ClusterPairs<T>::exclude(const ExcludedPartners& exclusions) {
    device::host_task(queue_, "exclusions", [&, slot = slot_.view()](device::ThreadPool& pool) {
        masks_.renumber(pool, exclusions, slot, clusters_);
    });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::bound_clusters(const core::Box& box, const ColumnSort& sort) {
    const std::size_t stride = clusters_ + search_padding;
    bounds_.resize(stride * bound_count);
    search_limits_.resize(clusters_);
    extensions_.clear();
    batches_ = 0;
    float* b[bound_count];
    for (int k = 0; k < bound_count; ++k) b[k] = bounds_.data() + stride * k;
    constexpr float inf = std::numeric_limits<float>::infinity();
    std::vector<core::Vec3f> extent(queue_.threads(), {inf, -inf, 0});
    const BoundFinder<T> finder{box, x_.data(), outer_.data(), search_limits_.data(), b};
    device::host_task(queue_, "cluster bounds", [&](device::ThreadPool& pool) {
        pool.run([&](int rank) {
            const auto part = device::part_of(clusters_, rank, pool.size());
            core::Vec3f e = extent[rank];
            for (auto c = part.begin; c < part.end; ++c) e = finder.add(e, c);
            extent[rank] = e;
        });
    });
    queue_.synchronize();
    core::Vec3f all = extent[0];
    for (const auto& e : extent)
        all = {std::min(all.x, e.x), std::max(all.y, e.y), std::max(all.z, e.z)};
    rounding_ = 1e-6 * (box.lx + box.ly + box.lz);
    space_.z_lo = all.x, space_.z_hi = all.y, space_.limit_max = all.z;
    set_grids(box, sort);
    space_.bounds = {b[lo_x],           b[lo_y],
                     b[lo_z],           b[hi_x],
                     b[hi_y],           b[hi_z],
                     b[limit],          b[limit],
                     b[f_lo_x],         b[f_hi_x],
                     b[f_lo_y],         b[f_hi_y],
                     column_of_.data(), sort.cluster_start().data()};
    const auto face = box.face_distances();
    space_.inv_face_x = static_cast<float>(1 / face.x);
    space_.inv_face_y = static_cast<float>(1 / face.y);
    space_.r_cut = static_cast<float>(r_cut_);
    for (int s = 0; s < shift_count; ++s) {
        const auto n = lattice_of_shift(s);
        const auto t = box.lattice(n.x, n.y, n.z);
        space_.shift[s] = {static_cast<float>(t.x), static_cast<float>(t.y),
                           static_cast<float>(t.z)};
    }
    set_box(box);
}

template <class T>
void ClusterPairs<T>::set_grids(const core::Box& box, const ColumnSort& sort) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    const Frame& frame = sort.frame();
    const auto& grids = sort.grids();
    if (grids.size() > most_grids) throw std::logic_error("too many zones");
    space_.grids = static_cast<int>(grids.size());
    space_.divided = frame.divided;
    for (int axis = 0; axis < 3; ++axis)
        space_.shifts[axis] = box.periodic(axis) && !frame.divides(axis);
    const auto* const bounds = bounds_.data();
    const std::size_t stride = clusters_ + search_padding;
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const ColumnGrid& from = grids[g];
        SearchGrid& to = space_.grid[g];
        to.first_column = from.first_column;
        to.first_cluster = sort.cluster_start()[from.first_column];
        to.last_cluster = sort.cluster_start()[from.first_column + from.columns()];
        to.axes = from.zone.axes, to.shift = from.zone.shift;
        if (from.zone.linked) to.first_cluster = to.last_cluster;
        // Where images are lattice shifts, the box has everything inside, or the axis has no end.
        // Elsewhere the clusters tell.
        float lo[3] = {inf, inf, inf}, hi[3] = {-inf, -inf, -inf};
        if (grids.size() == 1 && frame.divided == 0)
            lo[2] = space_.z_lo, hi[2] = space_.z_hi;
        else
            for (auto c = to.first_cluster; c < to.last_cluster; ++c) {
                lo[0] = std::min(lo[0], bounds[stride * f_lo_x + c]);
                hi[0] = std::max(hi[0], bounds[stride * f_hi_x + c]);
                lo[1] = std::min(lo[1], bounds[stride * f_lo_y + c]);
                hi[1] = std::max(hi[1], bounds[stride * f_hi_y + c]);
                lo[2] = std::min(lo[2], bounds[stride * lo_z + c]);
                hi[2] = std::max(hi[2], bounds[stride * hi_z + c]);
            }
        to.z_lo = lo[2], to.z_hi = hi[2];
        const auto axis = [&](int k, int n, double low, double width) {
            const bool images = space_.shifts[k], ghosts = from.zone.axes != 0 || frame.divides(k);
            return GridAxis{n, static_cast<float>(low), static_cast<float>(n / width),
                            images   ? 0
                            : ghosts ? lo[k]
                                     : -inf,
                            images   ? 1
                            : ghosts ? hi[k]
                                     : inf};
        };
        to.x = axis(0, from.nx, from.low_x, from.width_x);
        to.y = axis(1, from.ny, from.low_y, from.width_y);
    }
}

template <class T>
void ClusterPairs<T>::set_box(const core::Box& box) {
    for (int s = 0; s < shift_count; ++s) {
        const auto n = lattice_of_shift(s);
        const auto t = box.lattice(n.x, n.y, n.z);
        shift_[s] = {static_cast<T>(t.x), static_cast<T>(t.y), static_cast<T>(t.z)};
        shift_rest_[s] = {static_cast<T>(t.x - shift_[s].x), static_cast<T>(t.y - shift_[s].y),
                          static_cast<T>(t.z - shift_[s].z)};
    }
}

template <class T>
void ClusterPairs<T>::bound_columns(const ColumnSort& sort) {
    const auto columns = static_cast<std::size_t>(sort.columns());
    const int bins = std::clamp(clusters_ / static_cast<int>(columns), 1, 4096);
    column_bounds_.resize(5 * columns + search_padding), column_bins_.resize(columns * bins);
    float* b[5];
    for (int k = 0; k < 5; ++k) b[k] = column_bounds_.data() + k * columns;
    const float height = std::max((space_.z_hi - space_.z_lo) / static_cast<float>(bins), 1e-30f);
    space_.slack = 1e-5f * (std::abs(space_.z_lo) + std::abs(space_.z_hi));
    space_.columns = {b[0], b[1],        b[2],      b[3], b[4], column_bins_.data(),
                      bins, space_.z_lo, 1 / height};
    device::host_task(queue_, "column bounds", [&](device::ThreadPool& pool) {
        pool.run([&](int rank) {
            const auto& of = space_.bounds;
            const auto part = device::part_of(sort.columns(), rank, pool.size());
            for (auto c = part.begin; c < part.end; ++c) {
                constexpr float inf = std::numeric_limits<float>::infinity();
                float bound[5] = {inf, inf, -inf, -inf, 0};
                const auto first = sort.cluster_start()[c], last = sort.cluster_start()[c + 1];
                for (auto k = first; k < last; ++k) {
                    bound[0] = std::min(bound[0], of.lo_x[k]);
                    bound[1] = std::min(bound[1], of.lo_y[k]);
                    bound[2] = std::max(bound[2], of.hi_x[k]);
                    bound[3] = std::max(bound[3], of.hi_y[k]);
                    bound[4] = std::max(bound[4], of.limit[k]);
                }
                for (int k = 0; k < 5; ++k) b[k][c] = bound[k];
                auto k = first;
                for (int bin = 0; bin < bins; ++bin) {
                    const float floor =
                        space_.z_lo + static_cast<float>(bin) * height - space_.slack;
                    while (k < last && of.hi_z[k] < floor) ++k;
                    column_bins_[c * bins + bin] = k;
                }
            }
        });
    });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::forget_lists() {
    // New pages would take up to a fifth of the search of a small system.
    constexpr std::size_t kept = std::size_t{32} << 20;
    std::size_t bytes = 0;
    for (const auto* lists : {&outer_list_, &inner_list_})
        for (const auto& chunk : *lists) bytes += chunk.bytes();
    device::host_task(queue_, "free lists", [&](device::ThreadPool& pool) {
        pool.run([&](int rank) {
            const auto part =
                device::part_of(static_cast<std::int64_t>(outer_list_.size()), rank, pool.size());
            for (auto c = part.begin; c < part.end; ++c)
                for (auto* chunk : {&outer_list_[c], &inner_list_[c]})
                    bytes > kept ? chunk->forget() : chunk->clear();
        });
    });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::search(const ColumnSort& sort, const core::Box& box) {
    bound_clusters(box, sort);
    bound_columns(sort);
    const int threads = queue_.threads();
    const int chunks = std::max(1, std::min<int>(threads * chunks_per_thread, clusters_));
    outer_list_.resize(chunks), inner_list_.resize(chunks);
    const auto kernel = search_kernels().search;
    device::host_task(queue_, "search", [&](device::ThreadPool& pool) {
        // Each thread begins with its own part, whose lists then lie in its cache, and helps the
        // others afterwards; results do not depend on who searches a chunk.
        std::vector<NextChunk> next(threads);
        pool.run([&](int rank) {
            for (int k = 0; k < threads; ++k) {
                const int of = (rank + k) % threads;
                const auto part = device::part_of(chunks, of, threads);
                for (int c; (c = static_cast<int>(part.begin) + next[of].taken++) < part.end;) {
                    const auto range = device::part_of(clusters_, c, chunks);
                    auto& chunk = outer_list_[c];
                    chunk.first = static_cast<std::int32_t>(range.begin);
                    chunk.last = static_cast<std::int32_t>(range.end);
                    kernel(space_, chunk);
                    if (masks_.active()) masks_.mark(chunk, 0, rank);
                    inner_list_[c].first = chunk.first, inner_list_[c].last = chunk.last;
                }
            }
        });
    });
    queue_.synchronize();
    divide(outer_list_);
    touched_.resize(queue_, static_cast<std::int64_t>(cleared_.size()));
    device::fill(queue_, touched_.view(), std::uint64_t(0));
    marked_.resize(threads);
    reacting_.assign(threads, std::vector<std::uint8_t>(touched_.size(), 0));
}

/// Chunks in as many runs of equal cost as there are threads.
template <class T>
void ClusterPairs<T>::divide(const std::vector<ClusterChunk>& list) {
    constexpr std::int64_t tiles_per_entry = 4;  // cost of an entry in addition to its tiles
    const auto cost = [&](const ClusterChunk& chunk) {
        return chunk.j.size + tiles_per_entry * chunk.entries.size;
    };
    const int threads = queue_.threads();
    std::int64_t total = 0, sum = 0;
    for (const auto& chunk : list) total += cost(chunk);
    first_chunk_.assign(threads + 1, static_cast<int>(list.size()));
    first_chunk_[0] = 0;
    int t = 1;
    for (int c = 0; c < static_cast<int>(list.size()); ++c) {
        const std::int64_t mine = cost(list[c]);
        while (t < threads && sum + mine / 2 >= total * t / threads) first_chunk_[t++] = c;
        sum += mine;
    }
}

template <class T>
bool ClusterPairs<T>::may_extend(std::int32_t most_clusters, double largest_limit) {
    std::int32_t clusters = 0;
    float largest = 0;
    device::host_task(queue_, "requests", [&, asked = asked_.data()](device::ThreadPool&) {
        for (std::int32_t c = 0; c < clusters_; ++c) {
            clusters += asked[c] != 0;
            largest = std::max(largest, std::bit_cast<float>(asked[c]));
        }
    });
    queue_.synchronize();
    return clusters <= most_clusters && largest <= largest_limit;
}

template <class T>
bool ClusterPairs<T>::extend(std::int32_t most_clusters, double largest_limit) {
    bool possible = true;
    device::host_task(
        queue_, "extend",
        [&, asked = asked_.data(), outer = outer_.data(),
         mask = touched_.data()](device::ThreadPool& pool) {
            extended_.clear();
            float largest = 0;
            for (std::int32_t c = 0; c < clusters_; ++c) {
                if (asked[c] == 0) continue;
                extended_.push_back(c);
                largest = std::max(largest, std::bit_cast<float>(asked[c]));
            }
            possible = static_cast<std::int32_t>(extended_.size()) <= most_clusters &&
                       largest <= largest_limit;
            if (!possible) {
                for (const auto c : extended_) asked[c] = 0;
                return;
            }
            auto* limit = const_cast<float*>(space_.bounds.limit);
            new_limit_.assign(limit, limit + clusters_ + search_padding);
            for (const auto c : extended_) {
                extensions_.push_back({batches_, c, asked[c]});
                const float now = static_cast<float>(outer[std::int64_t(c) * block_size + 12]);
                const float more = std::bit_cast<float>(asked[c]);
                new_limit_[c] += std::max(more - now, 0.0f);
                space_.limit_max = std::max(space_.limit_max, new_limit_[c]);
                auto& column_limit = const_cast<float*>(space_.columns.limit)[column_of_[c]];
                column_limit = std::max(column_limit, new_limit_[c]);
                for (int k = 0; k < cluster_size; ++k)
                    outer[std::int64_t(c) * block_size + 12 + k] =
                        static_cast<T>(std::max(more, now));
                asked[c] = 0;
            }
            ++batches_;
            space_.bounds.new_limit = new_limit_.data();
            const auto kernel = search_kernels().extend;

            pool.run([&](int rank) {
                for (int c = first_chunk_[rank]; c < first_chunk_[rank + 1]; ++c) {
                    auto& chunk = outer_list_[c];
                    const std::int32_t first_new = chunk.entries.size;
                    auto at = std::lower_bound(extended_.begin(), extended_.end(), chunk.first);
                    for (; at != extended_.end() && *at < chunk.last; ++at)
                        kernel(space_, chunk, *at);
                    if (masks_.active()) masks_.mark(chunk, first_new, rank);
                    mark_touched(chunk, rank, first_new, mask);
                }
            });
            std::copy_n(new_limit_.begin(), clusters_, limit);
            space_.bounds.new_limit = limit;
        });
    queue_.synchronize();
    return possible;
}

template <class T>
void ClusterPairs<T>::prune(double uniform_limit) {
    device::host_task(queue_, "prune", [&, x = x_.data()](device::ThreadPool& pool) {
        const auto kernel = search_kernels().prune<T>();
        pool.run([&](int rank) {
            for (int c = first_chunk_[rank]; c < first_chunk_[rank + 1]; ++c) {
                const auto& from = outer_list_[c];
                auto& to = inner_list_[c];
                to.entries.clear(), to.j.clear(), to.bits.clear();
                to.entries.reserve(from.entries.size), to.j.reserve(from.j.size + 1);
                PruneJob<T> job{};
                job.x = x;
                job.list = from.view();
                job.shift = shift_;
                // rounding of coordinates and limits must not lose a pair
                job.r_cut = static_cast<T>(r_cut_ * (1 + 4e-6) + rounding_);
                job.uniform = static_cast<T>(uniform_limit);
                if (masks_.active()) to.bits.reserve(from.bits.size + 1);
                job.entries = to.entries.data, job.j = to.j.data, job.bits = to.bits.data;
                kernel(job);
                to.entries.size = job.n_entries, to.j.size = job.n_j;
                to.bits.size = job.n_bits;
            }
        });
    });
    queue_.synchronize();
}

template class ClusterPairs<float>;
template class ClusterPairs<double>;

}  // namespace aureole::md
