// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/integrate/constraints/constraints.hpp"

// How far constraints are from satisfied, and how far they turned.
namespace aureole::md {

void Constraints::make_measures(device::Queue& queue, const ConstraintSpec& spec) {
    const auto& settle = spec.settle;
    const auto add = [&](Tag a, Tag b, double length, std::int32_t row) {
        measured_.push_back(a), measured_.push_back(b);
        measured_lengths_.push_back(length);
        measured_rows_.push_back(row);
    };
    for (std::size_t k = 0; k < settle.row.size(); ++k) {
        const Tag* tags = &settle.particles[3 * k];
        const double* d = &settle.parameters[2 * static_cast<std::size_t>(settle.row[k])];
        add(tags[0], tags[1], d[0], -1), add(tags[0], tags[2], d[0], -1);
        add(tags[1], tags[2], d[1], -1);
    }
    const auto& bonds = spec.constraint;
    for (std::size_t k = 0; k < bonds.row.size(); ++k)
        add(bonds.particles[2 * k], bonds.particles[2 * k + 1],
            bonds.parameters[static_cast<std::size_t>(bonds.row[k])], bonds.row[k]);
    degrees_ = static_cast<std::int64_t>(measured_lengths_.size());
    degrees_of_.assign(spec.mass.size(), 0.0);
    for (const auto tag : measured_) degrees_of_[static_cast<std::size_t>(tag)] += 0.5;
    measured_tag_ = to_device(queue, measured_);
    measured_index_ =
        device::Buffer<std::int32_t>(queue, static_cast<std::int64_t>(measured_.size()));
    measured_length_ = to_device(queue, measured_lengths_);
}

const double* Constraints::measure_rate(device::Queue& queue, const VelocityCorrection& of) {
    device::parallel_reduce<double>(queue, "measure rates", measured_length_.size(), 0.0,
                                    MeasureRate{of.box, of.position.data, of.velocity.data,
                                                measured_index_.data(), 1 / of.inverse_time},
                                    device::Max{}, largest_rate_.data());
    return largest_rate_.data();
}

double Constraints::largest_rate(device::Queue& queue, const VelocityCorrection& of) {
    if (empty()) return 0;
    double rate = 0;
    device::copy_to_host(queue, &rate, device::View<const double>{measure_rate(queue, of), 1});
    return rate;
}

const double* Constraints::measure_deviation(device::Queue& queue, const OfBox<ImageShift>& box,
                                             device::View<const core::Vec3d> position) {
    device::parallel_reduce<Deviations>(
        queue, "deviations", degrees_, Deviations{},
        MeasureConstraint{box, position.data, nullptr, measured_index_.data(),
                          measured_length_.data()},
        device::Sum{}, deviations_.data());
    return &deviations_.data()->largest;
}

Constraints::Deviation Constraints::deviation(device::Queue& queue, const OfBox<ImageShift>& box,
                                              device::View<const core::Vec3d> position) {
    if (empty()) return {};
    measure_deviation(queue, box, position);
    Deviations out;
    device::copy_to_host(queue, &out, deviations_.view());
    return {out.largest, std::sqrt(out.square / out.count)};
}

Constraints::WorstLength Constraints::worst_length(device::Queue& queue,
                                                   const OfBox<ImageShift>& box,
                                                   device::View<const core::Vec3d> position) {
    device::Buffer<double> lengths(queue, degrees_);
    device::parallel_for(queue, "lengths", degrees_,
                         MeasureLength{{box, position.data, nullptr, measured_index_.data(),
                                        measured_length_.data()},
                                       lengths.data()});
    std::vector<double> all(static_cast<std::size_t>(degrees_));
    device::copy_to_host(queue, all.data(), device::Input<double>(lengths.view()));
    WorstLength worst;
    for (std::size_t k = 0; k < all.size() && !std::isnan(worst.deviation); ++k)
        if (!(std::abs(all[k] - 1) <= worst.deviation))
            worst = {measured_[2 * k], measured_[2 * k + 1], std::abs(all[k] - 1)};
    return worst;
}

Constraints::Rotation Constraints::worst_rotation(device::Queue& queue, const core::Box& box,
                                                  device::View<const core::Vec3d> before,
                                                  device::View<const core::Vec3d> after) {
    if (empty()) return {};
    device::parallel_reduce<Deviations>(
        queue, "rotations", degrees_, Deviations{},
        MeasureConstraint{box, after.data, before.data, measured_index_.data(),
                          measured_length_.data()},
        device::Sum{}, deviations_.data());
    Deviations out;
    device::copy_to_host(queue, &out, deviations_.view());
    const auto at = static_cast<std::size_t>(2 * out.turned);
    return {measured_[at], measured_[at + 1], std::acos(std::clamp(out.cosine, -1.0, 1.0))};
}

}  // namespace aureole::md
