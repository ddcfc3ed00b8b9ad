// SPDX-License-Identifier: Apache-2.0
#include "preload/basic_kinds.hpp"

#include <array>
#include <bit>
#include <string_view>

#include "preload/library.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

constexpr std::array<const char*, 3> names{"integers", "floating-point numbers", "complex numbers"};
constexpr int sizes = 8;  // powers of two

int family_of(std::string_view name) {
    constexpr std::string_view integers[] = {"MPI_SHORT",         "MPI_INT",
                                             "MPI_LONG",          "MPI_LONG_LONG",
                                             "MPI_LONG_LONG_INT", "MPI_UNSIGNED",
                                             "MPI_UNSIGNED_INT",  "MPI_UNSIGNED_SHORT",
                                             "MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG",
                                             "MPI_INT16_T",       "MPI_INT32_T",
                                             "MPI_INT64_T",       "MPI_UINT16_T",
                                             "MPI_UINT32_T",      "MPI_UINT64_T",
                                             "MPI_AINT",          "MPI_OFFSET",
                                             "MPI_COUNT"};
    for (const auto one : integers)
        if (name == one) return 0;
    if (name.find("COMPLEX") != std::string_view::npos) return 2;
    if (name.starts_with("MPI_INTEGER") && name != "MPI_INTEGER1") return 0;
    if (name.starts_with("MPI_REAL")) return 1;
    for (const std::string_view one :
         {"MPI_FLOAT", "MPI_DOUBLE", "MPI_LONG_DOUBLE", "MPI_DOUBLE_PRECISION"})
        if (name == one) return 1;
    return -1;
}

}  // namespace

std::uint64_t kinds_of_named(Handle type) {
    static constinit Next<int(Handle, char*, int*)> get_name("MPI_Type_get_name");
    std::array<char, 512> name{};
    int length = 0;
    Count size = 0;
    if (get_name(type, name.data(), &length) != 0 || mpi.type_size(type, &size) != 0)
        return any_kind;
    const int family = family_of(name.data());
    if (family < 0 || size <= 1 || size >= 1 << sizes) return any_kind;
    const int power = std::bit_width(static_cast<std::uint64_t>(size)) - 1;
    return std::uint64_t{1} << (family * sizes + power);
}

bool is_one_whole_kind(std::uint64_t kinds) {
    if (!std::has_single_bit(kinds) || kinds == any_kind) return false;
    const int bit = std::countr_zero(kinds), family = bit / sizes, power = bit % sizes;
    return power <= (family == 2 ? 4 : 3);  // complex numbers of two doubles, at most
}

std::string text_of_kinds(std::uint64_t kinds) {
    std::string text;
    if ((kinds & any_kind) != 0) return text;
    for (int k = 0; k < sizes * static_cast<int>(names.size()); ++k)
        if ((kinds >> k & 1) != 0)
            text += (text.empty() ? "" : " and ") +
                    std::string(names[static_cast<std::size_t>(k / sizes)]) + " of " +
                    std::to_string(1 << k % sizes) + " bytes";
    return text;
}

}  // namespace aureole::preload
