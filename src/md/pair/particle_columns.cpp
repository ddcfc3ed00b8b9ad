// SPDX-License-Identifier: Apache-2.0
#include "md/pair/particle_columns.hpp"

#include "core/error.hpp"

namespace aureole::md {

namespace {

std::string kept_name(const std::string& column) { return column + " in pair forces"; }

const AnyColumn* find_filled(const Particles& particles, const std::string& name) {
    const auto* const column = particles.find_column(name);
    return column != nullptr && column->rows() == particles.n ? column : nullptr;
}

const char* words_for(ColumnKind kind) {
    return kind == ColumnKind::vector ? "three numbers" : "one number";
}

/// f(element) for the types of columns that change with steps.
template <class F>
void with_real_type(const AnyColumn& column, F&& f) {
    if (column.type() == ElementType::vector)
        f(Vec3d{});
    else
        f(double{});
}

}  // namespace

const AnyColumn& column_to_read(const Particles& particles, const Potential& potential,
                                const ColumnRead& column) {
    const std::string name = column.name, of = potential.name;
    if (const auto* const kept = find_filled(particles, kept_name(name))) return *kept;
    const auto* const found = find_filled(particles, name);
    if (found == nullptr)
        throw core::InputError("the particles have no column '" + name + "'",
                               of + " reads it for both particles of a pair",
                               name == "charge" ? "Give the particles charges."
                                                : "Set system.columns['" + name + "'].");
    constexpr ElementType types[] = {ElementType::real, ElementType::vector, ElementType::tag};
    if (found->type() != types[static_cast<int>(column.kind)])
        throw core::InputError(
            "column '" + name + "' does not hold " + words_for(column.kind) + " per particle",
            of + " needs this shape", "Make it a float64 array of that shape.");
    return *found;
}

ChangingColumns::ChangingColumns(const std::vector<PairForce>& forces,
                                 const std::vector<std::string>& names) {
    const auto reads = [](const PairForce& force, const std::string& name) {
        return std::ranges::any_of(force.potential().reads,
                                   [&](const ColumnRead& use) { return name == use.name; });
    };
    for (const auto& name : names)
        if (std::ranges::find(names_, name) == names_.end() &&
            std::ranges::any_of(forces, [&](const auto& force) { return reads(force, name); }))
            names_.push_back(name);
}

void ChangingColumns::add_to(Particles& particles) const {
    for (const auto& name : names_) {
        const auto* const from = particles.find_column(name);
        if (from == nullptr) continue;
        const ColumnSpec spec{.name = kept_name(name),
                              .unit = from->spec().unit,
                              .optional = true,
                              .on_ghosts = true};
        with_real_type(*from, [&]<class T>(const T&) { particles.column<T>(spec); });
    }
}

void ChangingColumns::keep(device::Queue& queue, Particles& particles,
                           const BringToGhosts& bring) const {
    add_to(particles);
    for (const auto& name : names_)
        if (const auto* const from = particles.find_column(name); from != nullptr)
            copy(queue, particles, *from, bring);
}

void ChangingColumns::keep_first(device::Queue& queue, Particles& particles) const {
    add_to(particles);
    for (const auto& name : names_)
        if (const auto* const from = particles.find_column(name);
            from != nullptr && find_filled(particles, kept_name(name)) == nullptr)
            copy(queue, particles, *from, {});
}

void ChangingColumns::copy(device::Queue& queue, Particles& particles, const AnyColumn& from,
                           const BringToGhosts& bring) const {
    with_real_type(from, [&]<class T>(const T&) {
        auto& to = particles.column<T>({.name = kept_name(from.spec().name)});
        const auto& values = static_cast<const Column<T>&>(from);
        to.resize(queue, values.size());
        device::copy(queue, to.view(), values.view());
        if (bring) bring(to);
    });
}

void put_on_ghosts(Particles& particles, const std::vector<PairForce>& forces,
                   const ChangingColumns& changing) {
    changing.add_to(particles);
    for (const auto& force : forces)
        for (const auto& use : force.potential().reads)
            if (std::ranges::find(changing.names(), use.name) == changing.names().end())
                if (auto* const column = particles.find_column(use.name); column != nullptr)
                    column->put_on_ghosts();
}

ColumnsRead::ColumnsRead(device::Queue& queue, const Particles& particles,
                         const Potential& potential)
    : numbers_(static_cast<std::size_t>(potential.numbers_read())),
      values_(static_cast<std::size_t>(particles.all()) * numbers_) {
    for_each_column_read(particles, potential, nullptr, [&](const AnyColumn& column, int first) {
        with_values(column, [&]<class T>(const T* from) {
            const auto rows = column.rows() + column.ghosts();
            const auto values = download(queue, device::View<const T>{from, rows});
            for (std::size_t i = 0; i < values.size(); ++i)
                put_numbers(values[i], values_.data() + i * numbers_ + first, 1);
        });
    });
}

}  // namespace aureole::md
