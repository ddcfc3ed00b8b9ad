// SPDX-License-Identifier: Apache-2.0
// Random derived datatypes, each with its type map, made here without asking MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "random.hpp"

namespace twins {

enum class Family { bytes, integer, real, complex };

/// One of MPI's named types that has a single element.
struct Basic {
    MPI_Datatype handle;
    const char* name;
    int size;
    int value_bytes;  // without the padding of long double
    Family family;
};

const std::vector<Basic>& basics();
int basic_named(const std::string& name);

/// One basic element of a type map.
struct Piece {
    std::ptrdiff_t at;
    short basic;
};

using Signature = std::vector<short>;

/// A committed datatype beside its type map; frees what it made.
struct Type {
    Type() = default;
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    ~Type();

    MPI_Datatype handle = MPI_DATATYPE_NULL;
    bool own = false;
    std::vector<Piece> map;
    std::ptrdiff_t lb = 0, extent = 0;  // by MPI, which pads some structs
    std::ptrdiff_t low = 0, high = 0;   // first byte and end of the type map
    std::size_t size = 0;
    bool tidy = false;  // copies behind each other do not overlap
    std::string text;

    Signature signature() const;
    /// The basic type of all pieces, or -1.
    int only_basic() const;
};

using TypeRef = std::shared_ptr<const Type>;

/// First byte and end of the bytes that `count` items cover.
struct Span {
    std::ptrdiff_t low, high;
};
Span span_of(const Type& type, long count);

/// Whether some byte belongs to two pieces, so that nothing may be received there.
bool overlaps(const Type& type, long count);

/// Whether items behind each other cover all bytes in order.
bool is_dense(const Type& type);

/// Takes a new handle over, asks MPI for its extent and checks its size and true extent.
TypeRef made(MPI_Datatype handle, std::vector<Piece> map, std::string text);

TypeRef basic_type(int basic);
/// One of the pair types of MINLOC, such as MPI_DOUBLE_INT, which has a gap.
TypeRef pair_type(int which);
constexpr int pair_types = 6;

TypeRef contiguous_of(int count, const TypeRef& part);
TypeRef resized_of(const TypeRef& part, std::ptrdiff_t lb, std::ptrdiff_t extent);
TypeRef dup_of(const TypeRef& part);

/// A basic type chosen at random.
int random_basic(Rng& rng);
/// Any constructor, nested up to `depth` times.
TypeRef random_type(Rng& rng, int depth);
/// A type with this signature in a layout of its own.
TypeRef laid_out(Rng& rng, const Signature& signature, int depth = 3);

/// Ends the process: the harness or the MPI library itself is wrong.
[[noreturn]] void fatal(const std::string& why);

}  // namespace twins
