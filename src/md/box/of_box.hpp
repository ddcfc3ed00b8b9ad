// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/box.hpp"
#include "core/macros.hpp"

namespace aureole::md {

/// A quantity that kernels derive from the box, such as minimum images: by value, or from device
/// memory, where a barostat changes it between the steps of a segment.
template <class X>
class OfBox {
  public:
    OfBox() = default;
    /// Holds the value for this box.
    OfBox(const core::Box& box) : value_(box) {}
    /// Reads `there`, in device memory, each time a kernel needs the value.
    explicit OfBox(const X* there) : there_(there) {}

    AUREOLE_FN X operator()() const {
        if (there_ != nullptr) return *there_;
        return value_;
    }
    AUREOLE_FN bool on_device() const { return there_ != nullptr; }
    const X* there() const { return there_; }
    /// The value, unless it is on the device.
    const X& value() const { return value_; }

  private:
    X value_{};
    const X* there_ = nullptr;
};

}  // namespace aureole::md
