// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "device/tests/devices.hpp"
#include "io/checkpoint.hpp"
#include "md/simulation/tests/systems.hpp"

// Ghosts lie behind the particles of a rank: parcels bring their values, and whatever works on the
// rank's own particles leaves them alone.
namespace aureole::md {
namespace {

using testing::everywhere;

ParticleData some(std::int64_t n) {
    std::mt19937 dice(3);
    std::uniform_real_distribution<double> any(-1, 1);
    ParticleData data;
    const auto vector = [&] { return Vec3d{any(dice), any(dice), any(dice)}; };
    for (std::int64_t i = 0; i < n; ++i) {
        data.position.push_back(vector()), data.velocity.push_back(vector());
        data.mass.push_back(1 + any(dice) * 0.1), data.charge.push_back(any(dice));
        data.type.push_back(static_cast<std::int32_t>(dice() % 5)), data.image.emplace_back();
    }
    return data;
}

class Parcels : public device::testing::OnDevices {
  protected:
    template <class T>
    std::vector<T> all_of(Column<T>& column) {
        return md::download(queue, device::View<const T>(column.all()));
    }
};

TEST_P(Parcels, HoldTheColumnsThatAreReadOfGhosts) {
    const auto data = some(101);
    auto p = md::upload(queue, data);
    auto& size = p.column<double>({.name = "size", .on_ghosts = true, .of_user = true});
    auto& label = p.column<std::int32_t>({.name = "label", .of_user = true});
    size = to_device(queue, std::vector<double>(101, 0.5));
    label = to_device(queue, std::vector<std::int32_t>(101, 7));
    const std::vector<std::int32_t> chosen{100, 3, 3, 0, 57};
    const auto index = upload(chosen);
    const auto parcel = p.pack_ghosts(queue, index.view());
    EXPECT_EQ(parcel.size(), p.parcel_bytes(5));
    EXPECT_EQ(p.parcel_bytes(5), 5 * (24 + 8 + 8 + 8) + 24);  // five types are filled up to eights
    p.set_ghosts(queue, 8);
    EXPECT_EQ(p.all(), 109);
    EXPECT_GE(p.capacity(), 109);
    p.unpack_ghosts(queue, parcel.view(), 2, 5);
    EXPECT_EQ(p.position.size(), 101);  // whose they are is not changed
    const auto position = all_of(p.position);
    const auto tag = all_of(p.tag);
    const auto type = all_of(p.type);
    const auto charge = all_of(p.charge), sizes = all_of(size);
    ASSERT_EQ(position.size(), 109u);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const auto from = static_cast<std::size_t>(chosen[k]), to = 103 + k;
        EXPECT_EQ(position[to], data.position[from]);
        EXPECT_EQ(tag[to], chosen[k]);
        EXPECT_EQ(type[to], data.type[from]);
        EXPECT_EQ(charge[to], data.charge[from]);
        EXPECT_EQ(sizes[to], 0.5);
    }
    for (const auto* column : std::initializer_list<AnyColumn*>{&p.velocity, &p.mass, &label})
        EXPECT_EQ(column->ghosts(), 0);
    EXPECT_EQ(md::download(queue, p.position), data.position);

    // Ghosts are handed on, too.
    const std::vector<std::int32_t> further{103, 105};
    const auto next = upload(further);
    const auto second = p.pack_ghosts(queue, next.view());
    p.unpack_ghosts(queue, second.view(), 0, 2);
    EXPECT_EQ(all_of(p.position)[101], data.position[100]);
    EXPECT_EQ(all_of(p.tag)[102], 3);
}

TEST_P(Parcels, SortsLeaveGhostsAlone) {
    const auto data = some(50);
    auto p = md::upload(queue, data);
    const std::vector<std::int32_t> chosen{4, 2};
    const auto index = upload(chosen);
    p.set_ghosts(queue, 2);
    p.unpack_ghosts(queue, p.pack_ghosts(queue, index.view()).view(), 0, 2);
    std::vector<std::int32_t> backwards;
    for (std::int32_t i = 49; i >= 0; --i) backwards.push_back(i);
    const auto order = upload(backwards);
    const auto room = p.capacity();
    device::Buffer<std::byte> to_sort;
    p.for_each_column([&](AnyColumn& column) { column.permute(queue, order.data(), to_sort); });
    EXPECT_EQ(p.capacity(), room);
    const auto position = all_of(p.position);
    ASSERT_EQ(position.size(), 52u);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(position[i], data.position[49 - i]);
    EXPECT_EQ(position[50], data.position[4]);
    EXPECT_EQ(position[51], data.position[2]);
    EXPECT_EQ(all_of(p.tag)[51], 2);
}

INSTANTIATE_TEST_SUITE_P(Devices, Parcels, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

class Ghosts : public ::testing::TestWithParam<DeviceSpec> {};

/// Results of a run with that many ghosts, which are copies of its particles far from their
/// positions.
struct Outcome {
    std::vector<Vec3d> position, ghosts;
    double potential, kinetic;
    std::map<std::string, std::vector<std::byte>> checkpoint;
};
Outcome run(const DeviceSpec& device, std::int64_t ghosts) {
    const auto sim = testing::simulate(testing::fcc(6, 0.8, 0.05), testing::lennard_jones(2.5),
                                       testing::langevin(0.004, 1.2, 0.5), device);
    auto& p = sim->particles();
    auto& queue = sim->queue();
    if (ghosts > 0) {
        std::vector<std::int32_t> chosen(static_cast<std::size_t>(ghosts));
        for (std::size_t k = 0; k < chosen.size(); ++k)
            chosen[k] = static_cast<std::int32_t>(3 * k);
        const auto index = to_device(queue, chosen);
        const auto parcel = p.pack_ghosts(queue, index.view());
        p.set_ghosts(queue, ghosts);
        p.unpack_ghosts(queue, parcel.view(), 0, ghosts);
    }
    // The clock divides a run into batches, and a batch counts the lists that expired in it.
    for (int step = 0; step < 150; ++step) sim->run(1, testing::no_interruption);
    EXPECT_GT(sim->statistics().searches, 1);
    const auto thermo = sim->thermo();
    const auto file = testing::scratch_file("ghosts.checkpoint");
    sim->write_checkpoint(file, "");
    Outcome out{download(queue, p.position),
                download(queue, device::View<const Vec3d>(p.position.all()).part(p.n, ghosts)),
                thermo.potential,
                thermo.kinetic,
                {}};
    out.checkpoint = io::read_blocks(file);
    return out;
}

TEST_P(Ghosts, ChangeNoBitOfStepsSumsAndCheckpoints) {
    const auto alone = run(GetParam(), 0), with = run(GetParam(), 100);
    EXPECT_EQ(alone.position, with.position);
    EXPECT_EQ(alone.potential, with.potential);
    EXPECT_EQ(alone.kinetic, with.kinetic);
    ASSERT_EQ(alone.checkpoint.size(), with.checkpoint.size());
    for (const auto& [name, bytes] : alone.checkpoint)
        EXPECT_TRUE(bytes == with.checkpoint.at(name)) << name;
    const auto start = testing::fcc(6, 0.8, 0.05).particles.position;
    ASSERT_EQ(with.ghosts.size(), 100u);
    for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(with.ghosts[k], start[3 * k]);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Ghosts, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return testing::name_of(p.param); });

}  // namespace
}  // namespace aureole::md
