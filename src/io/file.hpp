// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace aureole::io {

/// An open file, closed with its scope. Every failure throws core::FileError naming file, operation
/// and the system's reason; interrupted and partial transfers are carried on.
class File {
  public:
    enum class Mode { read, create, change };

    /// Errors speak of `shown`, or of `path` if that is empty.
    File(const std::filesystem::path& path, Mode mode, std::filesystem::path shown = {});
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    File(File&& other) noexcept;
    /// A file in a folder that is gone when it is closed, unless `link_as` names it; none where the
    /// file system has no such files.
    static std::optional<File> without_name(const std::filesystem::path& folder,
                                            std::filesystem::path shown);

    bool is_regular() const;
    std::uint64_t size() const;
    /// Reads exactly `to.size()` bytes at `offset`; a file that ends earlier is an error.
    void read_at(std::uint64_t offset, std::span<std::byte> to) const;
    void write_all(std::span<const std::byte> from);
    void write_at(std::uint64_t offset, std::span<const std::byte> from);
    /// Cuts the file, or adds zeros.
    void resize(std::uint64_t bytes);
    /// Returns when the contents are on the medium.
    void sync();
    /// Marks the file as in use by a living writer; false if somebody else holds it.
    bool lock();
    /// Gives a file without a name its name; false where the system cannot.
    bool link_as(const std::filesystem::path& name);
    /// Where other processes of this user on this machine can open it to change it, name or not.
    std::filesystem::path in_proc() const;

  private:
    File(int descriptor, std::filesystem::path shown);
    [[noreturn]] void fail(const char* operation) const;

    std::filesystem::path shown_;
    int descriptor_ = -1;
};

/// "cannot <operation> 'path' (reason of errno value). suggestion"
[[noreturn]] void throw_file_error(const std::string& operation, const std::filesystem::path& path,
                                   int error_number);

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
/// Makes the name of `file`, just renamed, durable by flushing its folder where the system can.
void sync_folder_of(const std::filesystem::path& file);
/// A second name for the file `from`; false where the file system has no hard links.
bool link_file(const std::filesystem::path& from, const std::filesystem::path& to);
/// Removes a file if it is there; a failure is for the caller to ignore or not.
bool remove_file(const std::filesystem::path& path) noexcept;

}  // namespace aureole::io
