// SPDX-License-Identifier: Apache-2.0
#include "md/pair/read_columns.hpp"

#include "core/error.hpp"

namespace aureole::md {

const Column<double>& column_to_read(const Particles& particles, const Potential& potential,
                                     const ColumnRead& column) {
    const std::string name = column.name, of = potential.name;
    const auto* const any = particles.find_column(name);
    if (any == nullptr || any->rows() != particles.n)
        throw core::InputError("the particles have no column '" + name + "'",
                               of + " reads it of both particles of a pair",
                               name == "charge" ? "Give the particles charges."
                                                : "Set system.columns['" + name + "'].");
    const auto* const numbers = dynamic_cast<const Column<double>*>(any);
    if (numbers == nullptr)
        throw core::InputError("column '" + name + "' does not hold one number of each particle",
                               of + " reads it as such", "Make it an array [n] of float64.");
    return *numbers;
}

ColumnsRead::ColumnsRead(device::Queue& queue, const Particles& particles,
                         const Potential& potential)
    : columns_(potential.reads.size()), values_(static_cast<std::size_t>(particles.n) * columns_) {
    for (std::size_t k = 0; k < columns_; ++k) {
        const auto from =
            download(queue, column_to_read(particles, potential, potential.reads[k]).view());
        for (std::size_t i = 0; i < from.size(); ++i) values_[i * columns_ + k] = from[i];
    }
}

}  // namespace aureole::md
