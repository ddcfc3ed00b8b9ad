// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_format.hpp"
#include "io/checkpoint_verify.hpp"
#include "io/file.hpp"

namespace aureole::io {
namespace {

[[noreturn]] void throw_damaged(const std::string& file, const format::Damage& damage) {
    throw core::FileError("checkpoint '" + file + "' is damaged", damage.part + ": " + damage.why,
                          "Continue from its previous generation, or start the run again.");
}

}  // namespace

void Checkpoint::Free::operator()(std::byte* bytes) const {
    ::operator delete[](bytes, std::align_val_t{format::alignment});
}

void Checkpoint::allocate(std::uint64_t bytes) {
    size_ = static_cast<std::size_t>(bytes);
    bytes_.reset(
        static_cast<std::byte*>(::operator new[](size_, std::align_val_t{format::alignment})));
}

Checkpoint::Checkpoint(const std::filesystem::path& path) : file_(path.string()) {
    const File file(path, File::Mode::read);
    if (!file.is_regular()) {
        throw core::FileError("cannot read checkpoint '" + file_ + "'", "it is not a file",
                              "Check the path.");
    }
    try {
        // The header is judged before anything of the claimed size is allocated.
        const std::uint64_t bytes = file.size();
        std::array<std::byte, format::header_bytes> front{};
        file.read_at(0, std::span(front).first(std::min<std::size_t>(bytes, front.size())));
        format::decode_header(front, bytes);
        allocate(bytes);
        file.read_at(0, {bytes_.get(), size_});
        verify();
    } catch (const format::Damage& damage) {
        throw_damaged(file_, damage);
    }
}

Checkpoint Checkpoint::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
    Checkpoint result;
    result.file_ = name;
    result.allocate(bytes.size());
    if (!bytes.empty()) std::memcpy(result.bytes_.get(), bytes.data(), bytes.size());
    try {
        result.verify();
    } catch (const format::Damage& damage) {
        throw_damaged(name, damage);
    }
    return result;
}

void Checkpoint::verify() {
    const std::span<const std::byte> all(bytes_.get(), size_);
    const auto read = [&](std::uint64_t offset, std::size_t bytes) {
        return all.subspan(static_cast<std::size_t>(offset), bytes);
    };
    for (format::Entry& entry : format::verified(size_, read)) {
        entries_.push_back({std::move(entry.name), static_cast<std::size_t>(entry.offset),
                            static_cast<std::size_t>(entry.bytes)});
    }
}

const Checkpoint::Entry* Checkpoint::find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    return found == entries_.end() ? nullptr : &*found;
}

bool Checkpoint::has(std::string_view name) const { return find(name) != nullptr; }

std::span<const std::byte> Checkpoint::block(std::string_view name) const {
    const Entry* entry = find(name);
    if (!entry) {
        throw core::FileError("checkpoint '" + file_ + "' has no block '" + std::string(name) + "'",
                              "it was written by a different program or version",
                              "Continue with the version that wrote it.");
    }
    return {bytes_.get() + entry->offset, entry->bytes};
}

std::vector<std::string> Checkpoint::names() const {
    std::vector<std::string> result;
    for (const Entry& entry : entries_) result.push_back(entry.name);
    return result;
}

Generation read_checkpoint_or_previous(const std::filesystem::path& path) {
    std::string newest;
    try {
        return {Checkpoint(path), path, false, ""};
    } catch (const core::FileError& error) {
        newest = error.what();
    }
    const std::filesystem::path previous = previous_generation(path);
    try {
        return {Checkpoint(previous), previous, true, newest};
    } catch (const core::FileError& error) {
        throw core::FileError(
            "neither checkpoint '" + path.string() + "' nor its previous generation can be loaded",
            newest + "; " + error.what(), "Start the run again, or use another checkpoint.");
    }
}

}  // namespace aureole::io
