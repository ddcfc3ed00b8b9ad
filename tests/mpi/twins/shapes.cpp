// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <algorithm>

namespace twins {
namespace {

constexpr long most_bytes = 1 << 20;

// Open MPI 5.0.11 reads a long message whole from the sender's memory (CMA), also beyond the end of
// a receive buffer that is too small, which overwrites what lies behind it.
#ifdef OPEN_MPI
constexpr long most_truncated = 1000;
#else
constexpr long most_truncated = most_bytes;
#endif

/// Bytes of a message: mostly few, some beyond the limits of eager protocols.
long random_bytes(Rng& rng) {
    const long share = rng.below(100);
    const long most = share < 70 ? 600 : share < 92 ? 9000 : share < 99 ? 80000 : most_bytes;
    return rng.below(std::min(most * size_factor, most_bytes));
}

/// Whether the library gets such data right.
bool is_sound(const Type& type, long count) {
#ifdef MPICH
    // MPICH 5.0.2 ends a message of some kilobytes with MPI_ERR_TYPE where one of its segments ends
    // within an item of several basic types, or a complex number ("whose signature does not
    // match").
    const auto bytes = static_cast<long>(type.size) * count;
    const bool pairs = type.text.find("INT") != std::string::npos;
    const bool complex = type.text.find("complex") != std::string::npos;
    if (bytes > 4000 && (pairs || complex || type.only_basic() < 0)) return false;
#endif
#ifdef OPEN_MPI  // see `unit` in random_types.cpp
    for (const auto& piece : type.map) {
        const auto size = basics()[piece.basic].size;
        if (piece.at % size != 0 || type.extent % size != 0) return false;
    }
#endif
    return type.size > 0 && count >= 0;
}

/// All elements of a side in one list.
Signature elements(const Side& side) {
    Signature all;
    const auto one = side.type->signature();
    for (long i = 0; i < side.count; ++i) all.insert(all.end(), one.begin(), one.end());
    return all;
}

long number_of_elements(const Side& side) {
    return side.count * static_cast<long>(side.type->map.size());
}

/// Whether a message may end within an item of the receiver.
bool may_be_cut(const Type& type) {
#ifdef MPICH
    // MPICH 5.0.2 ends the process where a message ends between the two parts of MPI_2INT
    // ("Assertion failed in file typerep_yaksa_pack.c").
    return type.text.find("INT") == std::string::npos;
#else
    return !type.map.empty();
#endif
}

/// The sender cuts its list anywhere, also within an item of the receiver.
void cut_anywhere(Rng& rng, Shape& shape) {
    auto all = elements(shape.send);
    all.resize(rng.below(static_cast<long>(all.size())));
    shape.send = all.empty() ? Side{shape.send.type, 0} : Side{laid_out(rng, all), 1};
}

}  // namespace

long most_pieces_with_gaps = most_bytes;
long size_factor = 1;

bool fits(const Type& type, long count) {
    if (!is_sound(type, count)) return false;
    const long pieces = count * static_cast<long>(type.map.size());
    if (pieces > most_pieces_with_gaps && !is_dense(type)) return false;
    const auto span = span_of(type, count);
    return span.high - span.low <= 2 * most_bytes && !overlaps(type, count);
}

std::string Shape::text_of_send() const {
    return std::to_string(send.count) + " x " + send.type->text;
}

std::string Shape::text_of_receive() const {
    return std::to_string(receive.count) + " x " + receive.type->text;
}

Side random_side(Rng& rng) {
    const int depth = static_cast<int>(rng.one_of({0, 0, 1, 1, 2, 2, 3, 4}));
    auto type = random_type(rng, depth);
    for (int tries = 0; !fits(*type, 2) && tries < 5; ++tries) type = random_type(rng, depth);
    if (!fits(*type, 2)) type = basic_type(random_basic(rng));
    if (rng.percent(6)) return {type, 0};
    const long count = random_bytes(rng) / std::max<long>(1, static_cast<long>(type->size));
    for (long n : {std::max(1L, count), rng.between(1, 4), 1L})
        if (fits(*type, n)) return {type, n};
    return {type, 1};
}

Side same_elements(Rng& rng, const Side& side) {
    const long elements_here = number_of_elements(side);
    const int basic = side.type->only_basic();
    const auto choice = rng.below(6);
    Side other = side;
    if (choice == 1)
        other.type = dup_of(side.type);
    else if (choice == 2 && elements_here > 0)
        other.type = laid_out(rng, side.type->signature());
    else if (choice == 3 && basic >= 0)
        other = {basic_type(basic), elements_here};
    else if (choice == 4 && elements_here > 0 && elements_here <= 200)
        other = {laid_out(rng, elements(side)), 1};
    else if (choice == 5 && side.count > 0 && elements_here <= 400)
        other = {contiguous_of(static_cast<int>(side.count), side.type), 1};
    return fits(*other.type, other.count) ? other : side;
}

Shape random_shape(Rng& rng, bool errors) {
    Shape shape;
    const auto side = random_side(rng);
    const auto other = same_elements(rng, side);
    shape.send = rng.percent(50) ? side : other;
    shape.receive = rng.percent(50) ? side : other;
    const auto n = number_of_elements(shape.send);
    if (rng.percent(20)) {
        const long more = shape.receive.count + rng.between(1, shape.receive.count / 2 + 2);
        if (fits(*shape.receive.type, more)) shape.receive.count = more;
    } else if (rng.percent(15) && n > 0 && n <= 200 && may_be_cut(*shape.receive.type)) {
        cut_anywhere(rng, shape);
    } else if (errors && rng.percent(3) && n > 0 && shape.receive.count > 0 &&
               static_cast<long>(shape.bytes()) <= most_truncated) {
        shape.receive.count = rng.below(shape.receive.count);
        shape.truncated = true;
    }
    return shape;
}

}  // namespace twins
