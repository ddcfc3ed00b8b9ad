// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/tag_map.kernel.hpp"

namespace aureole::md {

/// Where the particle of each tag is, for all that name particles by tags. Its memory is in
/// proportion to the particles that are here, however large their tags are.
class TagMap {
  public:
    enum class Form { array, table };

    /// To be called after every sort, with the tags [n] in local order, all different and below
    /// `end`. Without a form it takes an array where tags are dense.
    void make(device::Queue& queue, device::Input<Tag> tag, Tag end);
    void make(device::Queue& queue, device::Input<Tag> tag, Tag end, Form form);

    PlaceOfTag places() const {
        return {form_ == Form::table ? key_.data() : nullptr, place_.data(), place_.size()};
    }
    /// Particles that are here: places are below it.
    std::int64_t size() const { return n_; }
    Form form() const { return form_; }

  private:
    Form form_ = Form::array;
    std::int64_t n_ = 0;
    device::Buffer<Tag> key_;
    device::Buffer<std::int32_t> place_;
};

}  // namespace aureole::md
