// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace aureole::preload {

/// Memory of the host for one payload, which another process of the node can map: where devices
/// have no memory left for it. It has no name in a file system.
class HostPiece {
  public:
    HostPiece() = default;
    /// Does not exist if the system has no memory or no descriptor left.
    static HostPiece make(std::size_t bytes);
    /// That of another process.
    static HostPiece of(int process, std::int32_t descriptor, std::size_t bytes);
    HostPiece(HostPiece&& other) noexcept { swap(other); }
    HostPiece& operator=(HostPiece&& other) noexcept {
        swap(other);
        return *this;
    }
    ~HostPiece();

    bool exists() const { return data_ != nullptr; }
    std::byte* data() const { return data_; }
    std::int32_t descriptor() const { return descriptor_; }

  private:
    HostPiece(int descriptor, std::size_t bytes, int protection);
    void swap(HostPiece& other) noexcept;

    int descriptor_ = -1;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace aureole::preload
