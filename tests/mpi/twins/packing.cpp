// SPDX-License-Identifier: Apache-2.0
// Pack and Unpack, also in the external format, and messages of MPI_PACKED.
#include "local_calls.hpp"
#include "optional.hpp"
#include "shapes.hpp"

namespace twins {
namespace {

/// Packed bytes as a type of the harness.
TypeRef packed_bytes() { return basic_type(basic_named("byte")); }

/// The padding of long double would be part of the packed bytes, and is undefined.
bool has_padding(const Type& type) {
    for (const auto& piece : type.map)
        if (basics()[piece.basic].size != basics()[piece.basic].value_bytes) return true;
    return false;
}

/// MPICH 5.0.2 ends the process (SIGILL) in MPI_Pack_external and MPI_Pack_external_size for types
/// of several basic types.
bool has_external_format(const Type& type) {
#ifdef MPICH
    if (type.only_basic() < 0) return false;
#endif
    static const std::string known = " char short int unsigned float double ";
    for (const auto& piece : type.map)
        if (known.find(std::string(" ") + basics()[piece.basic].name + " ") == std::string::npos)
            return false;
    return type.text.find("INT") == std::string::npos;
}

/// Packing of one side of a message, and unpacking as the other side.
struct Packing {
    Run& run;
    MPI_Comm comm;
    bool external, large;
    int operation = 0;

    long size(const Side& side) const {
        if (external) {
            MPI_Aint bytes = 0;
            MPI_Pack_external_size("external32", plain(side), side.type->handle, &bytes);
            return bytes;
        }
        int bytes = 0;
        MPI_Pack_size(plain(side), side.type->handle, comm, &bytes);
        return bytes;
    }
    static int plain(const Side& side) { return static_cast<int>(side.count); }

    /// Packs behind `place` bytes, and moves it.
    int pack(const void* in, const Side& side, void* out, long room, long& place) const {
        MPI_Count count = place;
        MPI_Aint address = place;
        int position = static_cast<int>(place), code = 0;
        if (external && large && MPI_Pack_external_c) {
            code = MPI_Pack_external_c("external32", in, side.count, side.type->handle, out, room,
                                       &count);
            place = count;
        } else if (external) {
            code = MPI_Pack_external("external32", in, plain(side), side.type->handle, out, room,
                                     &address);
            place = address;
        } else if (large && MPI_Pack_c) {
            code = MPI_Pack_c(in, side.count, side.type->handle, out, room, &count, comm);
            place = count;
        } else {
            code = MPI_Pack(in, plain(side), side.type->handle, out, static_cast<int>(room),
                            &position, comm);
            place = position;
        }
        return code;
    }

    int unpack(const void* in, long room, long& place, void* out, const Side& side) const {
        MPI_Count count = place;
        MPI_Aint address = place;
        int position = static_cast<int>(place), code = 0;
        if (external && large && MPI_Unpack_external_c) {
            code = MPI_Unpack_external_c("external32", in, room, &count, out, side.count,
                                         side.type->handle);
            place = count;
        } else if (external) {
            code = MPI_Unpack_external("external32", in, room, &address, out, plain(side),
                                       side.type->handle);
            place = address;
        } else if (large && MPI_Unpack_c) {
            code = MPI_Unpack_c(in, room, &count, out, side.count, side.type->handle, comm);
            place = count;
        } else {
            code = MPI_Unpack(in, static_cast<int>(room), &position, out, plain(side),
                              side.type->handle, comm);
            place = position;
        }
        return code;
    }
};

/// Packs a few sides into one buffer, sends it to itself, and unpacks them from there.
void pack_some(Run& run, const Comm& comm) {
    Packing p{run, comm.handle, run.local.percent(30), run.local.percent(30)};
    std::vector<Side> sides;
    long room = run.local.below(40);
    const long start = run.local.below(room + 1);
    while (sides.empty() || run.local.percent(40)) {
        auto side = random_side(run.local);
        const bool fine = !p.external || has_external_format(*side.type);
        if (!fine || has_padding(*side.type)) side = {basic_type(basic_named("int")), 7};
        sides.push_back(side);
        room += p.size(side);
    }
    std::string text = p.external ? "Pack_external" : "Pack";
    for (const auto& side : sides)
        text += ", " + std::to_string(side.count) + " x " + side.type->text;
    p.operation = run.begin(text + (p.large ? " _c" : ""));
    auto& packed = run.buffer(packed_bytes(), room);
    run.watch(p.operation, packed, "packed");
    long place = start;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        auto& data = run.buffer(sides[i].type, sides[i].count);
        run.watch(p.operation, data, "data " + std::to_string(i));
        const long which = static_cast<long>(i);
        run.note_error(p.operation, which,
                       p.pack(data.base(), sides[i], packed.base(), room, place));
        run.note(p.operation, "place", which, place);
    }
    auto* from = &packed;
    if (!p.external && !comm.inter()) {
        auto& copy = run.buffer(packed_bytes(), room);
        run.watch(p.operation, copy, "received packed");
        MPI_Status status;
        MPI_Sendrecv(packed.base(), static_cast<int>(place), MPI_PACKED, comm.rank, 1, copy.base(),
                     static_cast<int>(room), MPI_PACKED, comm.rank, 1, comm.handle, &status);
        from = &copy;
    }
    place = start;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto side = p.external ? sides[i] : same_elements(run.local, sides[i]);
        auto& target = run.buffer(side.type, side.count);
        run.watch(p.operation, target, "unpacked " + std::to_string(i));
        const long which = 100 + static_cast<long>(i);
        run.note_error(p.operation, which,
                       p.unpack(from->base(), room, place, target.base(), side));
        run.note(p.operation, "place", which, place);
    }
}

}  // namespace

void packing(Run& run, const Comm& comm) {
    const auto number = run.local.between(1, 4);
    for (long i = 0; i < number; ++i) pack_some(run, comm);
    run.end_phase();
}

}  // namespace twins
