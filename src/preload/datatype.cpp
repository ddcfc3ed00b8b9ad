// SPDX-License-Identifier: Apache-2.0
#include "preload/datatype.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "preload/abi.hpp"
#include "preload/mpi.hpp"
#include "preload/run_list.hpp"
#include "preload/settings.hpp"
#include "preload/type_contents.hpp"

namespace aureole::preload {

namespace {

struct Known {
    std::shared_mutex lock;
    std::unordered_map<Handle, std::shared_ptr<const Datatype>> types;
};

Known& known() {
    static auto* const all = new Known;  // outlives the threads of MPI
    return *all;
}

/// Whether it is one of MPI's own.
bool is_named(Handle type) {
    int combiner = 0;
    if (mpi.type_get_envelope_c.exists()) {  // the other one refuses types of large counts
        Count n = 0;
        mpi.type_get_envelope_c(type, &n, &n, &n, &n, &combiner);
    } else {
        int n = 0;
        mpi.type_get_envelope(type, &n, &n, &n, &combiner);
    }
    return abi().combiner(combiner) == Combiner::named;
}

Handle bytes_of(const Datatype& type) {
    const bool is_number = is_named(type.handle) && type.is_dense &&
                           std::has_single_bit(static_cast<std::uint64_t>(type.size));
    if (is_number || type.size <= 0 || type.size > std::numeric_limits<int>::max())
        return type.dense;
    Handle made = 0;
    mpi.type_contiguous(static_cast<int>(type.size), abi().byte, &made);
    mpi.type_commit(&made);
    return abi().at(&made, 0);
}

std::shared_ptr<const Datatype> take_apart(Handle handle) {
    auto type = std::make_shared<Datatype>();
    Count low = 0;
    type->handle = handle;
    mpi.type_size(handle, &type->size);
    mpi.type_get_extent(handle, &low, &type->extent);
    type->layout = layout_of_type(handle);
    type->layout.find_loops();
    type->is_dense = type->layout.is_run() && type->size == type->extent;
    if (is_checking || !type->is_dense) type->kinds = kinds_of_type(handle);
    type->dense = type->is_dense ? handle : dense_type_of(handle);
    type->bytes = bytes_of(*type);
    return type;
}

}  // namespace

Datatype::~Datatype() {
    run_lists().forget(*this);
    int is_over = 0;
    mpi.finalized(&is_over);
    if (is_over != 0) return;
    // A library may have passed them to functions of MPI itself, where they were taken apart.
    const auto drop = [](Handle own) { forget_datatype(own), free_type(own); };
    if (bytes != 0 && bytes != dense) drop(bytes);
    if (!is_dense && dense != 0) drop(dense);
}

std::int64_t Datatype::low(std::int64_t count) const {
    return layout.low() + std::min<std::int64_t>(0, (count - 1) * extent);
}
std::int64_t Datatype::high(std::int64_t count) const {
    return layout.high() + std::max<std::int64_t>(0, (count - 1) * extent);
}

std::shared_ptr<const Datatype> datatype(Handle handle) {
    handle = abi().own(handle);
    Known& all = known();
    {
        const std::shared_lock guard(all.lock);
        const auto found = all.types.find(handle);
        if (found != all.types.end()) return found->second;
    }
    auto type = take_apart(handle);
    const std::lock_guard guard(all.lock);
    return all.types.try_emplace(handle, std::move(type)).first->second;
}

Handle header_taker(Handle handle) noexcept try {
    const auto found = datatype(handle);
    return found->is_dense ? found->bytes : found->is_uniform() ? handle : 0;
} catch (const std::exception&) {
    return 0;
}

std::shared_ptr<const Datatype> one_byte() {
    static const auto* const only = [] {
        auto type = std::make_shared<Datatype>();
        type->layout = Layout(1);
        type->size = type->extent = 1;
        type->is_dense = true;
        return new std::shared_ptr<const Datatype>(std::move(type));  // outlives MPI
    }();
    return *only;
}

LargeType::LargeType(std::int64_t count, Handle of) {
    constexpr std::int64_t step = 1 << 30;
    const std::int64_t many = count / step, rest = count % step;
    Count low = 0, extent = 0;
    mpi.type_get_extent(of, &low, &extent);
    Handle steps = 0, all_steps = 0, last = 0;
    mpi.type_contiguous(static_cast<int>(step), of, &steps);
    mpi.type_contiguous(static_cast<int>(many), abi().at(&steps, 0), &all_steps);
    mpi.type_contiguous(static_cast<int>(rest), of, &last);
    const std::array lengths{1, 1};
    const std::array<Count, 2> offsets{0, many * step * extent};
    std::array<Handle, 2> parts{};
    abi().put(parts.data(), 0, abi().at(&all_steps, 0));
    abi().put(parts.data(), 1, abi().at(&last, 0));
    mpi.type_create_struct(2, lengths.data(), offsets.data(), parts.data(), &handle_);
    mpi.type_commit(&handle_);
    for (Handle* part : {&steps, &all_steps, &last}) mpi.type_free(part);
    handle_ = abi().at(&handle_, 0);
}

LargeType::~LargeType() {
    forget_datatype(handle_);
    free_type(handle_);
}

void forget_datatype(Handle handle) {
    std::shared_ptr<const Datatype> last;  // freed without the lock
    Known& all = known();
    const std::lock_guard guard(all.lock);
    const auto found = all.types.find(abi().own(handle));
    if (found == all.types.end()) return;
    last = std::move(found->second);
    all.types.erase(found);
}

}  // namespace aureole::preload
