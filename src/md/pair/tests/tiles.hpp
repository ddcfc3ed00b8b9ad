// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "md/neighbor/reactions.hpp"
#include "md/pair/tests/leaf_parameters.hpp"

// A handful of clusters with a pair list made by hand, to call kernels on.
namespace aureole::md::testing {

template <class T>
class Tiles {
  public:
    /// Sums of a kernel or of the reference; forces as [slots][3].
    struct Sums {
        std::vector<double> force;
        EnergyVirial total;
        double scale = 0, energy_scale = 0, virial_scale = 0;
    };

    /// Clusters of particles about `apart` from each other.
    Tiles(int n_types, double apart, unsigned seed) : x_(clusters), type_(4 * clusters) {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> noise(-0.12 * apart, 0.12 * apart);
        for (int c = 0; c < clusters; ++c)
            for (int k = 0; k < 4; ++k) {
                const int slot = 4 * c + k;  // a lattice of 4 × 4 × 4 places
                const double r[3] = {apart * (slot % 4), apart * (slot / 4 % 4),
                                     apart * (slot / 16)};
                for (int row = 0; row < 3; ++row)
                    x_[c].number[4 * row + k] = static_cast<T>(r[row] + noise(engine));
                type_[slot] = static_cast<std::int32_t>(engine() % n_types);
            }
        for (const int filler : {7, 34, 35})  // places without a particle
            for (int row = 0; row < 3; ++row)
                x_[filler / 4].number[4 * row + filler % 4] = T(filler_coordinate);
        const T side = static_cast<T>(4 * apart);
        shift_[14] = {0, 0, side}, shift_[22] = {side, 0, 0};
        for (int c = 0; c < clusters; ++c) add(c, central_shift, c);
        for (int c = 0; c < clusters; ++c) add(c, 14, 0), add(c, 22, 0);
    }

    Sums reference(const PairForce& force) const {
        Sums sums;
        sums.force.resize(12 * clusters);
        for (const auto& entry : entries_)
            for (int k = entry.begin; k < entry.end; ++k)
                for (int tile = 0; tile < 16; ++tile) {
                    const bool self = entry.shift == central_shift && j_[k] == entry.cluster;
                    if (self && (self_tile_bits >> tile & 1) == 0) continue;
                    add_pair(force, 4 * entry.cluster + tile / 4, 4 * j_[k] + tile % 4,
                             shift_[entry.shift], sums);
                }
        for (const double f : sums.force) sums.scale = std::max(sums.scale, std::abs(f));
        return sums;
    }

    Sums run(ClusterKernel<T> kernel, device::Isa isa, const PairForce& of) {
        std::vector<Block> force(clusters);
        const auto tables = of.tables<T>();
        const auto columns = pack_columns(static_cast<std::size_t>(of.potential().numbers_read()));
        ClusterJob<T> job{};
        const auto reactions = reaction_kernels(isa).of<T>();
        std::vector<Block> reaction(clusters * reactions.size / block_size);
        job.x = x_[0].number, job.type = type_.data(), job.force = force[0].number;
        job.reaction = reactions.of_potentials ? reaction[0].number : nullptr;
        job.list = {entries_.data(), static_cast<std::int32_t>(entries_.size()), j_.data(),
                    nullptr};
        job.shift = shift_, job.shift_rest = no_rest_;
        job.tables = {tables.data(), of.spec().n_types};
        job.columns = columns[0].number;
        kernel(job);
        if (reactions.of_potentials) reactions.take(job.reaction, job.force, 0, clusters);
        Sums sums;
        sums.force.resize(12 * clusters), sums.total = job.total;
        for (int slot = 0; slot < 4 * clusters; ++slot)
            for (int row = 0; row < 3; ++row)
                sums.force[3 * slot + row] =
                    static_cast<double>(force[slot / 4].number[4 * row + slot % 4]);
        return sums;
    }

  private:
    static constexpr int clusters = 16;
    struct alignas(64) Block {
        T number[block_size] = {};
    };

    void add(std::int32_t cluster, std::int32_t shift, std::int32_t first) {
        const auto begin = static_cast<std::int32_t>(j_.size());
        for (std::int32_t c = first; c < clusters; ++c) j_.push_back(c);
        entries_.push_back({cluster, shift, begin, static_cast<std::int32_t>(j_.size()), begin, 0});
    }
    static double column(int slot, std::size_t k) {
        return static_cast<T>(column_number(static_cast<std::size_t>(slot), k));
    }
    /// As kernels read them; on whole blocks, which are aligned.
    static std::vector<Block> pack_columns(std::size_t count) {
        std::vector<Block> blocks(clusters * (count + 3) / 4 + 1);
        for (int slot = 0; slot < 4 * clusters; ++slot)
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t at = (slot / 4 * count + k) * 4 + slot % 4;
                blocks[at / 16].number[at % 16] = static_cast<T>(column(slot, k));
            }
        return blocks;
    }
    core::Vec3d at(int slot, const core::Vec3<T>& shift) const {
        const T* block = x_[slot / 4].number + slot % 4;
        return {double(block[0]) + double(shift.x), double(block[4]) + double(shift.y),
                double(block[8]) + double(shift.z)};
    }
    void add_pair(const PairForce& force, int i, int j, const core::Vec3<T>& shift,
                  Sums& sums) const {
        const auto ri = at(i, shift), rj = at(j, {});
        if (ri.x > filler_threshold || rj.x > filler_threshold) return;
        const auto d = ri - rj;
        std::vector<double> of_i, of_j;
        const auto numbers = static_cast<std::size_t>(force.potential().numbers_read());
        for (std::size_t k = 0; k < numbers; ++k)
            of_i.push_back(column(i, k)), of_j.push_back(column(j, k));
        const auto pair =
            force.evaluate(type_[i], type_[j], PairNumbers{dot(d, d), of_i.data(), of_j.data(), d});
        const core::Vec3d f = pair.force_over_r * d;
        const double components[3] = {f.x, f.y, f.z};
        for (int row = 0; row < 3; ++row) {
            sums.force[3 * i + row] += components[row];
            sums.force[3 * j + row] -= components[row];
        }
        sums.total.energy += pair.energy;
        sums.total.virial += core::outer(pair.force_over_r, d);
        sums.energy_scale += std::abs(pair.energy);
        sums.virial_scale += std::abs(pair.force_over_r) * dot(d, d);
    }

    std::vector<Block> x_;
    std::vector<std::int32_t> type_;
    std::vector<ClusterEntry> entries_;
    std::vector<std::int32_t> j_;
    core::Vec3<T> shift_[shift_count]{}, no_rest_[shift_count]{};
};

}  // namespace aureole::md::testing
