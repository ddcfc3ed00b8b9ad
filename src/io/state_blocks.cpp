// SPDX-License-Identifier: Apache-2.0
#include "io/state_blocks.hpp"

namespace aureole::io {

std::vector<Block> list_of(const StateBlocks& blocks) {
    std::vector<Block> list;
    for (const auto& [name, bytes] : blocks) list.push_back({name, bytes.data(), bytes.size()});
    return list;
}

void write_blocks(const std::filesystem::path& path, const StateBlocks& blocks) {
    write_checkpoint(path, list_of(blocks));
}

StateBlocks read_blocks(const std::filesystem::path& path) {
    const Checkpoint file(path);
    StateBlocks blocks;
    for (const auto& name : file.names()) {
        const auto bytes = file.block(name);
        blocks[name].assign(bytes.begin(), bytes.end());
    }
    return blocks;
}

}  // namespace aureole::io
