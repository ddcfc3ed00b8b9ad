// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <charconv>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_format.hpp"
#include "io/checkpoint_verify.hpp"
#include "io/file.hpp"

namespace aureole::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_mark = ".tmp-";
constexpr std::string_view link_mark = "-prev";

std::span<const std::byte> bytes_of(const Block& block) {
    return {static_cast<const std::byte*>(block.data), block.bytes};
}

std::vector<format::Entry> entries_of(std::span<const Block> blocks) {
    std::vector<format::Entry> entries;
    std::set<std::string> names;
    for (const Block& block : blocks) {
        if (block.name.empty() || block.name.size() > format::max_name_bytes ||
            !names.insert(block.name).second) {
            throw core::InputError("checkpoint block name '" + block.name + "' cannot be used",
                                   "names are unique and have 1 to 255 bytes", "Rename the block.");
        }
        entries.push_back({block.name, 0, block.bytes, format::digest(bytes_of(block))});
    }
    return entries;
}

/// Where the file really is: links are followed, so that they stay links. Refuses what is no file.
fs::path resolved(const fs::path& path) {
    std::error_code ignored;
    const fs::path target =
        fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
    const auto status = fs::status(target, ignored);
    if (target.filename().empty() || (fs::exists(status) && !fs::is_regular_file(status))) {
        throw core::FileError("cannot write checkpoint '" + path.string() + "'", "it is not a file",
                              "Give the name of a file.");
    }
    return target;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path with_suffix(const fs::path& path, const std::string& suffix) {
    fs::path result = path;
    result += suffix;
    return result;
}

/// Whether `name` is a temporary of the checkpoint called `target`: target.tmp-<digits>[-prev].
bool is_temporary_of(std::string_view name, std::string_view target) {
    if (!name.starts_with(target)) return false;
    name.remove_prefix(target.size());
    if (!name.starts_with(temporary_mark)) return false;
    name.remove_prefix(temporary_mark.size());
    if (name.ends_with(link_mark)) name.remove_suffix(link_mark.size());
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_complete(const fs::path& path) {
    try {
        const File file(path, File::Mode::read);
        std::vector<std::byte> piece;
        format::verified(file.size(), [&](std::uint64_t offset, std::size_t bytes) {
            piece.resize(bytes);
            file.read_at(offset, piece);
            return std::span<const std::byte>(piece);
        });
        return true;
    } catch (const format::Damage&) {
        return false;
    } catch (const core::FileError&) {
        return false;
    }
}

/// Makes `path` also (or, where there are no hard links, only) its own previous generation. A
/// damaged file is not kept: it would push out the last good one.
void keep_previous(const fs::path& path, const fs::path& link) {
    std::error_code ignored;
    const fs::path previous = previous_generation(path);
    if (!fs::exists(path, ignored) || !is_complete(path)) return;
    // Renaming one name of a file onto another of the same file does nothing and leaves both.
    if (fs::equivalent(path, previous, ignored)) return;
    remove_file(link);
    if (link_file(path, link)) {
        rename_file(link, previous);
    } else {
        rename_file(path, previous);
    }
}

void write_blocks(File& file, std::span<const Block> blocks) {
    std::vector<format::Entry> entries = entries_of(blocks);
    const std::vector<std::byte> front = format::encode_front(entries);
    file.write_all(front);
    std::uint64_t end = front.size();
    const std::array<std::byte, format::alignment> zeros{};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        file.write_all(std::span(zeros).first(static_cast<std::size_t>(entries[i].offset - end)));
        file.write_all(bytes_of(blocks[i]));
        end = entries[i].offset + entries[i].bytes;
    }
}

/// Names to be gone when the writing is over, whichever way it ends.
struct Temporaries {
    fs::path file, link;
    ~Temporaries() {
        remove_file(file);
        remove_file(link);
    }
};

}  // namespace

fs::path previous_generation(const fs::path& path) { return with_suffix(path, ".prev"); }

void remove_stale_temporaries(const fs::path& path) {
    std::error_code ignored;
    const std::string target = path.filename().string();
    const fs::path folder = folder_of(path);
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
        if (is_temporary_of(it->path().filename().string(), target)) found.push_back(it->path());
    }
    for (const fs::path& temporary : found) {
        // A writer at work holds a lock, which the kernel drops when it dies; process numbers would
        // not do, since they are used again and differ between containers.
        try {
            if (File(temporary, File::Mode::read).lock()) remove_file(temporary);
        } catch (const core::FileError&) {
            continue;  // gone meanwhile, or somebody else's
        }
    }
}

void write_checkpoint(const fs::path& path, std::span<const Block> blocks) {
    const fs::path target = resolved(path);
    remove_stale_temporaries(target);
    const std::string own = std::string(temporary_mark) + std::to_string(::getpid());
    const Temporaries names{with_suffix(target, own),
                            with_suffix(target, own + std::string(link_mark))};
    File file(names.file, File::Mode::create, target);
    file.lock();
    write_blocks(file, blocks);
    file.sync();
    // Still open, so that the lock guards the temporary name until it is gone.
    keep_previous(target, names.link);
    rename_file(names.file, target);
    sync_folder_of(target);
}

}  // namespace aureole::io
