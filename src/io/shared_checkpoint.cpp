// SPDX-License-Identifier: Apache-2.0
#include "io/shared_checkpoint.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/reduce_ops.hpp"
#include "io/checkpoint.hpp"

namespace aureole::io {

void write_shared_checkpoint(comm::World& world, const std::filesystem::path& path,
                             const StateBlocks& mine) {
    world.enter(comm::Phase::checkpoint);
    const auto blocks = list_of(mine);
    std::vector<BlockEntry> entries;
    world.together([&] { entries = entries_of(blocks); });

    // The first rank begins the file and tells each where its blocks are.
    const comm::Parcel to_first{0, comm::bytes_of(entries)};
    const auto of_all = world.exchange({&to_first, 1});
    std::vector<BlockEntry> table;
    for (const auto& parcel : of_all) {
        const auto more = comm::ParcelReader(parcel).rest<BlockEntry>();
        table.insert(table.end(), more.begin(), more.end());
    }
    std::unique_ptr<SharedCheckpoint> file;
    std::string address;
    const auto begin = [&](bool unnamed) {
        file.reset();
        world.together([&] {
            if (world.rank() == 0) file = std::make_unique<SharedCheckpoint>(path, table, unnamed);
        });
        comm::Bytes bytes;
        if (file) comm::append(bytes, std::span<const char>(file->address().string()));
        world.broadcast(bytes, 0);
        address.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    begin(world.one_memory());
    // Ranks that share memory may still not be let at each other's files.
    if (world.one_memory() && world.combine(can_add_blocks(address) ? 1 : 0, device::Min{}) == 0)
        begin(false);
    std::vector<comm::Parcel> offsets;
    auto at = table.begin();
    for (const auto& parcel : of_all) {
        const auto end =
            at + static_cast<std::ptrdiff_t>(comm::ParcelReader(parcel).rest<BlockEntry>().size());
        offsets.push_back({parcel.rank, comm::bytes_of(std::span<const BlockEntry>(at, end))});
        at = end;
    }
    entries = comm::ParcelReader(world.exchange(offsets).front()).rest<BlockEntry>();
    world.together([&] { add_blocks(address, path, blocks, entries); });
    world.together([&] {
        if (file) file->finish();
    });
}

}  // namespace aureole::io
