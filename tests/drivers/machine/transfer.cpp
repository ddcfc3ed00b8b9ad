// SPDX-License-Identifier: Apache-2.0
#include "machine/transfer.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "machine/calls.hpp"
#include "machine/delay.hpp"
#include "machine/memory.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"
#include "machine/streams.hpp"

namespace aureole::emulated {
namespace {

/// One end of a copy after a look at the table of blocks.
struct End {
    BlockPtr block;  // empty: host memory that the machine does not know
    char* at = nullptr;
    std::size_t pitch = 0;
    std::size_t slice = 0;

    bool pageable() const { return !block; }
    bool on_device() const {
        return block && (block->kind == Kind::device || block->kind == Kind::managed);
    }
};

std::size_t extent(const Side& side, const Copy& what) {
    return side.slice * (what.depth - 1) + side.pitch * (what.height - 1) + what.width;
}

int look(const Side& side, const Copy& what, int access, End& out) {
    if (!side.at || extent(side, what) < what.width) return invalid_value;
    out.pitch = side.pitch;
    out.slice = side.slice;
    out.at = static_cast<char*>(host_address(side.at));
    out.block = find(side.at);
    if (!out.block) {
        const bool gone = device_range.holds(side.at);  // freed, or never given
        return gone || side.be == Side::Must::device ? invalid_value : success;
    }
    const bool device_only = out.block->kind == Kind::device;
    if (side.be == Side::Must::host && device_only) return invalid_value;
    if ((out.block->access & access) != access) return invalid_value;
    if (covers(*out.block, side.at, extent(side, what))) return success;
    if (device_only || out.block->kind == Kind::managed || side.be == Side::Must::device)
        return invalid_value;
    out.block = nullptr;  // host memory that is pinned in part
    return device_range.holds(side.at) ? invalid_value : success;
}

void move_rows(const End& to, const End& from, const Copy& what) {
    const bool dense = to.pitch == what.width && from.pitch == what.width;
    const std::size_t rows = dense ? 1 : what.height;
    const std::size_t width = dense ? what.width * what.height : what.width;
    for (std::size_t z = 0; z < what.depth; ++z)
        for (std::size_t y = 0; y < rows; ++y)
            std::memmove(to.at + z * to.slice + y * to.pitch,
                         from.at + z * from.slice + y * from.pitch, width);
}

Direction direction_of(const End& to, const End& from) {
    if (from.on_device())
        return to.on_device() ? Direction::device_to_device : Direction::device_to_host;
    return to.on_device() ? Direction::host_to_device : Direction::host_to_host;
}

/// Moves the bytes and lets the time pass that the settings give to a copy.
void carry_out(const End& to, const End& from, const Copy& what) {
    const Direction way = direction_of(to, from);
    const std::size_t bytes = what.width * what.height * what.depth;
    const bool crosses = way == Direction::host_to_device || way == Direction::device_to_host;
    const Settings& set = settings();
    if (!crosses || !set.copies_cost()) return move_rows(to, from, what);
    const double us =
        set.copy_us +
        (set.copy_bytes_per_us > 0 ? static_cast<double>(bytes) / set.copy_bytes_per_us : 0);
    const int device = to.on_device() ? to.block->device : from.block->device;
    const long end = reserve_engine(device, way == Direction::host_to_device, us);
    move_rows(to, from, what);
    pause_until(end);
}

/// Reads the source now into memory of its own, which the copy then comes from.
End staged(const End& from, const Copy& what, std::shared_ptr<std::vector<char>>& memory) {
    memory = std::make_shared<std::vector<char>>(what.width * what.height * what.depth);
    End to;
    to.at = memory->data();
    to.pitch = what.width;
    to.slice = what.width * what.height;
    move_rows(to, from, what);
    return to;
}

}  // namespace

int copy(const Copy& what, const StreamPtr& stream, bool synchronous) {
    if (what.width == 0 || what.height == 0 || what.depth == 0) return success;
    End to;
    End from;
    if (const int status = look(what.to, what, 2, to)) return status;
    if (const int status = look(what.from, what, 1, from)) return status;
    count_copy(direction_of(to, from), what.width * what.height * what.depth);
    const auto done = [to, from, what] { carry_out(to, from, what); };
    const bool between = direction_of(to, from) == Direction::device_to_device;
    const bool strict =
        (to.block && to.block->synchronous) || (from.block && from.block->synchronous);
    if (synchronous ? !between || strict : to.pageable()) return give_and_wait(stream, done);
    if (!from.pageable()) return give(stream, done);
    if (!streams_are_late()) return give_and_wait(stream, done);
    std::shared_ptr<std::vector<char>> memory;
    const End kept = staged(from, what, memory);
    return give(stream, [to, kept, what, memory] { carry_out(to, kept, what); });
}

int fill(const Fill& what, const StreamPtr& stream, bool synchronous) {
    if (what.width == 0 || what.height == 0) return success;
    const Side side{what.at, what.pitch, 0, Side::Must::device};
    Copy shape;
    shape.width = what.width * what.unit;
    shape.height = what.height;
    End to;
    if (what.at % what.unit != 0) return invalid_value;
    if (const int status = look(side, shape, 2, to)) return status;
    const auto done = [to, what] {
        for (std::size_t y = 0; y < what.height; ++y) {
            char* row = to.at + y * what.pitch;
            if (what.unit == 1) std::memset(row, static_cast<int>(what.value), what.width);
            for (std::size_t x = 0; what.unit > 1 && x < what.width; ++x)
                std::memcpy(row + x * what.unit, &what.value, what.unit);
        }
    };
    const bool strict = !to.on_device() || to.block->synchronous;
    return synchronous && strict ? give_and_wait(stream, done) : give(stream, done);
}

}  // namespace aureole::emulated
