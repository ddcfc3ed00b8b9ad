// SPDX-License-Identifier: Apache-2.0
#include "faces/face.hpp"

using namespace aureole::emulated;

namespace {

using Must = Side::Must;

/// Copies one row in the current context.
int copy_here(const void* to, Must to_is, const void* from, Must from_is, std::size_t bytes,
              const void* stream, bool synchronous) {
    const Here place = here();
    if (place.status != success) return place.status;
    Copy what = row(to, from, bytes);
    what.to.be = to_is;
    what.from.be = from_is;
    return copy_row(what, stream, synchronous, *place.context);
}

int fill_here(const Fill& what, const void* stream, bool synchronous) {
    const Here place = here();
    if (place.status != success) return place.status;
    const auto found = stream_of(stream, place.context);
    return found ? fill(what, found, synchronous) : invalid_handle;
}

Fill row_of(Address at, std::uint32_t value, std::size_t unit, std::size_t n) {
    Fill what;
    what.at = at;
    what.value = value;
    what.unit = unit;
    what.width = n;
    what.pitch = n * unit;
    return what;
}

}  // namespace

DRIVER_FUNCTION int cuMemcpy(void* to, const void* from, std::size_t bytes) {
    ENTER(cuMemcpy);
    return copy_here(to, Must::any, from, Must::any, bytes, nullptr, true);
}

DRIVER_FUNCTION int cuMemcpyAsync(void* to, const void* from, std::size_t bytes, void* stream) {
    ENTER(cuMemcpyAsync);
    return copy_here(to, Must::any, from, Must::any, bytes, stream, false);
}

DRIVER_FUNCTION int cuMemcpyHtoD(void* to, const void* from, std::size_t bytes) {
    ENTER(cuMemcpyHtoD);
    return copy_here(to, Must::device, from, Must::host, bytes, nullptr, true);
}
ALSO(cuMemcpyHtoD_v2, cuMemcpyHtoD);

DRIVER_FUNCTION int cuMemcpyHtoDAsync(void* to, const void* from, std::size_t bytes, void* stream) {
    ENTER(cuMemcpyHtoDAsync);
    return copy_here(to, Must::device, from, Must::host, bytes, stream, false);
}
ALSO(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync);

DRIVER_FUNCTION int cuMemcpyDtoH(void* to, const void* from, std::size_t bytes) {
    ENTER(cuMemcpyDtoH);
    return copy_here(to, Must::host, from, Must::device, bytes, nullptr, true);
}
ALSO(cuMemcpyDtoH_v2, cuMemcpyDtoH);

DRIVER_FUNCTION int cuMemcpyDtoHAsync(void* to, const void* from, std::size_t bytes, void* stream) {
    ENTER(cuMemcpyDtoHAsync);
    return copy_here(to, Must::host, from, Must::device, bytes, stream, false);
}
ALSO(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync);

DRIVER_FUNCTION int cuMemcpyDtoD(void* to, const void* from, std::size_t bytes) {
    ENTER(cuMemcpyDtoD);
    return copy_here(to, Must::device, from, Must::device, bytes, nullptr, true);
}
ALSO(cuMemcpyDtoD_v2, cuMemcpyDtoD);

DRIVER_FUNCTION int cuMemcpyDtoDAsync(void* to, const void* from, std::size_t bytes, void* stream) {
    ENTER(cuMemcpyDtoDAsync);
    return copy_here(to, Must::device, from, Must::device, bytes, stream, false);
}
ALSO(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync);

DRIVER_FUNCTION int cuMemcpyPeer(void* to, Context* to_context, const void* from,
                                 Context* from_context, std::size_t bytes) {
    ENTER(cuMemcpyPeer);
    if (!context_exists(to_context) || !context_exists(from_context)) return invalid_context;
    return copy_here(to, Must::device, from, Must::device, bytes, nullptr, true);
}

DRIVER_FUNCTION int cuMemcpyPeerAsync(void* to, Context* to_context, const void* from,
                                      Context* from_context, std::size_t bytes, void* stream) {
    ENTER(cuMemcpyPeerAsync);
    if (!context_exists(to_context) || !context_exists(from_context)) return invalid_context;
    return copy_here(to, Must::device, from, Must::device, bytes, stream, false);
}

namespace {

struct End {  // the same fields, in this order, at the start and the middle of each description
    unsigned memory_type;
    const void* host;
    Address device;
    void* array;
};

struct Plane {
    std::size_t x, y;
    End end;
    std::size_t pitch;
};

struct Copy2D {
    Plane from, to;
    std::size_t width, height;
};

struct Solid {
    std::size_t x, y, z, level;
    End end;
    void* reserved;  // context in copies between peers
    std::size_t pitch, height;
};

struct Copy3D {
    Solid from, to;
    std::size_t width, height, depth;
};

static_assert(sizeof(Copy2D) == 128 && sizeof(Copy3D) == 200);

/// Turns one end into an address; arrays do not exist here.
bool read_end(const End& end, Side& out) {
    switch (end.memory_type) {
        case 1:
            out.at = address(end.host);
            out.be = Must::host;
            return true;
        case 2:
            out.at = end.device;
            out.be = Must::device;
            return true;
        case 4:
            out.at = end.device;
            return true;
        default:
            return false;
    }
}

bool read_solid(const Solid& solid, const Copy3D& what, Side& out) {
    if (solid.level || !read_end(solid.end, out)) return false;
    out.pitch = solid.pitch ? solid.pitch : what.width;
    const std::size_t rows = solid.height ? solid.height : what.height;
    out.slice = out.pitch * rows;
    if (solid.pitch && solid.pitch < what.width + solid.x) return false;
    out.at += solid.z * out.slice + solid.y * out.pitch + solid.x;
    return true;
}

int copy_solid(const Copy3D* what, const void* stream, bool synchronous) {
    const Here place = here();
    if (place.status != success) return place.status;
    Copy shape;
    if (!what || !read_solid(what->to, *what, shape.to) ||
        !read_solid(what->from, *what, shape.from))
        return invalid_value;
    shape.width = what->width;
    shape.height = what->height;
    shape.depth = what->depth;
    return copy_row(shape, stream, synchronous, *place.context);
}

Solid as_solid(const Plane& plane) {
    return {plane.x, plane.y, 0, 0, plane.end, nullptr, plane.pitch, 0};
}

int copy_plane(const Copy2D* what, const void* stream, bool synchronous) {
    if (!what) return invalid_value;
    const Copy3D solid{as_solid(what->from), as_solid(what->to), what->width, what->height, 1};
    return copy_solid(&solid, stream, synchronous);
}

}  // namespace

DRIVER_FUNCTION int cuMemcpy2D(const Copy2D* what) {
    ENTER(cuMemcpy2D);
    return copy_plane(what, nullptr, true);
}
ALSO(cuMemcpy2D_v2, cuMemcpy2D);

DRIVER_FUNCTION int cuMemcpy2DUnaligned(const Copy2D* what) {
    ENTER(cuMemcpy2DUnaligned);
    return copy_plane(what, nullptr, true);
}
ALSO(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned);

DRIVER_FUNCTION int cuMemcpy2DAsync(const Copy2D* what, void* stream) {
    ENTER(cuMemcpy2DAsync);
    return copy_plane(what, stream, false);
}
ALSO(cuMemcpy2DAsync_v2, cuMemcpy2DAsync);

DRIVER_FUNCTION int cuMemcpy3D(const Copy3D* what) {
    ENTER(cuMemcpy3D);
    return copy_solid(what, nullptr, true);
}
ALSO(cuMemcpy3D_v2, cuMemcpy3D);

DRIVER_FUNCTION int cuMemcpy3DAsync(const Copy3D* what, void* stream) {
    ENTER(cuMemcpy3DAsync);
    return copy_solid(what, stream, false);
}
ALSO(cuMemcpy3DAsync_v2, cuMemcpy3DAsync);

DRIVER_FUNCTION int cuMemcpy3DPeer(const Copy3D* what) {
    ENTER(cuMemcpy3DPeer);
    return copy_solid(what, nullptr, true);
}

DRIVER_FUNCTION int cuMemcpy3DPeerAsync(const Copy3D* what, void* stream) {
    ENTER(cuMemcpy3DPeerAsync);
    return copy_solid(what, stream, false);
}

DRIVER_FUNCTION int cuMemsetD8(Address at, unsigned char value, std::size_t n) {
    ENTER(cuMemsetD8);
    return fill_here(row_of(at, value, 1, n), nullptr, true);
}
ALSO(cuMemsetD8_v2, cuMemsetD8);

DRIVER_FUNCTION int cuMemsetD16(Address at, unsigned short value, std::size_t n) {
    ENTER(cuMemsetD16);
    return fill_here(row_of(at, value, 2, n), nullptr, true);
}
ALSO(cuMemsetD16_v2, cuMemsetD16);

DRIVER_FUNCTION int cuMemsetD32(Address at, unsigned value, std::size_t n) {
    ENTER(cuMemsetD32);
    return fill_here(row_of(at, value, 4, n), nullptr, true);
}
ALSO(cuMemsetD32_v2, cuMemsetD32);

DRIVER_FUNCTION int cuMemsetD8Async(Address at, unsigned char value, std::size_t n, void* stream) {
    ENTER(cuMemsetD8Async);
    return fill_here(row_of(at, value, 1, n), stream, false);
}

DRIVER_FUNCTION int cuMemsetD16Async(Address at, unsigned short value, std::size_t n,
                                     void* stream) {
    ENTER(cuMemsetD16Async);
    return fill_here(row_of(at, value, 2, n), stream, false);
}

DRIVER_FUNCTION int cuMemsetD32Async(Address at, unsigned value, std::size_t n, void* stream) {
    ENTER(cuMemsetD32Async);
    return fill_here(row_of(at, value, 4, n), stream, false);
}

static int fill_plane(Address at, std::size_t pitch, std::uint32_t value, std::size_t unit,
                      std::size_t width, std::size_t height, void* stream, bool synchronous) {
    if (pitch < width * unit && height > 1) return invalid_value;
    Fill what = row_of(at, value, unit, width);
    what.pitch = pitch;
    what.height = height;
    return fill_here(what, stream, synchronous);
}

#define MEMSET_2D(bits, type)                                                               \
    DRIVER_FUNCTION int cuMemsetD2D##bits(Address at, std::size_t pitch, type value,        \
                                          std::size_t width, std::size_t height) {          \
        ENTER(cuMemsetD2D##bits);                                                           \
        return fill_plane(at, pitch, value, bits / 8, width, height, nullptr, true);        \
    }                                                                                       \
    ALSO(cuMemsetD2D##bits##_v2, cuMemsetD2D##bits);                                        \
    DRIVER_FUNCTION int cuMemsetD2D##bits##Async(Address at, std::size_t pitch, type value, \
                                                 std::size_t width, std::size_t height,     \
                                                 void* stream) {                            \
        ENTER(cuMemsetD2D##bits##Async);                                                    \
        return fill_plane(at, pitch, value, bits / 8, width, height, stream, false);        \
    }

MEMSET_2D(8, unsigned char)
MEMSET_2D(16, unsigned short)
MEMSET_2D(32, unsigned)
