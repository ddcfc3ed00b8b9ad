// SPDX-License-Identifier: Apache-2.0
#include "faces/runtime_face.hpp"

using namespace aureole::emulated;

namespace {

using Must = Side::Must;

/// The direction that a caller names: host to host, to device, from device, between devices, or
/// found out from the addresses.
bool set_direction(Copy& what, int kind) {
    if (kind < 0 || kind > 4) return false;
    if (kind == 4) return true;
    what.to.be = kind == 0 || kind == 2 ? Must::host : Must::device;
    what.from.be = kind == 0 || kind == 1 ? Must::host : Must::device;
    return true;
}

int copy_for_runtime(Copy what, int kind, const void* stream, bool synchronous) {
    Context& context = runtime_context();
    if (!set_direction(what, kind)) return keep(21);  // invalid direction
    return keep(copy_row(what, stream, synchronous, context));
}

struct Rows {
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch;
    std::size_t width, height;
};

int copy_rows(const Rows& rows, int kind, const void* stream, bool synchronous) {
    if (rows.height > 1 && (rows.to_pitch < rows.width || rows.from_pitch < rows.width))
        return keep(12);  // invalid pitch
    Copy what = row(rows.to, rows.from, rows.width);
    what.to.pitch = rows.to_pitch;
    what.from.pitch = rows.from_pitch;
    what.height = rows.height;
    return copy_for_runtime(what, kind, stream, synchronous);
}

int fill_for_runtime(const Fill& what, const void* stream, bool synchronous) {
    const auto found = stream_of(stream, &runtime_context());
    return keep(found ? fill(what, found, synchronous) : int{invalid_handle});
}

Fill bytes_of(void* at, int value, std::size_t n) {
    Fill what;
    what.at = address(at);
    what.value = static_cast<std::uint32_t>(value) & 255u;
    what.width = what.pitch = n;
    return what;
}

/// Descriptions of copies in three directions, as both vendors lay them out.
struct Position {
    std::size_t x, y, z;
};

struct Pitched {
    void* at;
    std::size_t pitch, width, height;
};

struct Parameters {
    void* from_array;
    Position from_at;
    Pitched from;
    void* to_array;
    Position to_at;
    Pitched to;
    Position extent;
    int kind;
};
static_assert(sizeof(Parameters) == 160);

Side side_of(const Pitched& range, const Position& at) {
    Side side;
    side.pitch = range.pitch;
    side.slice = range.pitch * range.height;
    side.at = address(range.at) + at.z * side.slice + at.y * side.pitch + at.x;
    return side;
}

int copy_solid(const Parameters* what, const void* stream, bool synchronous) {
    if (!what || what->from_array || what->to_array) return keep(invalid_value);
    Copy shape;
    shape.to = side_of(what->to, what->to_at);
    shape.from = side_of(what->from, what->from_at);
    shape.width = what->extent.x;
    shape.height = what->extent.y;
    shape.depth = what->extent.z;
    return copy_for_runtime(shape, what->kind, stream, synchronous);
}

}  // namespace

DRIVER_FUNCTION int RT(Memcpy)(void* to, const void* from, std::size_t bytes, int kind) {
    RT_ENTER(Memcpy);
    return copy_for_runtime(row(to, from, bytes), kind, nullptr, true);
}

DRIVER_FUNCTION int RT(MemcpyAsync)(void* to, const void* from, std::size_t bytes, int kind,
                                    void* stream) {
    RT_ENTER(MemcpyAsync);
    return copy_for_runtime(row(to, from, bytes), kind, stream, false);
}

DRIVER_FUNCTION int RT(MemcpyPeer)(void* to, int to_device, const void* from, int from_device,
                                   std::size_t bytes) {
    RT_ENTER(MemcpyPeer);
    if (!device_exists(to_device) || !device_exists(from_device)) return keep(invalid_device);
    return copy_for_runtime(row(to, from, bytes), 3, nullptr, true);
}

DRIVER_FUNCTION int RT(MemcpyPeerAsync)(void* to, int to_device, const void* from, int from_device,
                                        std::size_t bytes, void* stream) {
    RT_ENTER(MemcpyPeerAsync);
    if (!device_exists(to_device) || !device_exists(from_device)) return keep(invalid_device);
    return copy_for_runtime(row(to, from, bytes), 3, stream, false);
}

DRIVER_FUNCTION int RT(Memcpy2D)(void* to, std::size_t to_pitch, const void* from,
                                 std::size_t from_pitch, std::size_t width, std::size_t height,
                                 int kind) {
    RT_ENTER(Memcpy2D);
    return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, nullptr, true);
}

DRIVER_FUNCTION int RT(Memcpy2DAsync)(void* to, std::size_t to_pitch, const void* from,
                                      std::size_t from_pitch, std::size_t width, std::size_t height,
                                      int kind, void* stream) {
    RT_ENTER(Memcpy2DAsync);
    return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, stream, false);
}

DRIVER_FUNCTION int RT(Memcpy3D)(const Parameters* what) {
    RT_ENTER(Memcpy3D);
    return copy_solid(what, nullptr, true);
}

DRIVER_FUNCTION int RT(Memcpy3DAsync)(const Parameters* what, void* stream) {
    RT_ENTER(Memcpy3DAsync);
    return copy_solid(what, stream, false);
}

DRIVER_FUNCTION int RT(Memset)(void* at, int value, std::size_t n) {
    RT_ENTER(Memset);
    return fill_for_runtime(bytes_of(at, value, n), nullptr, true);
}

DRIVER_FUNCTION int RT(MemsetAsync)(void* at, int value, std::size_t n, void* stream) {
    RT_ENTER(MemsetAsync);
    return fill_for_runtime(bytes_of(at, value, n), stream, false);
}

DRIVER_FUNCTION int RT(Memset2D)(void* at, std::size_t pitch, int value, std::size_t width,
                                 std::size_t height) {
    RT_ENTER(Memset2D);
    Fill what = bytes_of(at, value, width);
    what.pitch = pitch;
    what.height = height;
    return fill_for_runtime(what, nullptr, true);
}

DRIVER_FUNCTION int RT(Memset2DAsync)(void* at, std::size_t pitch, int value, std::size_t width,
                                      std::size_t height, void* stream) {
    RT_ENTER(Memset2DAsync);
    Fill what = bytes_of(at, value, width);
    what.pitch = pitch;
    what.height = height;
    return fill_for_runtime(what, stream, false);
}
