// SPDX-License-Identifier: Apache-2.0
#include "preload/call.hpp"

#include <cstring>
#include <optional>

#include "core/error.hpp"
#include "preload/check_request.hpp"
#include "preload/chunked_arrival.hpp"
#include "preload/chunked_send.hpp"
#include "preload/mpi.hpp"
#include "preload/requests.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

void Call::throw_too_large() {
    throw core::InputError("a buffer has more than 2^31 elements or bytes in its blocks",
                           "their displacements are numbers of 32 bits in this call",
                           "Use the call with large counts, whose name ends in _c.");
}

std::vector<Block> Call::single(Count count, Handle& type, bool is_dense) {
    if (count <= 0 || is_null(type)) return {};  // MPI says what is wrong with it
    auto one = datatype(type);
    if (is_dense && !keeps_arguments_) type = one->dense;
    kept_types_.push_back(one);
    return {{std::move(one), count, 0, 0}};
}

std::vector<Block> Call::as_bytes(Count count, Handle& type) {
    if (!headers_may_come()) return single(count, type, true);
    auto blocks = single(count, type, false);
    if (!blocks.empty()) type = blocks[0].type->bytes;
    return blocks;
}

std::vector<Block> Call::of_peers(Count count, Handle& type, const Peers& peers) {
    if (count <= 0 || is_null(type)) return {};
    if (peers.absent.empty()) return single(count * peers.n, type, true);
    const auto one = datatype(type);
    std::vector<Block> blocks;
    for (int k = 0; k < peers.n; ++k)
        if (!peers.is_absent(k))
            blocks.push_back({one, count, k * count * one->extent, k * count * one->size});
    if (!keeps_arguments_) type = one->dense;
    kept_types_.push_back(one);
    return blocks;
}

void* Call::add(void* buffer, const Allocation& at, std::vector<Block> blocks, const Use& use) {
    const bool is_plain = blocks.size() == 1 && blocks[0].type->is_dense;
    const Count size = blocks.empty() ? 0 : blocks[0].type->size;
    if (checked_ != nullptr)
        checked_->add({buffer, at, blocks, static_cast<int>(staged_.size()),
                       use.loads && !use.is_filled, use.stores},
                      is_persistent);
    auto form = use.is_mirrored && !is_plain ? Staged::Form::mirrored : Staged::Form::dense;
    if (use.takes_headers && !use.loads && expects_header_ && !blocks.empty() &&
        Envelope::suits(blocks[0].count * size, at))
        form = Staged::Form::reserved;
    Staged made(buffer, at, std::move(blocks), form);
    made.loads = use.loads, made.stores = use.stores, made.receives = use.receives;
    made.takes_headers = use.takes_headers && scope_.kind == Scope::Kind::comm;
    {
        const auto guard = is_listed_ ? matched().hold() : std::unique_lock<std::mutex>();
        staged_.push_back(std::move(made));
    }
    Staged& staged = staged_.back();
    if (staged.takes_headers && staged.size() >= Header::least)  // of an earlier message
        std::memset(staged.host(), 0, sizeof(Header));
    if (staged.takes_headers && headers_may_come()) list();
    watch().see(at);
    if (use.written >= 0) staged.limit = use.written * size;
    if (use.loads && !is_persistent) staged.load();
    if (checked_ != nullptr && use.loads && !is_persistent && !use.is_filled)
        checked_->loaded(staged);
    return staged.host();
}

Count Call::received_bytes(const void* status) const {
    int is_cancelled = 0;  // libraries do not set this mark for files
    if (scope_.kind == Scope::Kind::comm && is_active) mpi.test_cancelled(status, &is_cancelled);
    if (is_cancelled != 0) return 0;
    Count received = 0;
    mpi.get_elements(status, abi().byte, &received);
    return received;
}

void Call::from(int source) {
    expects_header_ = may_be_header() && watch().is_answered(world_rank(scope_.handle, source));
}

void Call::store(const void* status) {
    // Payloads that are meant for us come first: their sender may be waiting for that as we do.
    std::exception_ptr problem;
    try {
        store_buffers(status);
    } catch (...) {
        problem = std::current_exception();
    }
    if (envelope_ != nullptr) {
        int is_cancelled = 0;
        if (status != nullptr && is_active) mpi.test_cancelled(status, &is_cancelled);
        if (is_cancelled == 0) envelope_->finish();
        envelope_.reset();  // withdraws one that was cancelled
        stand_in_ = 0;
    }
    if (problem) std::rethrow_exception(problem);
}

void Call::store_buffers(const void* status) {
    for (int k = 0; k < partitions; ++k) store_partition(k);
    if (partitions > 0) return;
    const bool is_told =
        status != nullptr && (!watched_.empty() || std::ranges::any_of(staged_, &Staged::receives));
    const Count received = is_told ? received_bytes(status) : -1;
    for (Staged& staged : staged_) {
        if (!staged.stores || fetch_staged(staged, staged.receives ? received : -1)) continue;
        const bool is_short = staged.receives && received >= 0;
        staged.store(is_short ? std::min(received, staged.limit) : staged.limit);
    }
    for (const Watched& watched : watched_) store_watched(watched, received);
    if (std::exchange(is_truncated_, false)) throw MpiError(abi().error_truncate);
    correct(status);
}

void Call::correct(const void* status) const {
    if (payload_bytes_ < 0 || status == nullptr) return;
    mpi.status_set_elements(const_cast<void*>(status), abi().byte, payload_bytes_);
}

bool Call::has(const Header& header) const {
    if (is_persistent && !is_active) return false;  // its buffer may be gone
    const auto is_there = [&](const void* data, Count size) {
        return size >= Header::least && std::memcmp(data, &header, sizeof header) == 0;
    };
    return std::ranges::any_of(staged_,
                               [&](const Staged& one) {
                                   return one.takes_headers && is_there(one.host(), one.size());
                               }) ||
           std::ranges::any_of(watched_, [&](const Watched& one) {
               const Header head = one.head();
               return is_there(&head, one.size());
           });
}

bool Call::fetch_staged(Staged& staged, Count received) {
    if (!staged.takes_headers || !may_be_header() || staged.size() < Header::least) return false;
    const auto* const message = static_cast<const std::byte*>(staged.host());
    if (auto arrival = Arrival::in(message, received)) {
        fetch(*arrival, staged, staged.size());
        return true;
    }
    auto arrival = ChunkedArrival::in(message, received);
    if (arrival) fetch(*arrival, staged, staged.size());
    return arrival.has_value();
}

void Call::store_watched(const Watched& watched, Count received) {
    received = watched.told(received);
    if (may_be_header() && fetch_watched(watched, received)) return;
    watched.store(received >= 0 ? received : watched.size());
}

bool Call::fetch_watched(const Watched& watched, Count received) {
    const Header head = watched.head();
    auto arrival = Arrival::in(reinterpret_cast<const std::byte*>(&head), received);
    if (!arrival) return fetch_chunks(watched, head, received);
    // Bytes one after the other, in the buffer or the copy that MPI was given, or else apart.
    const Allocation device = watch().device();
    std::optional<Pinned> apart;
    if (!watched.is_as_bytes()) apart.emplace(static_cast<std::size_t>(watched.size()) + 1, device);
    std::vector<Block> bytes{{one_byte(), watched.size(), 0, 0}};
    Staged into(apart ? apart->data() : watched.data(), device, std::move(bytes),
                Staged::Form::apart);
    fetch(*arrival, into, watched.size());
    if (apart)
        watched.store(apart->data(), payload_bytes_);
    else
        watched.store(payload_bytes_);
    return true;
}

bool Call::fetch_chunks(const Watched& watched, const Header& head, Count received) {
    auto arrival = ChunkedArrival::in(reinterpret_cast<const std::byte*>(&head), received);
    if (!arrival) return false;
    std::vector<std::byte> apart(watched.is_as_bytes() ? 0
                                                       : static_cast<std::size_t>(watched.size()));
    auto* const into =
        watched.is_as_bytes() ? static_cast<std::byte*>(watched.data()) : apart.data();
    fetch(*arrival, into, watched.size());
    if (watched.is_as_bytes())
        watched.store(payload_bytes_);
    else
        watched.store(apart.data(), payload_bytes_);
    return true;
}

template <class OneArrival, class Into>
void Call::fetch(OneArrival& arrival, Into&& into, Count room) {
    payload_bytes_ = std::min(arrival.size(), room);
    is_truncated_ = arrival.size() > room;
    arrival.fetch(into, room);
}

bool Call::wrap(const Allocation& at, void* buffer, const Block& block, const Destination& to) {
    const Count size = block.count * block.type->size;
    const bool is_mapped = Envelope::suits(size, at), is_chunked = chunks().suit(size);
    if (!is_mapped && !is_chunked) return false;
    watch().see(at);
    tell_once(&at);
    const auto payload = [&] {
        std::vector<Block> blocks{block};
        return std::make_unique<Staged>(buffer, at, std::move(blocks), Staged::Form::apart);
    };
    if (is_mapped) envelope_ = Envelope::make(payload(), to);
    if (is_chunked && envelope_ == nullptr) envelope_ = ChunkedSend::make(payload(), to);
    to_ = to;
    return envelope_ != nullptr;
}

int Call::send_header(void* request) {
    const auto [rank, tag, comm] = to_;
    return mpi.issend(envelope_->header(), envelope_->length(), abi().byte, rank, tag, comm,
                      request);
}

bool Call::start_envelope() {
    if (later_ == nullptr || !wrap(later_->at, later_->buffer, later_->block, to_)) return false;
    Handle request = 0;
    if (const int error = send_header(&request); error != 0) throw MpiError(error);
    envelope_->leave();
    stand_in_ = abi().at(&request, 0);
    return true;
}

int Call::post(std::unique_ptr<Call>& call, void* request) {
    Outgoing& sent = *call->envelope_;
    const Destination& to = call->to_;
    if (request == nullptr) {
        sent.stay();
        return call->end(
            mpi.ssend(sent.header(), sent.length(), abi().byte, to.rank, to.tag, to.comm));
    }
    const int error = call->send_header(request);
    requests().finish_freed(false);
    if (error != 0) return error;
    sent.leave();
    call->is_active = true;
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

int Call::exchange(const Source& from, void* status) {
    Handle request = 0, received = 0;
    OwnStatus of_send;
    if (const int not_sent = send_header(&request); not_sent != 0) return not_sent;
    envelope_->stay();
    int error = 0;
    if (open_in_chunks.load(std::memory_order_relaxed) == 0) {
        error = mpi.recv(from.buffer, from.count, from.type, from.rank, from.tag, to_.comm, status);
    } else {
        error =
            mpi.irecv(from.buffer, from.count, from.type, from.rank, from.tag, to_.comm, &received);
        if (error == 0) error = wait_meanwhile(&received, status);
    }
    before_waiting();
    const int unfinished = mpi.wait(&request, of_send.data());
    if (error != 0 && unfinished == 0) envelope_->finish();
    return end(error != 0 ? error : unfinished);
}

void Call::forget_partitions() const { requests().forget(this); }

void Call::load_partition(int k) {
    for (Staged& staged : staged_) {
        const Count part = staged.size() / partitions;
        staged.load_blocks(k * part, part);
        if (checked_ != nullptr) checked_->loaded(staged, k * part, part);
    }
}

void Call::store_partition(int k) {
    const std::lock_guard guard(partitions_lock_);
    arrived_.resize(static_cast<std::size_t>(partitions));
    if (arrived_[static_cast<std::size_t>(k)]) return;
    for (Staged& staged : staged_) {
        if (!staged.stores) continue;
        const Count part = staged.size() / partitions;
        staged.store_blocks(k * part, part);
    }
    arrived_[static_cast<std::size_t>(k)] = true;
}

void Call::start() {
    is_active = true;
    payload_bytes_ = -1;
    arrived_.clear();
    if (checked_ != nullptr) checked_->start(partitions > 0);
    if (partitions > 0) return;  // each partition is loaded when it is ready
    if (start_envelope()) return;
    for (Staged& staged : staged_)
        if (staged.loads) {
            staged.load();
            if (checked_ != nullptr) checked_->loaded(staged);
        }
}

int Call::narrow(Count number) {
    if (number > std::numeric_limits<int>::max() || number < std::numeric_limits<int>::min())
        throw core::InputError("the number " + std::to_string(number) + " is too large",
                               "the MPI library has no calls with large counts",
                               "Use a library of MPI 4, or send the data in parts.");
    return static_cast<int>(number);
}

int Call::narrow(Count count, Handle& type) {
    if (count <= std::numeric_limits<int>::max()) return narrow(count);
    large_types_.push_back(std::make_unique<LargeType>(count, type));
    type = large_types_.back()->handle();
    return 1;
}

const int* Call::narrow(const Count* numbers, int n) {
    if (numbers == nullptr) return nullptr;  // significant at the root alone
    int* const narrowed = room<int>(n);
    for (int k = 0; k < n; ++k) narrowed[k] = narrow(numbers[k]);
    return narrowed;
}

int Call::keep_arrays(std::unique_ptr<Call>& call, int error, void* request) {
    if (error != 0 || call->arrays_.empty()) return error;
    if (Call* const other = requests().find(abi().at(request, 0))) {  // with device memory too
        std::ranges::move(call->arrays_, std::back_inserter(other->arrays_));
        return 0;
    }
    return call->is_persistent ? keep_persistent(call, error, request) : keep(call, error, request);
}

int Call::end(int error) {
    if (error == 0)
        store(status_);
    else
        discard_headers();
    return error;
}

/// After MPI's own error: of a message that was too long there may be the beginning of a header,
/// whose sender keeps the payload until somebody has taken it.
void Call::discard_headers() {
    if (!is_listed_ || !may_be_header()) return;
    const auto discard = [](const void* data, Count size) {
        if (size < static_cast<Count>(sizeof(Header))) return;
        const auto* const message = static_cast<const std::byte*>(data);
        if (auto arrival = Arrival::in(message, -1))
            arrival->discard();
        else if (auto other = ChunkedArrival::in(message, -1))
            other->discard();
    };
    for (const Staged& one : staged_)
        if (one.takes_headers) discard(one.host(), one.size());
    for (const Watched& one : watched_) {
        const Header head = one.head();
        discard(&head, one.size());
    }
}

int Call::keep(std::unique_ptr<Call>& call, int error, void* request) {
    requests().finish_freed(false);
    if (error != 0) return error;
    int is_complete = 0;
    void* const status = call->own_status_.data();
    // Libraries give one handle to many requests that are complete at once, so these are not kept.
    // Requests of files have handles of their own; after a look at one, MPI_Wait of Open MPI 5.0
    // does not return.
    if (call->scope_.kind == Scope::Kind::comm)
        mpi.request_get_status(abi().at(request, 0), &is_complete, status);
    call->is_active = true;
    if (is_complete != 0) {
        try {
            call->store(status);
        } catch (const MpiError& late) {
            call->late_error_ = late.code();
        }
        const bool is_fetched = call->has_payload();
        call->is_active = false;
        if (!is_fetched) return keep_checked(call, request);  // else its status is to be corrected
    }
    if (call->checked_ != nullptr) call->checked_->open();
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

/// A request that is complete: the checks wait for the program to complete it too.
int Call::keep_checked(std::unique_ptr<Call>& call, void* request) {
    if (call->checked_ == nullptr) return 0;
    const bool is_known = requests().find(abi().at(request, 0)) != nullptr;
    if (is_known && !replace_complete_request(request)) return 0;
    call->is_active = false;
    call->checked_->open();
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

int Call::keep_persistent(std::unique_ptr<Call>& call, int error, void* request) {
    if (error != 0) return error;
    call->is_persistent = true;
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

}  // namespace aureole::preload
