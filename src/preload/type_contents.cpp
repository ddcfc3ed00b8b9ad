// SPDX-License-Identifier: Apache-2.0
// Datatypes are taken apart by MPI_Type_get_envelope and MPI_Type_get_contents (MPI 4.1, section
// 5.1.13); the order of what these return is from there.
#include "preload/type_contents.hpp"

#include <vector>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/basic_kinds.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

/// What a datatype was made with. Numbers of elements, be they in the integers or in the large
/// counts, are read one after the other, as are displacements in bytes and the older types.
class Contents {
  public:
    explicit Contents(Handle type);
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;
    ~Contents();

    Combiner combiner = Combiner::unknown;

    Count integer() { return integers_.at(next_integer_++); }
    /// A number of elements.
    Count count() { return is_large_ ? counts_.at(next_count_++) : integer(); }
    /// A distance in bytes.
    Count address() {
        return is_large_ ? counts_.at(next_count_++) : addresses_.at(next_address_++);
    }
    std::vector<Count> counts(Count n) { return list(n, &Contents::count); }
    std::vector<Count> addresses(Count n) { return list(n, &Contents::address); }
    std::vector<Count> integers(Count n) { return list(n, &Contents::integer); }
    Handle type(Count k = 0) const { return abi().at(types_.data(), k); }

  private:
    std::vector<Count> list(Count n, Count (Contents::*next)()) {
        std::vector<Count> all;
        for (Count k = 0; k < n; ++k) all.push_back((this->*next)());
        return all;
    }
    void read(Handle type);

    std::vector<int> integers_;
    std::vector<Count> addresses_, counts_;
    std::vector<Handle> types_;  // with room for wide ones
    Count n_types_ = 0;
    bool is_large_ = false;
    std::size_t next_integer_ = 0, next_address_ = 0, next_count_ = 0;
};

Contents::Contents(Handle type) {
    read(type);
    if (combiner == Combiner::unknown)
        throw core::InputError("a datatype cannot be taken apart",
                               "it was made in a way that this library does not know",
                               "Use a host buffer for this call.");
}

void Contents::read(Handle type) {
    int number = 0;
    const auto room = [&](Count integers, Count addresses, Count counts, Count types) {
        integers_.resize(static_cast<std::size_t>(integers));
        addresses_.resize(static_cast<std::size_t>(addresses));
        counts_.resize(static_cast<std::size_t>(counts));
        types_.resize(static_cast<std::size_t>(types));
        n_types_ = types;
        combiner = abi().combiner(number);
        return combiner != Combiner::named && combiner != Combiner::f90 &&
               combiner != Combiner::value_index && combiner != Combiner::unknown;
    };
    if (mpi.type_get_envelope_c.exists() && mpi.type_get_contents_c.exists()) {
        Count n_i = 0, n_a = 0, n_c = 0, n_d = 0;
        mpi.type_get_envelope_c(type, &n_i, &n_a, &n_c, &n_d, &number);
        is_large_ = n_c > 0;
        if (room(n_i, n_a, n_c, n_d))
            mpi.type_get_contents_c(type, n_i, n_a, n_c, n_d, integers_.data(), addresses_.data(),
                                    counts_.data(), types_.data());
        else
            n_types_ = 0;
        return;
    }
    int n_i = 0, n_a = 0, n_d = 0;
    mpi.type_get_envelope(type, &n_i, &n_a, &n_d, &number);
    if (room(n_i, n_a, 0, n_d))
        mpi.type_get_contents(type, n_i, n_a, n_d, integers_.data(), addresses_.data(),
                              types_.data());
    else
        n_types_ = 0;
}

bool is_named(Handle type) {
    int n_i = 0, n_a = 0, n_d = 0, number = 0;
    mpi.type_get_envelope(type, &n_i, &n_a, &n_d, &number);
    const Combiner combiner = abi().combiner(number);
    return combiner == Combiner::named || combiner == Combiner::f90 ||
           combiner == Combiner::value_index;
}

Contents::~Contents() {
    for (Count k = 0; k < n_types_; ++k)
        if (!is_named(type(k))) free_type(type(k));
}

Count extent_of(Handle type) {
    Count low = 0, extent = 0;
    mpi.type_get_extent(type, &low, &extent);
    return extent;
}
Count size_of(Handle type) {
    Count size = 0;
    mpi.type_size(type, &size);
    return size;
}

/// A value and an int behind it, as MPI_DOUBLE_INT, or a type without gaps.
Layout named(Handle type) {
    const Count size = size_of(type);
    Count low = 0, true_extent = 0;
    mpi.type_get_true_extent(type, &low, &true_extent);
    if (true_extent == size) return Layout(size);
    constexpr Count of_int = 4;
    Layout both;
    both.add(Layout(size - of_int), 1, 0, 0);
    both.add(Layout(of_int), 1, 0, true_extent - of_int);
    return both;
}

Layout subarray(Contents& made) {
    const Count n = made.integer();
    const auto sizes = made.counts(n), parts = made.counts(n), starts = made.counts(n);
    const bool is_c = made.integer() == abi().order_c;
    Layout all = layout_of_type(made.type());
    Count stride = extent_of(made.type()), at = 0;
    for (Count k = 0; k < n; ++k) {  // from the dimension that varies fastest
        const auto d = static_cast<std::size_t>(is_c ? n - 1 - k : k);
        Layout more;
        more.add(all, parts[d], stride, 0);
        all = std::move(more);
        at += starts[d] * stride;
        stride *= sizes[d];
    }
    Layout shifted;
    shifted.add(all, 1, 0, at);
    return shifted;
}

/// Elements of one dimension that belong to a process, as runs of elements.
struct Part {
    Count n, distribution, argument, processes, coordinate;

    template <class Take>
    void runs(Take&& take) const {
        if (distribution == abi().none) return take(Count{0}, n);
        Count block = argument;
        if (distribution == abi().block && argument == abi().default_argument)
            block = (n + processes - 1) / processes;
        else if (argument == abi().default_argument)
            block = 1;
        for (Count at = coordinate * block; at < n; at += block * processes) {
            take(at, std::min(block, n - at));
            if (distribution == abi().block) return;
        }
    }
};

Layout darray(Contents& made) {
    made.integer();  // number of processes
    Count rank = made.integer();
    const Count n = made.integer();
    const auto sizes = made.counts(n);
    const auto kinds = made.integers(n), arguments = made.integers(n), grid = made.integers(n);
    const bool is_c = made.integer() == abi().order_c;
    std::vector<Count> coordinates(static_cast<std::size_t>(n));
    Count left = 1;
    for (const Count p : grid) left *= p;
    for (std::size_t d = 0; d < coordinates.size(); ++d) {  // processes are in row-major order
        left /= grid[d];
        coordinates[d] = rank / left;
        rank %= left;
    }
    Layout all = layout_of_type(made.type());
    Count stride = extent_of(made.type());
    for (Count k = 0; k < n; ++k) {
        const auto d = static_cast<std::size_t>(is_c ? n - 1 - k : k);
        Layout more;
        const Part part{sizes[d], kinds[d], arguments[d], grid[d], coordinates[d]};
        part.runs([&](Count at, Count count) { more.add(all, count, stride, at * stride); });
        more.find_loops();
        all = std::move(more);
        stride *= sizes[d];
    }
    return all;
}

/// Blocks of `lengths` elements at `offsets` bytes.
Layout blocks(Handle type, const std::vector<Count>& lengths, const std::vector<Count>& offsets) {
    const Layout one = layout_of_type(type);
    const Count extent = extent_of(type);
    Layout all;
    for (std::size_t k = 0; k < lengths.size(); ++k) all.add(one, lengths[k], extent, offsets[k]);
    return all;
}

Layout vector(Handle type, Count n, Count length, Count stride) {
    Layout block, all;
    block.add(layout_of_type(type), length, extent_of(type), 0);
    all.add(block, n, stride, 0);
    return all;
}

std::vector<Count> in_bytes(std::vector<Count> displacements, Handle type) {
    for (Count& at : displacements) at *= extent_of(type);
    return displacements;
}
std::vector<Count> same(Count n, Count value) {
    return std::vector<Count>(static_cast<std::size_t>(n), value);
}

Layout structure(Contents& made) {
    const Count n = made.count();
    const auto lengths = made.counts(n), offsets = made.addresses(n);
    Layout all;
    for (Count k = 0; k < n; ++k) {
        const auto at = static_cast<std::size_t>(k);
        all.add(layout_of_type(made.type(k)), lengths[at], extent_of(made.type(k)), offsets[at]);
    }
    return all;
}

Layout indexed(Contents& made) {
    const Handle type = made.type();
    const Count n = made.count();
    switch (made.combiner) {
        case Combiner::indexed: {
            const auto lengths = made.counts(n);
            return blocks(type, lengths, in_bytes(made.counts(n), type));
        }
        case Combiner::hindexed: {
            const auto lengths = made.counts(n);
            return blocks(type, lengths, made.addresses(n));
        }
        case Combiner::indexed_block: {
            const Count length = made.count();
            return blocks(type, same(n, length), in_bytes(made.counts(n), type));
        }
        default: {
            const Count length = made.count();
            return blocks(type, same(n, length), made.addresses(n));
        }
    }
}

/// How many elements of the older types, one after the other, one element of a type has.
std::vector<Count> older_counts(Contents& made, Handle type) {
    if (made.combiner != Combiner::structure)
        return {size_of(made.type()) == 0 ? 0 : size_of(type) / size_of(made.type())};
    const Count n = made.count();
    return made.counts(n);
}

/// A handle that is freed when it goes, if it is ours.
class Owned {
  public:
    Owned() = default;
    Owned(Handle handle, bool is_ours) : handle_(handle), is_ours_(is_ours) {}
    Owned(Owned&& other) noexcept : handle_(other.handle_), is_ours_(other.release()) {}
    Owned& operator=(Owned&&) = delete;
    ~Owned() {
        if (is_ours_) free_type(handle_);
    }
    Handle handle() const { return handle_; }
    bool release() {
        const bool was_ours = is_ours_;
        is_ours_ = false;
        return was_ours;
    }

  private:
    Handle handle_ = 0;
    bool is_ours_ = false;
};

Owned contiguous(Count n, const Owned& of) {
    constexpr Count step = 1 << 30;
    Handle made = 0;
    if (n > step) {  // the rest in elements of the largest step that divides n
        Count by = step;
        while (n % by != 0) --by;
        const Owned part = contiguous(by, of);
        return contiguous(n / by, part);
    }
    mpi.type_contiguous(static_cast<int>(n), of.handle(), &made);
    return {abi().at(&made, 0), true};
}

Owned dense(Handle type);

Owned dense_structure(Contents& made) {
    const auto counts = older_counts(made, 0);
    std::vector<Owned> parts;
    std::vector<Count> offsets;
    std::vector<Handle> handles(counts.size());
    Count at = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const Handle part = made.type(static_cast<Count>(k));
        const Count size = counts[k] * size_of(part);
        // MPICH 5.0 counts an empty datatype among the basic types of a struct, but not an empty
        // block, and ends the process in MPI_Pack_external of several basic types.
        if (size == 0) continue;
        parts.push_back(contiguous(counts[k], dense(part)));
        abi().put(handles.data(), static_cast<Count>(offsets.size()), parts.back().handle());
        offsets.push_back(at);
        at += size;
    }
    const std::vector<int> ones(parts.size(), 1);
    Handle structure = 0, resized = 0;
    mpi.type_create_struct(static_cast<int>(parts.size()), ones.data(), offsets.data(),
                           handles.data(), &structure);
    const Owned whole(abi().at(&structure, 0), true);
    mpi.type_create_resized(whole.handle(), 0, at, &resized);
    return {abi().at(&resized, 0), true};
}

Owned dense(Handle type) {
    Contents made(type);
    switch (made.combiner) {
        case Combiner::named:
        case Combiner::value_index:
        case Combiner::f90: {
            const Count size = size_of(type);
            if (size == extent_of(type)) return {type, false};
            return contiguous(size, Owned(abi().byte, false));
        }
        case Combiner::dup:
        case Combiner::resized:
            return dense(made.type());
        case Combiner::structure:
            return dense_structure(made);
        default:
            return contiguous(older_counts(made, type)[0], dense(made.type()));
    }
}

}  // namespace

Layout layout_of_type(Handle type) {
    Contents made(type);
    switch (made.combiner) {
        case Combiner::dup:
        case Combiner::resized:
            return layout_of_type(made.type());
        case Combiner::contiguous:
            return vector(made.type(), 1, made.count(), 0);
        case Combiner::vector: {
            const Count n = made.count(), length = made.count(), stride = made.count();
            return vector(made.type(), n, length, stride * extent_of(made.type()));
        }
        case Combiner::hvector: {
            const Count n = made.count(), length = made.count(), stride = made.address();
            return vector(made.type(), n, length, stride);
        }
        case Combiner::indexed:
        case Combiner::hindexed:
        case Combiner::indexed_block:
        case Combiner::hindexed_block:
            return indexed(made);
        case Combiner::structure:
            return structure(made);
        case Combiner::subarray:
            return subarray(made);
        case Combiner::darray:
            return darray(made);
        default:
            return named(type);
    }
}

std::uint64_t kinds_of_type(Handle type) {
    Contents made(type);
    if (made.combiner == Combiner::named) return kinds_of_named(type);
    if (made.combiner == Combiner::f90 || made.combiner == Combiner::value_index) return any_kind;
    if (made.combiner != Combiner::structure) return kinds_of_type(made.type());
    const auto counts = older_counts(made, type);
    std::uint64_t kinds = 0;
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k] > 0) kinds |= kinds_of_type(made.type(static_cast<Count>(k)));
    return kinds;
}

void free_type(Handle type) {
    Handle freed = abi().in_memory(type);
    mpi.type_free(&freed);
}

Handle dense_type_of(Handle type) {
    Owned made = contiguous(1, dense(type));  // never one of MPI's own
    Handle committed = abi().in_memory(made.handle());
    mpi.type_commit(&committed);
    made.release();
    return made.handle();
}

}  // namespace aureole::preload
