// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/box.hpp"
#include "core/macros.hpp"

namespace aureole::md {

/// What kernels make of the box, such as minimum images: by value, or from device memory, where a
/// barostat changes it between the steps of a segment.
template <class X>
class OfBox {
  public:
    OfBox() = default;
    /// By value.
    OfBox(const core::Box& box) : value_(box) {}
    /// What `there` in device memory is when a kernel reads it.
    explicit OfBox(const X* there) : there_(there) {}

    AUREOLE_FN X operator()() const {
        if (there_ != nullptr) return *there_;
        return value_;
    }
    AUREOLE_FN bool on_device() const { return there_ != nullptr; }
    const X* there() const { return there_; }
    /// Where it is not on the device.
    const X& value() const { return value_; }

  private:
    X value_{};
    const X* there_ = nullptr;
};

}  // namespace aureole::md
