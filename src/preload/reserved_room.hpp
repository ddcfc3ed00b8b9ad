// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace aureole::preload {

/// Room on the host for a message that most likely does not come, as its payload goes straight to
/// the device: addresses that have no memory until they are written, and are not pinned. From a
/// pool and back to it.
class ReservedRoom {
  public:
    ReservedRoom() = default;
    /// Does not exist if the system gives no addresses.
    explicit ReservedRoom(std::size_t bytes);
    ReservedRoom(ReservedRoom&& other) noexcept { swap(other); }
    ReservedRoom& operator=(ReservedRoom&& other) noexcept {
        swap(other);
        return *this;
    }
    ~ReservedRoom();

    std::byte* data() const { return data_; }
    bool exists() const { return data_ != nullptr; }
    /// More than a header was written: its memory is given back at the end.
    void note_written() { is_written_ = true; }

  private:
    void swap(ReservedRoom& other) noexcept;

    std::byte* data_ = nullptr;
    int bin_ = 0;
    bool is_written_ = false;
};

}  // namespace aureole::preload
