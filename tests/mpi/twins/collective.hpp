// SPDX-License-Identifier: Apache-2.0
// Phases of collectives, each blocking, non-blocking or persistent, some for large counts.
#pragma once

#include <deque>

#include "optional_collectives.hpp"
#include "pending.hpp"
#include "shapes.hpp"

namespace twins {

void data_collectives(Run& run, const Comm& comm);
void reductions(Run& run, const Comm& comm);
void neighbours(Run& run, const Comm& comm);

/// A list of numbers that plain and large-count calls take in their own types.
struct Numbers {
    std::vector<int> plain;
    std::vector<MPI_Count> large;
    std::vector<MPI_Aint> places;

    /// Empty lists have an address too.
    Numbers() {
        plain.reserve(1);
        large.reserve(1);
        places.reserve(1);
    }
    void add(long number) {
        plain.push_back(static_cast<int>(number));
        large.push_back(number);
        places.push_back(number);
    }
};

/// Numbers as counts, or as displacements.
struct CountsOf {
    const Numbers* numbers;
    explicit operator const int*() const { return numbers->plain.data(); }
    explicit operator const MPI_Count*() const { return numbers->large.data(); }
};
struct PlacesOf {
    const Numbers* numbers;
    explicit operator const int*() const { return numbers->plain.data(); }
    explicit operator const MPI_Aint*() const { return numbers->places.data(); }
};

enum class Way { block, start, persist };

/// The buffers of one collective, and how they are used.
struct Use {
    Buffer* in = nullptr;   // read; may be overwritten as soon as the operation is complete
    Buffer* out = nullptr;  // written
    Compare compare = Compare::everything;
    std::function<void()> prepare;  // fills the buffers anew; noise if empty
};

/// A collective phase on one communicator.
class Collective {
  public:
    Collective(Run& run, const Comm& comm) : run(run), comm(comm) {}

    /// Begins the next operation: draws how it is called, and gives numbers of its own.
    void begin_draw();
    /// The name in the record, with the way in which it is called.
    void begin(const std::string& text);
    /// Completes everything that is open.
    void end();

    template <class... P, class... L, class... A>
    void call(const Calls<P...>& plain, const Calls<L...>& big, const Use& use, const A&... args) {
        const bool large_block = large && big.block, large_start = large && big.start;
        const bool large_init = large && big.init;
        if (way == Way::persist && plain.init) {
            MPI_Request request = MPI_REQUEST_NULL;
            const int code = large_init
                                 ? big.init(static_cast<L>(args)..., MPI_INFO_NULL, &request)
                                 : plain.init(static_cast<P>(args)..., MPI_INFO_NULL, &request);
            rounds(use, code, request);
        } else if (way == Way::block) {
            const int code = large_block ? big.block(static_cast<L>(args)...)
                                         : plain.block(static_cast<P>(args)...);
            blocked(use, code);
        } else {
            MPI_Request request = MPI_REQUEST_NULL;
            const int code = large_start ? big.start(static_cast<L>(args)..., &request)
                                         : plain.start(static_cast<P>(args)..., &request);
            started(use, code, request);
        }
    }

    /// A list that lives until the phase ends, as non-blocking calls may read it later.
    Numbers& numbers() { return numbers_.emplace_back(); }
    std::vector<MPI_Datatype>& handles() {
        handles_.emplace_back().reserve(1);
        return handles_.back();
    }

    Run& run;
    const Comm& comm;
    Rng rng;  // of this operation, the same on all ranks
    int operation = 0;
    Way way = Way::block;
    bool large = false;

  private:
    Pending& pending(const Use& use);
    void blocked(const Use& use, int code);
    void started(const Use& use, int code, MPI_Request request);
    void rounds(const Use& use, int code, MPI_Request request);

    int rounds_ = 1;
    std::deque<Numbers> numbers_;
    std::deque<std::vector<MPI_Datatype>> handles_;
    std::deque<Pending> pendings_;
    std::vector<Pending*> open_;
};

/// An item type for collectives, that may be repeated at will, and how many items of it to send.
TypeRef random_item(Rng& rng);
long random_items(Rng& rng, const Type& type, int blocks);

/// One item of this signature in a layout of its own.
Side own_layout(const Collective& c, Rng& rng, const TypeRef& item, long items);

}  // namespace twins
