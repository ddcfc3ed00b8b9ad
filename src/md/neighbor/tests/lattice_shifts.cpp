// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/neighbor/cluster_pairs.hpp"
#include "md/simulation/tests/systems.hpp"

// Kernels add a lattice shift in their precision, and what rounding took away from it. Compilers
// have lost the latter (docs/decisions/032).
namespace aureole::md::testing {
namespace {

TEST(LatticeShifts, HaveTheirRemainders) {
    const core::Box box{16.795961913825071, 16.795961913825071, 17.3, 0.1, 0.2, 0.3};
    const std::vector<Vec3d> position{{0, 0, 0}, {1, 0.5, 0.2}, {8, -8, 8.5}};
    const auto n = static_cast<std::int64_t>(position.size());
    auto device = device::Device::host({.threads = 1, .pin = false});
    device::Queue queue(device);
    ColumnSort sort;
    device::ThreadPool pool(1);
    sort.sort(pool, box, Frame{}, ColumnSort::edge_of_clusters(box, n), {position.data(), n});
    ClusterPairs<float> pairs(queue, 2.5, false);
    pairs.lay_out(sort, n);
    {
        const device::HostAccess access(queue);
        const auto layout = pairs.packed();
        for (std::int64_t i = 0; i < n; ++i) {
            layout.store(i, position[std::size_t(sort.order()[std::size_t(i)])]);
            layout.set_outer_limit(i, 0.1F);
            layout.set_limit(i, 0);
        }
    }
    pairs.search(sort, box);
    pairs.prune();
    int chunks = 0;
    double lost = 0;
    pairs.for_chunks("look at shifts", [&](const ClusterWork<float>& work, int) {
        ++chunks;
        for (int s = 0; s < shift_count; ++s) {
            const auto at = lattice_of_shift(s);
            const auto exact = box.lattice(at.x, at.y, at.z);
            const auto both = [&](double of, float shift, float rest) {
                EXPECT_EQ(shift, static_cast<float>(of));
                EXPECT_NEAR(double(shift) + double(rest), of, 1e-13 * box.lx);  // 48 bits
                lost = std::max(lost, std::abs(of - double(shift)));
            };
            both(exact.x, work.shift[s].x, work.shift_rest[s].x);
            both(exact.y, work.shift[s].y, work.shift_rest[s].y);
            both(exact.z, work.shift[s].z, work.shift_rest[s].z);
        }
    });
    EXPECT_GT(chunks, 0);
    EXPECT_GT(lost, 1e-7);  // else this box has no remainders to lose
}

}  // namespace
}  // namespace aureole::md::testing
