// SPDX-License-Identifier: Apache-2.0
#include "comm/failure.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace aureole::comm {

namespace {

void copy(const std::string& from, char* to, std::size_t room) {
    std::size_t n = std::min(from.size(), room - 1);
    // Not within a character of UTF-8.
    while (n < from.size() && n > 0 && (static_cast<unsigned char>(from[n]) & 0xC0) == 0x80) --n;
    std::memcpy(to, from.data(), n);
    to[n] = 0;
}

}  // namespace

void Failure::describe(const std::exception& error) {
    kind = Kind::rank;
    if (dynamic_cast<const core::InputError*>(&error) != nullptr) kind = Kind::input;
    if (dynamic_cast<const core::FileError*>(&error) != nullptr) kind = Kind::file;
    if (dynamic_cast<const core::DeviceError*>(&error) != nullptr) kind = Kind::device;
    if (const auto* blow_up = dynamic_cast<const core::BlowUpError*>(&error)) {
        const auto& what = blow_up->what_happened;
        kind = Kind::blow_up;
        step = what.step, tag = what.tag, partner = what.partner, value = what.value;
        copy(what.force, force, force_bytes);
    }
    copy(error.what(), text, text_bytes);
}

void Failure::raise() const {
    switch (kind) {
        case Kind::input:
            throw core::InputError(text);
        case Kind::file:
            throw core::FileError(text);
        case Kind::device:
            throw core::DeviceError(text);
        case Kind::blow_up:
            throw core::BlowUpError(text, "", "", {step, tag, partner, force, value});
        case Kind::rank:
            break;
    }
    throw core::RankError(text);
}

}  // namespace aureole::comm
