// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
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

void require_names(std::span<const format::Entry> entries) {
    std::set<std::string_view> names;
    for (const auto& entry : entries)
        if (entry.name.empty() || entry.name.size() > format::max_name_bytes ||
            !names.insert(entry.name).second)
            throw core::InputError("checkpoint block name '" + entry.name + "' cannot be used",
                                   "names must be unique and have 1 to 255 bytes",
                                   "Rename the block.");
}

std::vector<format::Entry> digested(std::span<const Block> blocks) {
    std::vector<format::Entry> entries;
    for (const Block& block : blocks)
        entries.push_back({block.name, 0, block.bytes, format::digest(bytes_of(block))});
    require_names(entries);
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

/// Makes `path` also (or, where there are no hard links, only) its own previous generation.
void keep_previous(const fs::path& path, const fs::path& link) {
    std::error_code ignored;
    const fs::path previous = previous_generation(path);
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
    std::vector<format::Entry> entries = digested(blocks);
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

void copy_contents(const File& from, File& to) {
    std::vector<std::byte> piece(std::size_t{1} << 20);
    const std::uint64_t size = from.size();
    for (std::uint64_t at = 0; at < size; at += piece.size()) {
        piece.resize(std::min<std::uint64_t>(piece.size(), size - at));
        from.read_at(at, piece);
        to.write_all(piece);
    }
}

/// A checkpoint that is being written beside its name, which it gets at the end. It has no name
/// until it is whole, where that can be, so that a writer that is killed leaves nothing behind.
/// Temporary names are gone afterwards, whichever way the writing ends.
class Draft {
  public:
    Draft(const fs::path& path, bool unnamed)
        : target_(resolved(path)),
          temporary_(with_suffix(target_, own_mark())),
          link_(with_suffix(target_, own_mark() + std::string(link_mark))),
          file_(begun(unnamed)) {
        file_.lock();
    }
    ~Draft() {
        remove_file(temporary_);
        remove_file(link_);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    File& file() { return file_; }
    /// The path at which the other writers open the file.
    fs::path address() const { return named_ ? temporary_ : file_.in_proc(); }

    void finish() {
        file_.sync();
        // A damaged file is not kept: it would push out the last good one.
        const bool sound = is_complete(target_);
        // Still open, so that the lock guards the temporary name until it is gone.
        std::optional<File> copy;
        if (!named_ && !file_.link_as(temporary_)) {
            copy.emplace(temporary_, File::Mode::create, target_);
            copy->lock();
            copy_contents(file_, *copy);
            copy->sync();
        }
        if (sound) keep_previous(target_, link_);
        rename_file(temporary_, target_);
        sync_folder_of(target_);
    }

  private:
    static std::string own_mark() {
        return std::string(temporary_mark) + std::to_string(::getpid());
    }
    File begun(bool unnamed) {
        remove_stale_temporaries(target_);
        if (unnamed)
            if (auto file = File::without_name(folder_of(target_), target_))
                return std::move(*file);
        named_ = true;
        return File(temporary_, File::Mode::create, target_);
    }

    fs::path target_, temporary_, link_;
    bool named_ = false;
    File file_;
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
    Draft draft(path, true);
    write_blocks(draft.file(), blocks);
    draft.finish();
}

std::vector<BlockEntry> entries_of(std::span<const Block> blocks) {
    std::vector<BlockEntry> entries;
    for (const auto& entry : digested(blocks)) {
        entries.push_back({{}, 0, entry.bytes, entry.digest});
        entry.name.copy(entries.back().name, format::max_name_bytes);
    }
    return entries;
}

struct SharedCheckpoint::State {
    Draft draft;
};

SharedCheckpoint::SharedCheckpoint(const fs::path& path, std::span<BlockEntry> entries,
                                   bool unnamed) {
    std::vector<format::Entry> table;
    for (const BlockEntry& entry : entries)
        table.push_back({entry.name, 0, entry.bytes, entry.digest});
    require_names(table);
    const auto front = format::encode_front(table);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].offset = table[i].offset;
    state_.reset(new State{Draft(path, unnamed)});
    File& file = state_->draft.file();
    file.write_all(front);
    file.resize(table.empty() ? front.size() : table.back().offset + table.back().bytes);
}

SharedCheckpoint::~SharedCheckpoint() = default;

fs::path SharedCheckpoint::address() const { return state_->draft.address(); }
void SharedCheckpoint::finish() { state_->draft.finish(); }

bool can_add_blocks(const fs::path& address) {
    try {
        const File file(address, File::Mode::change);
        return true;
    } catch (const core::FileError&) {
        return false;
    }
}

void add_blocks(const fs::path& address, const fs::path& shown, std::span<const Block> blocks,
                std::span<const BlockEntry> entries) {
    File file(address, File::Mode::change, shown);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        file.write_at(entries[i].offset, bytes_of(blocks[i]));
    file.sync();
}

}  // namespace aureole::io
