// SPDX-License-Identifier: Apache-2.0
#include "md/leaf/leaf_memory.hpp"

#include <cmath>

#include "core/error.hpp"

namespace aureole::md {

namespace {

ElementType type_of(const ColumnUse& use) {
    return use.kind == ColumnKind::vector ? ElementType::vector : ElementType::real;
}

void add_zeros(device::Queue& queue, Particles& particles, const ColumnUse& use) {
    const ColumnSpec spec{.name = use.name, .unit = use.unit, .of_user = true};
    auto column = make_column(type_of(use), spec);
    const auto bytes = static_cast<std::size_t>(particles.n) * column->element_size();
    column->set_bytes(queue, std::vector<std::byte>(bytes));
    particles.more.push_back(std::move(column));
}

}  // namespace

void check_parameters(std::span<const Parameter> wanted, const std::vector<double>& given,
                      const std::string& leaf) {
    if (given.size() != wanted.size())
        throw core::InputError(leaf + " has " + std::to_string(wanted.size()) + " parameters",
                               std::to_string(given.size()) + " were given",
                               "Give them in the order of its description.");
    for (std::size_t k = 0; k < given.size(); ++k)
        if (!std::isfinite(given[k]))
            throw core::InputError(
                std::string("parameter ") + wanted[k].name + " of " + leaf + " is not finite",
                "it is " + std::to_string(given[k]), "Give a finite number.");
}

AnyColumn& column_to_use(device::Queue& queue, Particles& particles, const ColumnUse& use,
                         const std::string& leaf) {
    const std::string name = use.name;
    if (use.made && particles.find_column(name) == nullptr) add_zeros(queue, particles, use);
    auto* const column = particles.find_column(name);
    if (column == nullptr || column->rows() != particles.n)
        throw core::InputError("the particles have no column '" + name + "'", leaf + " uses it",
                               name == "charge" ? "Give the particles charges."
                                                : "Set system.columns['" + name + "'].");
    if (column->type() != type_of(use))
        throw core::InputError("column '" + name + "' has the wrong type for " + leaf,
                               use.kind == ColumnKind::vector
                                   ? "it needs three real numbers per particle"
                                   : "it needs one real number per particle",
                               "Make it a float64 array of that shape.");
    return *column;
}

void* values_of(AnyColumn& column) {
    if (column.type() == ElementType::vector) return static_cast<Column<Vec3d>&>(column).data();
    return static_cast<Column<double>&>(column).data();
}

Column<std::uint8_t>& flag_column(device::Queue& queue, Particles& particles,
                                  const std::string& name,
                                  const std::vector<std::uint8_t>& by_tag) {
    auto& column = particles.column<std::uint8_t>({.name = name, .in_checkpoints = false});
    const auto local = to_local_order(by_tag, download_tags(queue, particles));
    column.set_bytes(queue, std::as_bytes(std::span(local)));
    return column;
}

void check_flags(const std::vector<std::uint8_t>& by_tag, std::int64_t n, const std::string& leaf) {
    if (by_tag.empty() || static_cast<std::int64_t>(by_tag.size()) == n) return;
    throw core::InputError("the group of " + leaf + " has the wrong length",
                           "it needs one entry per particle", "Give a filter.");
}

}  // namespace aureole::md
