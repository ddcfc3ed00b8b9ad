// SPDX-License-Identifier: Apache-2.0
#include "preload/host_piece.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace aureole::preload {

HostPiece::HostPiece(int descriptor, std::size_t bytes, int protection)
    : descriptor_(descriptor), bytes_(bytes) {
    if (descriptor < 0) return;
    void* const made = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
    if (made != MAP_FAILED) data_ = static_cast<std::byte*>(made);
}

HostPiece HostPiece::make(std::size_t bytes) {
    const auto file = static_cast<int>(syscall(SYS_memfd_create, "aureole-mpi-payload", 1U));
    if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        ::close(file);
        return {};
    }
    return {file, bytes, PROT_READ | PROT_WRITE};
}

HostPiece HostPiece::of(int process, std::int32_t descriptor, std::size_t bytes) {
    const std::string path =
        "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // Beyond the end of a file there is no memory: to touch it would end the process.
    if (file >= 0 && ::lseek(file, 0, SEEK_END) < static_cast<off_t>(bytes)) {
        ::close(file);
        return {};
    }
    return {file, bytes, PROT_READ};
}

void HostPiece::swap(HostPiece& other) noexcept {
    std::swap(descriptor_, other.descriptor_), std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
}

HostPiece::~HostPiece() {
    if (data_ != nullptr) munmap(data_, bytes_);
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace aureole::preload
