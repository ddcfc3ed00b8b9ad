// SPDX-License-Identifier: Apache-2.0
// Constructors of datatypes with random arguments.
#include <algorithm>
#include <cstdlib>

#include "types.hpp"

namespace twins {
namespace {

constexpr long most_pieces = 300;

#ifdef OPEN_MPI
// Open MPI 5.0.11 takes a vector whose blocks lie against each other for a contiguous one even
// where the stride is negative: hvector(14, 1, -1, char) has the true lower bound 0 there instead
// of -13.
constexpr long least_gap_backwards = 1;
// It packs and unpacks wrong data, or beyond the buffer, for some types whose elements do not lie
// at multiples of their size, such as 2 x hvector(5, 1, 24, double complex); of 36,000 random types
// with aligned elements none was wrong.
constexpr long unit = 16;
#else
constexpr long least_gap_backwards = 0;
constexpr long unit = 1;
#endif

/// The next place in bytes at which every type may begin.
std::ptrdiff_t aligned(std::ptrdiff_t place) {
    return place < 0 ? -((-place + unit - 1) / unit * unit) : (place + unit - 1) / unit * unit;
}

/// Adds `count` items of a type behind each other.
void append(std::vector<Piece>& map, const Type& part, std::ptrdiff_t at, long count = 1) {
    for (long i = 0; i < count; ++i)
        for (auto piece : part.map) map.push_back({at + i * part.extent + piece.at, piece.basic});
}

template <class T>
std::string listed(const std::vector<T>& numbers) {
    std::string text = "[";
    for (auto n : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(n);
    return text + "]";
}

/// How many items of a part fit what a type map may have.
long room(const Type& part, long wanted) {
    return std::clamp(most_pieces / std::max<long>(1, part.map.size()), 1L, wanted);
}

TypeRef vector_of(Rng& rng, const TypeRef& part, bool in_bytes) {
    const int length = static_cast<int>(rng.between(1, room(*part, 3)));
    const int blocks = static_cast<int>(rng.between(1, room(*part, 15) / length + 1));
    const auto block = span_of(*part, length);
    const bool backwards = rng.percent(30);
    MPI_Aint step = (in_bytes ? block.high - block.low : length) + rng.below(in_bytes ? 20 : 4);
    if (backwards) step = -step - least_gap_backwards;
    if (in_bytes) step = aligned(step);
    MPI_Datatype handle;
    if (in_bytes)
        MPI_Type_create_hvector(blocks, length, step, part->handle, &handle);
    else
        MPI_Type_vector(blocks, length, static_cast<int>(step), part->handle, &handle);
    std::vector<Piece> map;
    for (int i = 0; i < blocks; ++i)
        append(map, *part, i * step * (in_bytes ? 1 : part->extent), length);
    return made(handle, std::move(map),
                std::string(in_bytes ? "hvector(" : "vector(") +
                    listed(std::vector<long>{blocks, length, step}) + ", " + part->text + ")");
}

/// Lengths and places of the blocks of an indexed type, in random order without overlap.
struct Blocks {
    std::vector<int> lengths;
    std::vector<int> places;
    std::vector<MPI_Aint> bytes;

    Blocks(Rng& rng, const Type& part, bool equal, bool in_bytes) {
        const int most = static_cast<int>(room(part, 3));
        const int same = static_cast<int>(rng.between(equal ? 1 : 0, most));
        const int number = static_cast<int>(rng.between(1, room(part, 12) / most + 1));
        long cursor = -rng.below(5);
        for (int i = 0; i < number; ++i) {
            // One block at least has items: libraries differ in the bounds of empty types.
            const int length = equal ? same : static_cast<int>(rng.between(i == 0, most));
            const auto block = span_of(part, length);
            lengths.push_back(length);
            places.push_back(static_cast<int>(cursor));
            bytes.push_back(aligned(cursor - (in_bytes ? block.low : 0)));
            if (in_bytes) cursor = bytes.back() + block.low;
            cursor += (in_bytes ? block.high - block.low + rng.below(12) : length + rng.below(3));
        }
        const auto order = rng.permutation(number);
        const auto old = *this;
        for (int i = 0; i < number; ++i) {
            lengths[i] = old.lengths[order[i]];
            places[i] = old.places[order[i]];
            bytes[i] = old.bytes[order[i]];
        }
    }
};

TypeRef indexed_of(Rng& rng, const TypeRef& part, bool equal, bool in_bytes) {
    const Blocks blocks(rng, *part, equal, in_bytes);
    const int number = static_cast<int>(blocks.lengths.size());
    const int length = blocks.lengths[0];
    MPI_Datatype handle;
    if (equal && in_bytes)
        MPI_Type_create_hindexed_block(number, length, blocks.bytes.data(), part->handle, &handle);
    else if (equal)
        MPI_Type_create_indexed_block(number, length, blocks.places.data(), part->handle, &handle);
    else if (in_bytes)
        MPI_Type_create_hindexed(number, blocks.lengths.data(), blocks.bytes.data(), part->handle,
                                 &handle);
    else
        MPI_Type_indexed(number, blocks.lengths.data(), blocks.places.data(), part->handle,
                         &handle);
    std::vector<Piece> map;
    for (int i = 0; i < number; ++i)
        append(map, *part, in_bytes ? blocks.bytes[i] : blocks.places[i] * part->extent,
               blocks.lengths[i]);
    return made(handle, std::move(map),
                std::string(in_bytes ? "h" : "") + "indexed" + (equal ? "_block(" : "(") +
                    listed(blocks.lengths) + ", " +
                    (in_bytes ? listed(blocks.bytes) : listed(blocks.places)) + ", " + part->text +
                    ")");
}

/// A struct of these parts in this order, at places in random order.
TypeRef struct_of(Rng& rng, const std::vector<TypeRef>& parts, std::vector<int> lengths) {
    const int number = static_cast<int>(parts.size());
    std::vector<MPI_Aint> places(number);
    std::vector<MPI_Datatype> handles;
    std::string text = "struct(";
    for (const auto& part : parts) handles.push_back(part->handle);
    long cursor = rng.percent(30) ? -rng.below(40) : 0;
    for (int i : rng.percent(70) ? rng.permutation(number) : Rng(0).permutation(number)) {
        const auto block = span_of(*parts[i], lengths[i]);
        places[i] = aligned(cursor - block.low);
        cursor = places[i] + block.low;
        cursor += block.high - block.low + (rng.percent(50) ? rng.below(12) : 0);
    }
    std::vector<Piece> map;
    for (int i = 0; i < number; ++i) {
        append(map, *parts[i], places[i], lengths[i]);
        if (i < 6)
            text += std::to_string(lengths[i]) + "x" + parts[i]->text + "@" +
                    std::to_string(places[i]) + " ";
    }
    MPI_Datatype handle;
    MPI_Type_create_struct(number, lengths.data(), places.data(), handles.data(), &handle);
    return made(handle, std::move(map), text + (number > 6 ? "...)" : ")"));
}

/// Global indices, one list a dimension, in the order of a type map.
std::vector<Piece> array_map(const std::vector<std::vector<int>>& chosen,
                             const std::vector<int>& sizes, bool fortran, const Type& part) {
    const int dims = static_cast<int>(sizes.size());
    long items = 1;
    for (const auto& list : chosen) items *= static_cast<long>(list.size());
    std::vector<Piece> map;
    for (long item = 0; item < items; ++item) {
        long rest = item, place = 0, unit = 1;
        for (int k = 0; k < dims; ++k) {
            const int d = fortran ? k : dims - 1 - k;
            const auto length = static_cast<long>(chosen[d].size());
            place += unit * chosen[d][rest % length];
            rest /= length;
            unit *= sizes[d];
        }
        append(map, part, place * part.extent);
    }
    return map;
}

TypeRef subarray_of(Rng& rng, const TypeRef& part) {
    const int dims = static_cast<int>(rng.between(1, 3));
    const long most = room(*part, dims == 1 ? 12 : dims == 2 ? 3 : 2);
    std::vector<int> sizes, parts, starts;
    std::vector<std::vector<int>> chosen;
    for (int d = 0; d < dims; ++d) {
        parts.push_back(static_cast<int>(rng.between(1, most)));
        sizes.push_back(parts[d] + static_cast<int>(rng.below(3)));
        starts.push_back(static_cast<int>(rng.below(sizes[d] - parts[d] + 1)));
        chosen.emplace_back();
        for (int i = 0; i < parts[d]; ++i) chosen[d].push_back(starts[d] + i);
    }
    const bool fortran = rng.percent(50);
    MPI_Datatype handle;
    MPI_Type_create_subarray(dims, sizes.data(), parts.data(), starts.data(),
                             fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, part->handle, &handle);
    return made(handle, array_map(chosen, sizes, fortran, *part),
                std::string("subarray(") + (fortran ? "F" : "C") + listed(sizes) + listed(parts) +
                    listed(starts) + ", " + part->text + ")");
}

/// Global indices that a process with this coordinate owns.
std::vector<int> owned(int size, int processes, int coordinate, int how, int block) {
    std::vector<int> list;
    for (int i = 0; i < size; ++i) {
        const bool mine = how == MPI_DISTRIBUTE_NONE    ? true
                          : how == MPI_DISTRIBUTE_BLOCK ? i / block == coordinate
                                                        : (i / block) % processes == coordinate;
        if (mine) list.push_back(i);
    }
    return list;
}

TypeRef darray_of(Rng& rng, const TypeRef& part) {
    const int dims = static_cast<int>(rng.between(1, 2));
    std::vector<int> sizes, hows, blocks, grid, coordinates;
    std::vector<std::vector<int>> chosen;
    int processes = 1, rank = 0;
    for (int d = 0; d < dims; ++d) {
        const int how = rng.one_of({MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK,
                                    MPI_DISTRIBUTE_CYCLIC});
        const int along = how == MPI_DISTRIBUTE_NONE ? 1 : static_cast<int>(rng.between(1, 3));
        // Every process owns something: libraries differ in what an empty part is.
        const int size = along * static_cast<int>(rng.between(1, room(*part, dims == 1 ? 6 : 2)));
        const int cyclic = static_cast<int>(rng.between(1, size / along));
        const int block = how == MPI_DISTRIBUTE_CYCLIC ? cyclic : size / along;
        const bool by_default = how != MPI_DISTRIBUTE_CYCLIC ? rng.percent(50) : block == 1;
        sizes.push_back(size);
        hows.push_back(how);
        blocks.push_back(by_default || how == MPI_DISTRIBUTE_NONE ? MPI_DISTRIBUTE_DFLT_DARG
                                                                  : block);
        grid.push_back(along);
        coordinates.push_back(static_cast<int>(rng.below(along)));
        chosen.push_back(owned(size, along, coordinates[d], how, block));
        processes *= along;
        rank = rank * along + coordinates[d];
    }
    const bool fortran = rng.percent(50);
    MPI_Datatype handle;
    MPI_Type_create_darray(processes, rank, dims, sizes.data(), hows.data(), blocks.data(),
                           grid.data(), fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, part->handle,
                           &handle);
    return made(handle, array_map(chosen, sizes, fortran, *part),
                std::string("darray(") + (fortran ? "F" : "C") + listed(sizes) + listed(hows) +
                    listed(blocks) + listed(grid) + listed(coordinates) + ", " + part->text + ")");
}

TypeRef resized_at_random(Rng& rng, const TypeRef& part) {
    const auto length = part->high - part->low;
    const auto lb = rng.percent(50) ? part->low : part->low - rng.below(24);
    auto extent = length + (rng.percent(50) ? 0 : rng.below(24));
    if (rng.percent(10)) extent = basics()[part->map.empty() ? 0 : part->map[0].basic].size;
    if (rng.percent(10)) extent = -length - rng.below(9);
    return resized_of(part, lb, aligned(extent));
}

/// Cuts a list with one basic type into random lengths.
std::vector<int> cut(Rng& rng, int length) {
    std::vector<int> parts;
    for (int left = length; left > 0; left -= parts.back())
        parts.push_back(static_cast<int>(rng.between(1, rng.percent(30) ? left : (left + 3) / 4)));
    return parts;
}

}  // namespace

int random_basic(Rng& rng) {
    if (rng.percent(60))
        return basic_named(
            rng.one_of({"char", "short", "int", "double", "long double", "double complex"}));
    return static_cast<int>(rng.below(static_cast<long>(basics().size())));
}

TypeRef random_type(Rng& rng, int depth) {
    if (depth == 0) {
        if (rng.percent(15)) return pair_type(static_cast<int>(rng.below(pair_types)));
        return basic_type(random_basic(rng));
    }
    const auto part = random_type(rng, depth - 1);
    const bool full = static_cast<long>(part->map.size()) > most_pieces / 2;
    switch (full ? rng.between(0, 1) : rng.below(13)) {
        case 0:
            return dup_of(part);
        case 1:
            return resized_at_random(rng, part);
        case 2:
            return contiguous_of(static_cast<int>(rng.between(1, room(*part, 6))), part);
        case 3:
            return vector_of(rng, part, false);
        case 4:
            return vector_of(rng, part, true);
        case 5:
            return indexed_of(rng, part, false, false);
        case 6:
            return indexed_of(rng, part, false, true);
        case 7:
            return indexed_of(rng, part, true, false);
        case 8:
            return indexed_of(rng, part, true, true);
        case 9:
            return subarray_of(rng, part);
        case 10:
            return darray_of(rng, part);
        default:
            break;
    }
    std::vector<TypeRef> parts{part};
    while (rng.percent(60) && parts.size() < 4) parts.push_back(random_type(rng, depth - 1));
    std::vector<int> lengths;
    for (const auto& p : parts)
        lengths.push_back(static_cast<int>(rng.between(lengths.empty(), room(*p, 2))));
    return struct_of(rng, parts, lengths);
}

TypeRef laid_out(Rng& rng, const Signature& signature, int depth) {
    const int number = static_cast<int>(signature.size());
    std::vector<TypeRef> parts;
    std::vector<int> lengths;
    if (depth > 0 && number >= 4 && rng.percent(50)) {
        const auto middle = signature.begin() + rng.between(1, number - 1);
        parts.push_back(laid_out(rng, Signature(signature.begin(), middle), depth - 1));
        parts.push_back(laid_out(rng, Signature(middle, signature.end()), depth - 1));
        lengths = {1, 1};
    } else {
        for (int i = 0, j = 0; i < number; i = j) {
            while (j < number && signature[j] == signature[i]) ++j;
            const auto basic = basic_type(signature[i]);
            for (int length : cut(rng, j - i)) {
                parts.push_back(basic);
                lengths.push_back(length);
            }
        }
    }
    auto type = struct_of(rng, parts, lengths);
    if (rng.percent(30))
        type = resized_of(type, type->low - rng.below(9),
                          aligned(type->high - type->low + rng.below(17)));
    return type;
}

}  // namespace twins
