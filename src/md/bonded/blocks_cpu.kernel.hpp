// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform.hpp"
#include "core/simd_math.hpp"
#include "md/bonded/block_job.hpp"

// The bonded kernel of processors: as many terms at a time as fill a register of 64 bytes.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class P, class T, bool energy>
struct TermBlocks {
    static constexpr int lanes = 64 / static_cast<int>(sizeof(T));
    static constexpr int particles = particle_count<P>(), links = link_count<P>;
    using R = core::Pack<T, lanes>;
    using D = core::Pack<double, lanes>;

    BlockJob<T>& job;
    const TermView<T> terms;
    const ShortestImage image;
    const AnchorMap anchors;

    /// Positions of the p-th particles of terms from i on.
    AUREOLE_FN Vec3<D> position(int p, std::int64_t i) const {
        const std::int32_t* index = terms.particle + p * terms.stride + i;
        const double* x = &terms.position->x;
        return {core::pick<double, lanes>(x, index, 3), core::pick<double, lanes>(x + 1, index, 3),
                core::pick<double, lanes>(x + 2, index, 3)};
    }
    AUREOLE_FN Vec3<D> fixed_point(const std::int32_t* row) const {
        const double* at =
            terms.exact + static_cast<std::int64_t>(term_coefficients<P> - 3) * terms.rows;
        return {core::pick<double, lanes>(at, row), core::pick<double, lanes>(at + terms.rows, row),
                core::pick<double, lanes>(at + 2 * static_cast<std::int64_t>(terms.rows), row)};
    }
    AUREOLE_FN static Vec3<R> rounded(const Vec3<D>& d) {
        return {core::rounded<T>(d.x), core::rounded<T>(d.y), core::rounded<T>(d.z)};
    }

    /// Terms [i, i + count), count up to `lanes`; what follows them is padding that is computed
    /// and not used.
    AUREOLE_FN void pack(std::int64_t i, int count) {
        const std::int32_t* row = terms.row + i;
        TermCoefficients<P, R> c;
        for (std::size_t k = 0; k < c.size(); ++k)
            c[k] = core::pick<T, lanes>(
                terms.coefficients + static_cast<std::int64_t>(k) * terms.rows, row);
        Vec3<D> x[particles];
        for (int p = 0; p < particles; ++p) x[p] = position(p, i);
        Vec3<R> d[links], pull[links];
        for (int l = 0; l < links; ++l) {
            const Link link = shape_of<P>::link(l);
            if constexpr (is_anchored<P>())
                d[l] = rounded(image(x[link.first] - anchors(fixed_point(row))));
            else
                d[l] = rounded(image(x[link.first] - x[link.second]));
        }
        const R u = evaluate_term<P, R>(d, c, terms.tables, pull);
        scatter(pull, i, count);
        if constexpr (energy) {
            if constexpr (is_anchored<P>()) d[0] += rounded(D(anchors.lever) * fixed_point(row));
            add_sums(u, d, pull, count);
        }
    }

    AUREOLE_FN void scatter(const Vec3<R>* pull, std::int64_t i, int count) const {
        for (int p = 0; p < particles; ++p) {
            Vec3<R> f{R(T(0)), R(T(0)), R(T(0))};
            for (int l = 0; l < links; ++l) {
                const Link link = shape_of<P>::link(l);
                if (link.first == p) f += pull[l];
                if (link.second == p) f -= pull[l];
            }
            alignas(64) T x[lanes], y[lanes], z[lanes];
            f.x.store(x), f.y.store(y), f.z.store(z);
            const std::int32_t* slot = job.slot + p * terms.stride + i;
            for (int k = 0; k < count; ++k) {
                T* at = job.force + block_index(slot[k], 0);
                at[0] += x[k], at[4] += y[k], at[8] += z[k];
            }
        }
    }

    AUREOLE_FN void add_sums(R u, const Vec3<R>* d, const Vec3<R>* pull, int count) {
        const auto counts = core::Mask<T, lanes>::from_bits((1u << count) - 1u);
        const auto total = [&](R a) { return static_cast<double>(sum(zero_unless(counts, a))); };
        job.total.energy += total(u);
        R xx(T(0)), yy(T(0)), zz(T(0)), xy(T(0)), xz(T(0)), yz(T(0));
        const R half(T(0.5));
        for (int l = 0; l < links; ++l) {
            const auto &r = d[l], &f = pull[l];
            xx += r.x * f.x, yy += r.y * f.y, zz += r.z * f.z;
            xy += half * (r.x * f.y + r.y * f.x), xz += half * (r.x * f.z + r.z * f.x);
            yz += half * (r.y * f.z + r.z * f.y);
        }
        job.total.virial +=
            core::Sym3d{total(xx), total(yy), total(zz), total(xy), total(xz), total(yz)};
    }

    static void run(BlockJob<T>& job) {
        TermBlocks kernel{job, job.terms, job.terms.image(), job.terms.anchors()};
        std::int64_t i = job.begin;
        for (; i + lanes <= job.end; i += lanes) kernel.pack(i, lanes);
        if (i < job.end) kernel.pack(i, static_cast<int>(job.end - i));
    }
};

/// The kernels of one kind of term, as the generated unit of its leaf file registers them.
template <class P>
constexpr BlockKernels block_kernels() {
    constexpr bool always = core::few_kernels;
    return {{&TermBlocks<P, float, always>::run, &TermBlocks<P, float, true>::run},
            {&TermBlocks<P, double, always>::run, &TermBlocks<P, double, true>::run}};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
