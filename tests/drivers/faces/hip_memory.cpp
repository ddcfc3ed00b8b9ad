// SPDX-License-Identifier: Apache-2.0
#include "faces/description.hpp"
#include "faces/runtime_face.hpp"

using namespace aureole::emulated;

// Second names that AMD gives to functions which both vendors have.
extern "C" {
int hipMallocHost(void**, std::size_t);
int hipHostAlloc(void**, std::size_t, unsigned);
int hipFreeHost(void*);
int hipMemcpyAsync(void*, const void*, std::size_t, int, void*);
}

DRIVER_FUNCTION int hipHostMalloc(void** out, std::size_t bytes, unsigned flags) {
    return hipHostAlloc(out, bytes, flags);
}
DRIVER_FUNCTION int hipMemAllocHost(void** out, std::size_t bytes) {
    return hipMallocHost(out, bytes);
}
DRIVER_FUNCTION int hipHostFree(void* at) { return hipFreeHost(at); }

DRIVER_FUNCTION int hipExtMallocWithFlags(void** out, std::size_t bytes, unsigned) {
    RT_ENTER(ExtMallocWithFlags);
    if (!out) return keep(invalid_value);
    *out = nullptr;
    return keep(bytes ? allocate_in(runtime_context(), Kind::device, bytes, *out) : 0);
}

DRIVER_FUNCTION int hipMemAllocPitch(void** out, std::size_t* pitch, std::size_t width,
                                     std::size_t height, unsigned) {
    RT_ENTER(MemAllocPitch);
    if (!out || !pitch || width * height == 0) return keep(invalid_value);
    *pitch = round_up(width, 256);
    return keep(allocate_in(runtime_context(), Kind::device, *pitch * height, *out));
}

DRIVER_FUNCTION int hipMemGetAddressRange(Address* base, std::size_t* bytes, void* at) {
    RT_ENTER(MemGetAddressRange);
    const auto block = find(address(at));
    if (!block) return keep(not_found);
    if (base) *base = block->base;
    if (bytes) *bytes = block->bytes;
    return success;
}

DRIVER_FUNCTION int hipMemPtrGetInfo(void* at, std::size_t* bytes) {
    RT_ENTER(MemPtrGetInfo);
    const auto block = find(address(at));
    if (!block || !bytes) return keep(invalid_value);
    *bytes = block->bytes;
    return success;
}

DRIVER_FUNCTION int hipMemPrefetchAsync(const void* at, std::size_t, int, void*) {
    RT_ENTER(MemPrefetchAsync);
    const auto block = find(address(at));
    return keep(block && block->kind == Kind::managed ? success : invalid_value);
}

DRIVER_FUNCTION int hipMemAdvise(const void* at, std::size_t, int, int) {
    RT_ENTER(MemAdvise);
    const auto block = find(address(at));
    return keep(block && block->kind == Kind::managed ? success : invalid_value);
}

struct HipPointer {
    PointerAttributes common;
    int managed;
    unsigned flags;
};
static_assert(sizeof(HipPointer) == 32);

DRIVER_FUNCTION int hipPointerGetAttributes(HipPointer* out, const void* at) {
    RT_ENTER(PointerGetAttributes);
    if (!out || !at) return keep(invalid_value);
    const Description what = describe(at);
    *out = {pointer_attributes(at, what), what.managed, what.known ? what.block->host_flags : 0};
    return success;
}

/// AMD's library writes some values narrower than NVIDIA's, and does not know all of them.
static int read_hip_attribute(void* out, int attribute, const void* at) {
    enum { type = 2, sync = 6, id = 7, managed = 8, range_bytes = 12, mapped = 13, access = 16 };
    const Description what = describe(at);
    switch (attribute) {
        case 1:   // context
        case 5:   // tokens for other drivers
        case 10:  // older kind of handle
        case 14:  // kinds of handles
        case 15:  // direct access by other devices
        case 17:
            return not_supported;
        case type:
            *static_cast<unsigned*>(out) = what.memory_type;
            break;
        case id:
            *static_cast<unsigned*>(out) = what.known ? what.block->id : 0;
            break;
        case range_bytes:
            *static_cast<unsigned*>(out) = what.known ? what.block->bytes : 0;
            break;
        case sync:
            *static_cast<bool*>(out) = what.known && what.block->synchronous;
            break;
        case managed:
            *static_cast<bool*>(out) = what.managed;
            break;
        case mapped:
            *static_cast<bool*>(out) = what.known;
            break;
        case access:
            *static_cast<unsigned*>(out) = what.known ? what.block->host_flags : 0;
            break;
        default:
            if (const int status = read_attributes(1, &attribute, &out, at)) return status;
    }
    return what.known ? success : invalid_value;
}

DRIVER_FUNCTION int hipPointerGetAttribute(void* out, int attribute, void* at) {
    RT_ENTER(PointerGetAttribute);
    if (!out || !at) return keep(invalid_value);
    return keep(read_hip_attribute(out, attribute, at));
}

DRIVER_FUNCTION int hipDrvPointerGetAttributes(unsigned count, const int* attributes, void** out,
                                               void* at) {
    RT_ENTER(DrvPointerGetAttributes);
    if (!count || !attributes || !out || !at) return keep(invalid_value);
    for (unsigned k = 0; k < count; ++k) read_hip_attribute(out[k], attributes[k], at);
    return success;
}

DRIVER_FUNCTION int hipPointerSetAttribute(const void* value, int attribute, void* at) {
    RT_ENTER(PointerSetAttribute);
    constexpr int sync_memops = 6;
    const auto block = find(address(at));
    if (!value || !block || attribute != sync_memops) return keep(invalid_value);
    block->synchronous = *static_cast<const unsigned*>(value) != 0;
    return success;
}

DRIVER_FUNCTION int hipMemcpyWithStream(void* to, const void* from, std::size_t bytes, int kind,
                                        void* stream) {
    RT_ENTER(MemcpyWithStream);
    const auto found = stream_of(stream, &runtime_context());
    if (!found) return keep(invalid_handle);
    const int status = hipMemcpyAsync(to, from, bytes, kind, stream);
    return keep(status ? status : wait(found));
}

static int copy_to(void* to, Side::Must to_is, const void* from, Side::Must from_is,
                   std::size_t bytes, void* stream, bool synchronous) {
    Copy what = row(to, from, bytes);
    what.to.be = to_is;
    what.from.be = from_is;
    return keep(copy_row(what, stream, synchronous, runtime_context()));
}

#define COPIES(name, to_is, from_is)                                                            \
    DRIVER_FUNCTION int hipMemcpy##name(void* to, void* from, std::size_t bytes) {              \
        RT_ENTER(Memcpy##name);                                                                 \
        return copy_to(to, Side::Must::to_is, from, Side::Must::from_is, bytes, nullptr, true); \
    }                                                                                           \
    DRIVER_FUNCTION int hipMemcpy##name##Async(void* to, void* from, std::size_t bytes,         \
                                               void* stream) {                                  \
        RT_ENTER(Memcpy##name##Async);                                                          \
        return copy_to(to, Side::Must::to_is, from, Side::Must::from_is, bytes, stream, false); \
    }

COPIES(HtoD, device, host)
COPIES(DtoH, host, device)
COPIES(DtoD, device, device)

static int fill_units(void* at, unsigned value, std::size_t unit, std::size_t n, void* stream,
                      bool synchronous) {
    const Fill what{address(at), n * unit, value, unit, n, 1};
    const auto found = stream_of(stream, &runtime_context());
    return keep(found ? fill(what, found, synchronous) : int{invalid_handle});
}

#define FILLS(bits, type)                                                                \
    DRIVER_FUNCTION int hipMemsetD##bits(void* at, type value, std::size_t n) {          \
        RT_ENTER(MemsetD##bits);                                                         \
        return fill_units(at, static_cast<unsigned>(value), bits / 8, n, nullptr, true); \
    }                                                                                    \
    DRIVER_FUNCTION int hipMemsetD##bits##Async(void* at, type value, std::size_t n,     \
                                                void* stream) {                          \
        RT_ENTER(MemsetD##bits##Async);                                                  \
        return fill_units(at, static_cast<unsigned>(value), bits / 8, n, stream, false); \
    }

FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, int)
