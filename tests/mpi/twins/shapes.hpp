// SPDX-License-Identifier: Apache-2.0
// The two sides of a message: types and counts of the same signature, in different layouts.
#pragma once

#include "types.hpp"

namespace twins {

struct Side {
    TypeRef type;
    long count = 0;
};

struct Shape {
    Side send, receive;
    bool truncated = false;  // the receive buffer is too small

    std::string text_of_send() const;
    std::string text_of_receive() const;
    std::string text() const { return text_of_send() + " -> " + text_of_receive(); }
    std::size_t bytes() const { return send.type->size * static_cast<std::size_t>(send.count); }
};

/// Most elements of a message with gaps. Where the library under test has no kernel for lists, and
/// copies them piece by piece, more than 20,000 take over ten times as long as on hosts.
extern long most_pieces_with_gaps;
/// How many times as large as usual messages are.
extern long size_factor;

/// Whether so many items may be received, and the library gets them right.
bool fits(const Type& type, long count);

/// Elements of a type that may be received.
Side random_side(Rng& rng);

/// The same elements in another layout, which may be received too.
Side same_elements(Rng& rng, const Side& side);

/// A message; some are shorter than their receive buffer, a few are longer if `errors`.
Shape random_shape(Rng& rng, bool errors);

}  // namespace twins
