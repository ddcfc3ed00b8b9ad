// SPDX-License-Identifier: Apache-2.0
#include "types.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace twins {
namespace {

struct PairType {
    MPI_Datatype handle;
    const char* name;
    const char* first;
    std::ptrdiff_t second_at;
};

template <class T>
struct WithInt {
    T value;
    int index;
};

const std::vector<PairType>& pairs() {
    static const std::vector<PairType> list{
        {MPI_DOUBLE_INT, "DOUBLE_INT", "double", offsetof(WithInt<double>, index)},
        {MPI_FLOAT_INT, "FLOAT_INT", "float", offsetof(WithInt<float>, index)},
        {MPI_LONG_INT, "LONG_INT", "long", offsetof(WithInt<long>, index)},
        {MPI_SHORT_INT, "SHORT_INT", "short", offsetof(WithInt<short>, index)},
        {MPI_2INT, "2INT", "int", offsetof(WithInt<int>, index)},
        {MPI_LONG_DOUBLE_INT, "LONG_DOUBLE_INT", "long double",
         offsetof(WithInt<long double>, index)},
    };
    return list;
}

/// Whether pieces of a type map share a byte.
bool crossed(std::vector<Piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](auto& a, auto& b) { return a.at < b.at; });
    for (std::size_t i = 1; i < pieces.size(); ++i)
        if (pieces[i - 1].at + basics()[pieces[i - 1].basic].size > pieces[i].at) return true;
    return false;
}

void measure(Type& type) {
    MPI_Aint lb = 0, extent = 0;
    MPI_Type_get_extent(type.handle, &lb, &extent);
    type.lb = lb;
    type.extent = extent;
    for (std::size_t i = 0; i < type.map.size(); ++i) {
        const auto& piece = type.map[i];
        const auto end = piece.at + basics()[piece.basic].size;
        type.low = i ? std::min(type.low, piece.at) : piece.at;
        type.high = i ? std::max(type.high, end) : end;
        type.size += static_cast<std::size_t>(basics()[piece.basic].size);
    }
    type.tidy = std::abs(type.extent) >= type.high - type.low && !crossed(type.map);
}

/// MPI's own size and true extent must be those of the type map.
void compare_with_mpi(const Type& type) {
    int size = 0;
    MPI_Type_size(type.handle, &size);
    MPI_Aint low = 0, length = 0;
    MPI_Type_get_true_extent(type.handle, &low, &length);
    if (static_cast<std::size_t>(size) != type.size)
        fatal("MPI_Type_size is " + std::to_string(size) + " instead of " +
              std::to_string(type.size) + " of " + type.text);
    if (type.map.empty() || (low == type.low && length == type.high - type.low)) return;
    fatal("the true extent is " + std::to_string(low) + " + " + std::to_string(length) +
          " instead of " + std::to_string(type.low) + " + " + std::to_string(type.high - type.low) +
          " of " + type.text);
}

std::shared_ptr<Type> measured(MPI_Datatype handle, bool own, std::vector<Piece> map,
                               std::string text) {
    auto type = std::make_shared<Type>();
    type->handle = handle;
    type->own = own;
    type->map = std::move(map);
    type->text = std::move(text);
    measure(*type);
    compare_with_mpi(*type);
    return type;
}

}  // namespace

void fatal(const std::string& why) {
    std::fprintf(stderr, "twins: %s\n", why.c_str());
    std::fflush(stderr);
    std::abort();
}

const std::vector<Basic>& basics() {
    using F = Family;
    static const std::vector<Basic> list{
        {MPI_CHAR, "char", 1, 1, F::bytes},
        {MPI_BYTE, "byte", 1, 1, F::bytes},
        {MPI_SIGNED_CHAR, "signed char", 1, 1, F::integer},
        {MPI_UNSIGNED_CHAR, "unsigned char", 1, 1, F::integer},
        {MPI_SHORT, "short", 2, 2, F::integer},
        {MPI_UNSIGNED_SHORT, "unsigned short", 2, 2, F::integer},
        {MPI_INT, "int", 4, 4, F::integer},
        {MPI_UNSIGNED, "unsigned", 4, 4, F::integer},
        {MPI_LONG, "long", 8, 8, F::integer},
        {MPI_UNSIGNED_LONG, "unsigned long", 8, 8, F::integer},
        {MPI_LONG_LONG, "long long", 8, 8, F::integer},
        {MPI_INT64_T, "int64", 8, 8, F::integer},
        {MPI_FLOAT, "float", 4, 4, F::real},
        {MPI_DOUBLE, "double", 8, 8, F::real},
        {MPI_LONG_DOUBLE, "long double", sizeof(long double), 10, F::real},
        {MPI_C_FLOAT_COMPLEX, "float complex", 8, 8, F::complex},
        {MPI_C_DOUBLE_COMPLEX, "double complex", 16, 16, F::complex},
    };
    return list;
}

int basic_named(const std::string& name) {
    for (std::size_t i = 0; i < basics().size(); ++i)
        if (name == basics()[i].name) return static_cast<int>(i);
    fatal("no basic type " + name);
}

Type::~Type() {
    if (own) MPI_Type_free(&handle);
}

Signature Type::signature() const {
    Signature list;
    list.reserve(map.size());
    for (const auto& piece : map) list.push_back(piece.basic);
    return list;
}

int Type::only_basic() const {
    for (const auto& piece : map)
        if (piece.basic != map.front().basic) return -1;
    return map.empty() ? -1 : map.front().basic;
}

Span span_of(const Type& type, long count) {
    if (count <= 0 || type.map.empty()) return {0, 0};
    const auto last = (count - 1) * type.extent;
    return {std::min(type.low, type.low + last), std::max(type.high, type.high + last)};
}

bool overlaps(const Type& type, long count) {
    if (type.tidy || count == 0) return false;
    if (count * static_cast<long>(type.map.size()) > 20000) return true;
    std::vector<Piece> all;
    for (long i = 0; i < count; ++i)
        for (auto piece : type.map) all.push_back({piece.at + i * type.extent, piece.basic});
    return crossed(std::move(all));
}

bool is_dense(const Type& type) {
    std::ptrdiff_t end = 0;
    for (const auto& piece : type.map) {
        if (piece.at != end) return false;
        end += basics()[piece.basic].size;
    }
    return end == type.extent;
}

TypeRef made(MPI_Datatype handle, std::vector<Piece> map, std::string text) {
    MPI_Type_commit(&handle);
    return measured(handle, true, std::move(map), std::move(text));
}

TypeRef basic_type(int basic) {
    const auto& b = basics()[basic];
    return measured(b.handle, false, {{0, static_cast<short>(basic)}}, b.name);
}

TypeRef pair_type(int which) {
    const auto& pair = pairs()[which];
    const auto first = static_cast<short>(basic_named(pair.first));
    const auto second = static_cast<short>(basic_named("int"));
    return measured(pair.handle, false, {{0, first}, {pair.second_at, second}}, pair.name);
}

TypeRef contiguous_of(int count, const TypeRef& part) {
    std::vector<Piece> map;
    for (int i = 0; i < count; ++i)
        for (auto piece : part->map) map.push_back({piece.at + i * part->extent, piece.basic});
    MPI_Datatype handle;
    MPI_Type_contiguous(count, part->handle, &handle);
    return made(handle, std::move(map),
                "contiguous(" + std::to_string(count) + ", " + part->text + ")");
}

TypeRef resized_of(const TypeRef& part, std::ptrdiff_t lb, std::ptrdiff_t extent) {
    MPI_Datatype handle;
    MPI_Type_create_resized(part->handle, lb, extent, &handle);
    return made(
        handle, part->map,
        "resized(" + std::to_string(lb) + ", " + std::to_string(extent) + ", " + part->text + ")");
}

TypeRef dup_of(const TypeRef& part) {
    MPI_Datatype handle;
    MPI_Type_dup(part->handle, &handle);
    return made(handle, part->map, "dup(" + part->text + ")");
}

}  // namespace twins
