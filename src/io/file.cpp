// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace aureole::io {
namespace {

template <class Call>
auto uninterrupted(Call&& call) {
    auto result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

std::string suggestion_for(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
            return "Free space or write to another disk; nothing already saved was lost.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Choose a folder that you may write to.";
        case ENOENT:
        case ENOTDIR:
            return "Check the path.";
        case EMFILE:
        case ENFILE:
            return "Close other files, or raise the limit on open files (ulimit -n).";
        case EIO:
            return "The disk or its connection is failing; use another disk.";
        default:
            return "Check the file and its folder.";
    }
}

/// Whether a path is one of File::in_proc(), which is a link to the file.
bool is_in_proc(const std::filesystem::path& path) { return path.native().starts_with("/proc/"); }

/// Whether a link failed as the file system, or the system for this user, has none.
bool cannot_link(int error_number) {
    return error_number == EPERM || error_number == ENOTSUP || error_number == ENOSYS ||
           error_number == EMLINK || error_number == EACCES;
}

}  // namespace

void throw_file_error(const std::string& operation, const std::filesystem::path& path,
                      int error_number) {
    throw core::FileError("cannot " + operation + " '" + path.string() + "'",
                          std::generic_category().message(error_number),
                          suggestion_for(error_number));
}

File::File(const std::filesystem::path& path, Mode mode, std::filesystem::path shown)
    : shown_(shown.empty() ? path : std::move(shown)) {
    // Non-blocking so that a pipe given by mistake is refused instead of waited for.
    const int flags = mode == Mode::read     ? O_RDONLY | O_CLOEXEC | O_NONBLOCK
                      : mode == Mode::create ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
                      : is_in_proc(path)     ? O_WRONLY | O_CLOEXEC
                                             : O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
    descriptor_ = uninterrupted([&] { return ::open(path.c_str(), flags, 0666); });
    if (descriptor_ == -1) fail(mode == Mode::create ? "create" : "open");
}

File::File(int descriptor, std::filesystem::path shown)
    : shown_(std::move(shown)), descriptor_(descriptor) {}

File::File(File&& other) noexcept
    : shown_(std::move(other.shown_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

std::optional<File> File::without_name(const std::filesystem::path& folder,
                                       std::filesystem::path shown) {
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    const int descriptor = uninterrupted([&] { return ::open(folder.c_str(), flags, 0666); });
    if (descriptor != -1) return File(descriptor, std::move(shown));
    // Old systems take it for a folder or for a name that is not there.
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT) return {};
    throw_file_error("create", shown, errno);
}

File::~File() {
    if (descriptor_ != -1) ::close(descriptor_);
}

void File::fail(const char* operation) const { throw_file_error(operation, shown_, errno); }

bool File::is_regular() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail("inspect");
    return S_ISREG(status.st_mode);
}

std::uint64_t File::size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail("inspect");
    return static_cast<std::uint64_t>(status.st_size);
}

void File::read_at(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t got = uninterrupted(
            [&] { return ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset)); });
        if (got == -1) fail("read");
        if (got == 0) {
            throw core::FileError("cannot read '" + shown_.string() + "'", "it ends too early",
                                  "Use an earlier version of the file.");
        }
        to = to.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
}

void File::write_all(std::span<const std::byte> from) {
    while (!from.empty()) {
        const ssize_t put =
            uninterrupted([&] { return ::write(descriptor_, from.data(), from.size()); });
        if (put == -1) fail("write");
        if (put == 0) throw_file_error("write", shown_, ENOSPC);
        from = from.subspan(static_cast<std::size_t>(put));
    }
}

void File::write_at(std::uint64_t offset, std::span<const std::byte> from) {
    while (!from.empty()) {
        const ssize_t put = uninterrupted([&] {
            return ::pwrite(descriptor_, from.data(), from.size(), static_cast<off_t>(offset));
        });
        if (put == -1) fail("write");
        if (put == 0) throw_file_error("write", shown_, ENOSPC);
        from = from.subspan(static_cast<std::size_t>(put));
        offset += static_cast<std::uint64_t>(put);
    }
}

void File::resize(std::uint64_t bytes) {
    if (uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(bytes)); }) != 0)
        fail("write");
}

void File::sync() {
    // Not retried after a failure: the kernel may have dropped the pages and then report success.
    if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0) fail("flush to disk");
}

bool File::lock() {
    return uninterrupted([&] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0;
}

std::filesystem::path File::in_proc() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
}

bool File::link_as(const std::filesystem::path& name) {
    const std::string own = "/proc/self/fd/" + std::to_string(descriptor_);
    if (::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
        return true;
    if (cannot_link(errno) || errno == ENOENT) return false;  // ENOENT: /proc is not there
    fail("name");
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        throw_file_error("rename '" + from.string() + "' to", to, errno);
    }
}

void sync_folder_of(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int descriptor =
        uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor == -1) throw_file_error("open the folder of", file, errno);
    const int result = uninterrupted([&] { return ::fsync(descriptor); });
    const int error_number = errno;
    ::close(descriptor);
    // Some network file systems cannot flush a folder and say so by EINVAL.
    if (result != 0 && error_number != EINVAL && error_number != ENOTSUP) {
        throw_file_error("flush the folder of", file, error_number);
    }
}

bool link_file(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::link(from.c_str(), to.c_str()) == 0) return true;
    if (cannot_link(errno)) return false;
    throw_file_error("link '" + from.string() + "' as", to, errno);
}

bool remove_file(const std::filesystem::path& path) noexcept {
    return ::unlink(path.c_str()) == 0 || errno == ENOENT;
}

}  // namespace aureole::io
