// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/buffer.hpp"
#include "md/particles/tag_map.kernel.hpp"

namespace aureole::md {

/// A copy of a TagMap in host memory.
struct TagMapOnHost {
    std::vector<Tag> key;  ///< empty: slots are tags
    std::vector<std::int32_t> index;

    IndexOfTag indices() const {
        return {key.empty() ? nullptr : key.data(), index.data(),
                static_cast<std::int64_t>(index.size())};
    }
};

/// The local index of each tag. Its memory is proportional to the number of local particles,
/// however large their tags are.
class TagMap {
  public:
    enum class Form { array, table };

    /// To be called after every sort, with the tags [n] in local order, all different and below
    /// `end`. Without a form it takes an array where tags are dense.
    void make(device::Queue& queue, device::Input<Tag> tag, Tag end);
    void make(device::Queue& queue, device::Input<Tag> tag, Tag end, Form form);

    IndexOfTag indices() const {
        return {form_ == Form::table ? key_.data() : nullptr, index_.data(), index_.size()};
    }
    TagMapOnHost on_host(device::Queue& queue) const;
    /// Number of local particles: indices are below it.
    std::int64_t size() const { return n_; }
    /// Whether every tag is here.
    bool complete() const { return n_ == end_; }
    Form form() const { return form_; }

  private:
    Form form_ = Form::array;
    std::int64_t n_ = 0;
    Tag end_ = 0;
    device::Buffer<Tag> key_;
    device::Buffer<std::int32_t> index_;
};

}  // namespace aureole::md
