// SPDX-License-Identifier: Apache-2.0
#include "md/particles/fixed_force_column.hpp"

#include "device/copy.hpp"

namespace aureole::md {

FixedForceColumn::FixedForceColumn(device::Queue& queue, int exponent)
    : exponent_(exponent), unit_(queue, 1) {
    clear(queue);
}

void FixedForceColumn::resize(device::Queue& queue, std::int64_t n) {
    number_.resize(queue, 2 * FixedForces::room(n));
    clear(queue);
}

void FixedForceColumn::clear(device::Queue& queue) {
    device::fill(queue, unit_.view(), ForceUnit(exponent_));
    if (number_.size() > 0) device::fill(queue, number_.view(), 0);
}

FixedForces FixedForceColumn::view() {
    return {number_.data(), number_.data() + number_.size() / 2, unit_.data()};
}

void FixedForceColumn::set_exponent(device::Queue& queue, int exponent) {
    exponent_ = exponent;
    clear(queue);
}

void FixedForceColumn::save(device::Queue& queue) {
    saved_.resize(queue, number_.size());
    device::copy(queue, saved_.view(), device::Input<std::int64_t>(number_.view()));
}

void FixedForceColumn::restore(device::Queue& queue) {
    device::copy(queue, number_.view(), device::Input<std::int64_t>(saved_.view()));
}

}  // namespace aureole::md
