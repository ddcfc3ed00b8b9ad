// SPDX-License-Identifier: Apache-2.0
#include "preload/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

}  // namespace

std::string beginning_of(const std::string& path) {
    std::array<char, 4096> text{};
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto n = file < 0 ? 0 : ::read(file, text.data(), text.size());
    if (file >= 0) ::close(file);
    return {text.data(), n < 0 ? 0 : static_cast<std::size_t>(n)};
}

std::optional<std::string> read_small_file(const std::string& path) {
    // It may be a pipe, for whose other end nobody should wait.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR)) return {};
    std::string text;
    int error = file < 0 ? errno : 0;
    while (error == 0 && text.size() <= most_bytes) {
        std::array<char, 4096> part{};
        const auto n = ::read(file, part.data(), part.size());
        if (n == 0) break;
        if (n > 0)
            text.append(part.data(), static_cast<std::size_t>(n));
        else if (errno != EINTR)
            error = errno;
    }
    if (file >= 0) ::close(file);
    if (error != 0) throw core::FileError("it cannot be read", std::strerror(error), "");
    if (text.size() > most_bytes)
        throw core::InputError("it has more than a megabyte", "", "Remove it.");
    return text;
}

}  // namespace aureole::preload
