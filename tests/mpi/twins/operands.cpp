// SPDX-License-Identifier: Apache-2.0
#include "operands.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <mutex>

namespace twins {
namespace {

using Word = unsigned;

/// Types of user-defined operations, by handle, from which these know where their elements lie.
std::mutex known_mutex;
std::map<MPI_Datatype, TypeRef> known;

TypeRef known_type(MPI_Datatype handle) {
    const std::lock_guard lock(known_mutex);
    const auto found = known.find(handle);
    if (found == known.end()) fatal("a user-defined operation was given an unknown datatype");
    return found->second;
}

Word get(const unsigned char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

void put(unsigned char* at, Word word) { std::memcpy(at, &word, sizeof word); }

/// Sums of all words, modulo 2^32: commutative.
void add_words(void* in, void* inout, int* count, MPI_Datatype* handle) {
    const auto type = known_type(*handle);
    for (int i = 0; i < *count; ++i) {
        for (const auto& piece : type->map) {
            const auto at = i * type->extent + piece.at;
            auto* target = static_cast<unsigned char*>(inout) + at;
            put(target, get(static_cast<const unsigned char*>(in) + at) + get(target));
        }
    }
}

/// Pairs of words (a, b) as maps x -> a x + b, one after the other: associative, not commutative.
void compose_maps(void* in, void* inout, int* count, MPI_Datatype* handle) {
    const auto type = known_type(*handle);
    for (int i = 0; i < *count; ++i) {
        for (std::size_t k = 0; k + 1 < type->map.size(); k += 2) {
            const auto a_at = i * type->extent + type->map[k].at;
            const auto b_at = i * type->extent + type->map[k + 1].at;
            const auto* first = static_cast<const unsigned char*>(in);
            auto* second = static_cast<unsigned char*>(inout);
            const Word a = get(first + a_at), b = get(first + b_at);
            put(second + b_at, a * get(second + b_at) + b);
            put(second + a_at, a * get(second + a_at));
        }
    }
}

/// Words with gaps, from offset 0 on and aligned: for lower bounds other than 0 or odd places,
/// MPICH 5.0.2 and Open MPI 5.0.11 reduce beyond the ends of their own buffers.
TypeRef words_with_gaps(Rng& rng, int words) {
    const auto basic = static_cast<short>(basic_named("unsigned"));
    std::vector<int> lengths(static_cast<std::size_t>(words), 1), places;
    std::vector<Piece> map;
    int cursor = 0;
    for (int i = 0; i < words; ++i) {
        places.push_back(cursor);
        map.push_back({cursor * 4, basic});
        cursor += 1 + (rng.percent(40) ? static_cast<int>(rng.below(3)) : 0);
    }
    MPI_Datatype handle;
    MPI_Type_indexed(words, lengths.data(), places.data(), MPI_UNSIGNED, &handle);
    const auto type = made(handle, std::move(map), std::to_string(words) + " words with gaps");
    return rng.percent(50) ? resized_of(type, 0, type->high + 4 * rng.below(4)) : type;
}

Operation user_operation(Rng& rng) {
    Operation operation;
    const bool commutes = rng.percent(50);
    const long words = commutes ? rng.between(1, 9) : 2 * rng.between(1, 4);
    operation.type = commutes && rng.percent(30) ? basic_type(basic_named("unsigned"))
                                                 : words_with_gaps(rng, static_cast<int>(words));
    operation.name = commutes ? "sum of words" : "composition of maps";
    operation.own = true;
    MPI_Op_create(commutes ? add_words : compose_maps, commutes, &operation.op);
    const std::lock_guard lock(known_mutex);
    known[operation.type->handle] = operation.type;
    return operation;
}

struct Named {
    MPI_Op op;
    const char* name;
};

Operation built_in(Rng& rng) {
    Operation operation;
    const auto choose = [&](std::initializer_list<Named> list) {
        const auto named = rng.one_of(list);
        operation.op = named.op;
        operation.name = named.name;
    };
    if (rng.percent(20)) {
        operation.type = pair_type(static_cast<int>(rng.below(pair_types)));
        choose({{MPI_MINLOC, "MINLOC"}, {MPI_MAXLOC, "MAXLOC"}});
        return operation;
    }
    int basic = random_basic(rng);
    while (basic == basic_named("char")) basic = random_basic(rng);
    operation.type = basic_type(basic);
    const Named sum{MPI_SUM, "SUM"}, product{MPI_PROD, "PROD"}, least{MPI_MIN, "MIN"},
        most{MPI_MAX, "MAX"}, bits_and{MPI_BAND, "BAND"}, bits_or{MPI_BOR, "BOR"},
        bits_xor{MPI_BXOR, "BXOR"}, both{MPI_LAND, "LAND"}, either{MPI_LOR, "LOR"},
        one{MPI_LXOR, "LXOR"};
    switch (basics()[basic].family) {
        case Family::bytes:
            choose({bits_and, bits_or, bits_xor});
            break;
        case Family::integer:
            choose(
                {sum, sum, product, least, most, bits_and, bits_or, bits_xor, both, either, one});
            break;
        case Family::real:
            choose({sum, sum, product, least, most});
            break;
        case Family::complex:
            choose({sum, product});
            break;
    }
    operation.product = operation.op == MPI_PROD;
    operation.logical = operation.name[0] == 'L';
    return operation;
}

template <class T>
void write(unsigned char* at, double value, std::size_t bytes = sizeof(T)) {
    const T converted = static_cast<T>(value);
    std::memcpy(at, &converted, bytes);
}

/// Writes a floating-point value; other types keep their noise unless they are logical.
/// Sums of 8 and 16 bits stay small: Open MPI 5.0.11 cuts them off at the largest number in vectors
/// of the processor, and not in the elements that are left over.
void write_value(unsigned char* at, const Basic& basic, double value, double other,
                 const Operation& operation) {
    const bool is_short_sum = basic.size <= 2 && operation.op == MPI_SUM;
    if (basic.family == Family::integer && operation.logical && value < 0) {
        std::memset(at, 0, static_cast<std::size_t>(basic.size));
    } else if (basic.family == Family::integer && is_short_sum) {
        std::memset(at, 0, static_cast<std::size_t>(basic.size));
        at[0] = static_cast<unsigned char>(std::abs(value) / 100);
    } else if (basic.family == Family::real) {
        if (basic.value_bytes == 4) write<float>(at, value);
        if (basic.value_bytes == 8) write<double>(at, value);
        if (basic.value_bytes == 10) write<long double>(at, value, 10);
    } else if (basic.family == Family::complex) {
        if (basic.size == 8) write<float>(at, value), write<float>(at + 4, other);
        if (basic.size == 16) write<double>(at, value), write<double>(at + 8, other);
    }
}

}  // namespace

Operation random_operation(Rng& rng) {
    return rng.percent(35) ? user_operation(rng) : built_in(rng);
}

void free_operation(Operation& operation) {
    if (operation.own) MPI_Op_free(&operation.op);
}

void forget_operations() {
    const std::lock_guard lock(known_mutex);
    known.clear();
}

void fill_operands(Buffer& buffer, const Operation& operation) {
    buffer.refill();
    Bytes image = *buffer.image();
    for (const auto& block : buffer.blocks()) {
        for (long i = 0; i < block.count; ++i) {
            for (const auto& piece : block.type->map) {
                const auto at = buffer.zero() + block.at + i * block.type->extent + piece.at;
                const Basic& basic = basics()[piece.basic];
                // Sums of integers below 2^10 and products of small powers of two are exact; so are
                // those of six complex numbers whose angles are small, and no part of them is 0,
                // whose sign would depend on the order.
                const auto draw = [&] {
                    return operation.product
                               ? buffer.noise().one_of({1.0, -1.0, 2.0, 0.5})
                               : static_cast<double>(buffer.noise().between(-999, 999));
                };
                double value = draw(), other = draw();
                if (operation.product && basic.family == Family::complex)
                    value = static_cast<double>(buffer.noise().between(4, 7)), other = 1.0;
                write_value(image.data() + at, basic, value, other, operation);
            }
        }
    }
    buffer.set(std::move(image));
}

}  // namespace twins
