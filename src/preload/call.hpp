// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/arrival.hpp"
#include "preload/check.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/envelope.hpp"
#include "preload/group.hpp"
#include "preload/matched.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/staging.hpp"
#include "preload/watch.hpp"
#include "preload/watched.hpp"

namespace aureole::preload {

/// A call of MPI with buffers in device memory. Its functions put what MPI is to see in the place
/// of the program's arguments: copies in memory of the host, datatypes without gaps, displacements
/// in these copies. Buffers that are on hosts, and markers, stay as they are.
///
/// A sending buffer is copied when it is named, a receiving one after the call (`end`), or when its
/// request is complete (`keep`).
class Call {
  public:
    explicit Call(const char* name, Scope scope = {})
        : name_(name),
          scope_(scope),
          checked_(is_checking ? Checked::make(name, scope) : nullptr) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
        if (is_listed_) matched().remove(this);
        if (partitions > 0) forget_partitions();
    }

    const char* name() const { return name_; }
    const Scope& scope() const { return scope_; }
    /// The communicator's groups.
    Group& group() {
        if (!group_) group_.emplace(scope_.handle);
        return *group_;
    }

    // ------------------------------------------------------------------------------- one block
    // N is the type of counts in the program's call.

    /// `count` elements that are read.
    template <class B, class N>
    void in(const Allocation& at, B*& buffer, N count, Handle& type) {
        if (is_marker(buffer)) return;
        stage(at, buffer, one(count, type), {.loads = true});
    }
    /// `count` elements that are written; read as well if the sending buffer was MPI_IN_PLACE.
    template <class N>
    void out(const Allocation& at, void*& buffer, N count, Handle& type) {
        if (is_marker(buffer)) return;
        stage(at, buffer, one(count, type), {.loads = is_in_place_, .stores = true});
    }
    /// The next receive is from a rank of the communicator, or from any.
    void from(int source);
    /// At most `count` elements that are written, as many as the status says.
    template <class N>
    void received(const Allocation& at, void*& buffer, N count, Handle& type) {
        if (is_watched(at)) return watch_host(buffer, count, type);
        stage(at, buffer, bytes(count, type),
              {.stores = true, .receives = true, .takes_headers = true});
    }
    /// Elements that are sent and then replaced by what is received.
    template <class N>
    void replaced(const Allocation& at, void*& buffer, N count, Handle& type) {
        if (is_watched(at)) return watch_host(buffer, count, type, {.is_sent = true});
        stage(at, buffer, bytes(count, type),
              {.loads = true, .stores = true, .receives = true, .takes_headers = true});
    }
    /// The same for MPI_Isendrecv and MPI_Isendrecv_replace. MPICH 5.0 leaves the status of their
    /// requests as it was, so that it is not known how much came: there the rest of the buffer is
    /// written with what it holds.
    template <class N>
    void received_beside_send(const Allocation& at, void*& buffer, N count, Handle& type,
                              bool is_sent = false) {
        const bool is_told = abi().kind == Abi::Kind::open_mpi;
        if (is_watched(at)) return watch_host(buffer, count, type, {is_sent, is_told});
        stage(at, buffer, bytes(count, type),
              {.loads = is_sent || !is_told,
               .stores = true,
               .receives = is_told,
               .is_filled = !is_sent,
               .takes_headers = true});
    }
    /// Both directions of MPI_Bcast.
    template <class N>
    void broadcast(const Allocation& at, void*& buffer, N count, Handle& type, int root) {
        if (group().is_root(root)) return in(at, buffer, count, type);
        if (group().takes_part(root)) out(at, buffer, count, type);
    }

    // ------------------------------------------------------------------- from device to device

    /// Whether a message goes in an envelope: then `post` or `exchange` sends it.
    template <class N>
    bool wraps(const Allocation& at, const void* buffer, N count, Handle type,
               const Destination& to) {
        if (!at.on_device() || count <= 0 || is_null(type)) return false;
        throw_if_unknown(at);
        return wrap(at, const_cast<void*>(buffer),
                    {datatype(type), static_cast<Count>(count), 0, 0}, to);
    }
    /// The same for each start of a persistent request.
    template <class N>
    void wraps_later(const Allocation& at, const void* buffer, N count, Handle type,
                     const Destination& to) {
        if (!at.on_device() || count <= 0 || is_null(type)) return;
        later_ = std::make_unique<Later>(at, const_cast<void*>(buffer),
                                         Block{datatype(type), static_cast<Count>(count), 0, 0});
        to_ = to;
    }
    /// The request of MPI that sends the header for an active persistent request; 0 without one.
    Handle stand_in() const { return stand_in_; }
    /// Sends it; null for the request of a blocking call.
    static int post(std::unique_ptr<Call>& call, void* request);
    /// Sends it, and receives, as MPI_Sendrecv does.
    struct Source {
        void* buffer;
        int count;
        Handle type;
        int rank, tag;
    };
    int exchange(const Source& from, void* status);
    /// The size of a payload that was fetched, after the status told that of a header.
    void correct(const void* status) const;
    int late_error() const { return late_error_; }
    bool sends_envelope() const { return envelope_ != nullptr; }
    bool has_payload() const { return payload_bytes_ >= 0; }
    /// After an error of MPI's: the payload of a message that was too long is not wanted.
    void discard_headers();
    /// Whether a header has come for one of its buffers.
    bool has(const Header& header) const;

    // ------------------------------------------------------------------------- one block a peer

    template <class N>
    void in_peers(const Allocation& at, const void*& buffer, N count, Handle& type,
                  const Peers& peers) {
        if (is_marker(buffer)) return;
        stage(at, buffer, equal(count, type, peers), {.loads = true});
    }
    template <class N>
    void out_peers(const Allocation& at, void*& buffer, N count, Handle& type, const Peers& peers) {
        stage(at, buffer, equal(count, type, peers), {.loads = is_in_place_, .stores = true});
    }
    /// Blocks at displacements of their own; `types` is a datatype, or an array of one for each.
    template <class N, class D, class Types>
    void in_each(const Allocation& at, const void*& buffer, const N* counts,
                 const D*& displacements, Types& types, const Peers& peers) {
        if (is_marker(buffer)) return;
        stage(at, buffer, each(counts, displacements, types, peers), {.loads = true});
    }
    template <class N, class D, class Types>
    void out_each(const Allocation& at, void*& buffer, const N* counts, const D*& displacements,
                  Types& types, const Peers& peers) {
        stage(at, buffer, each(counts, displacements, types, peers),
              {.loads = is_in_place_, .stores = true});
    }

    // ------------------------------------------------------------------------------ reductions
    // The operation may be the program's and look at elements, so that their datatype stays.

    template <class N>
    void reduce_in(const Allocation& at, const void*& buffer, N count, Handle type) {
        if (is_marker(buffer)) return;
        stage(at, buffer, plain(count, type), {.loads = true, .is_mirrored = true});
    }
    /// The first `written` of `count` elements are results.
    template <class N>
    void reduce_out(const Allocation& at, void*& buffer, N count, Handle type, N written) {
        if (is_marker(buffer)) return;
        stage(at, buffer, plain(count, type),
              {.loads = is_in_place_,
               .stores = written > 0,
               .is_mirrored = true,
               .written = static_cast<Count>(written)});
    }
    template <class N>
    void reduce_out(const Allocation& at, void*& buffer, N count, Handle type) {
        reduce_out(at, buffer, count, type, count);
    }
    /// The same where `count` elements are reduced and each process gets some of them.
    template <class N>
    void reduce_scattered(const Allocation& at, void*& buffer, Count count, Handle type,
                          N written) {
        const auto mine = static_cast<Count>(written);
        reduce_out(at, buffer, is_in_place_ ? count : mine, type, mine);
    }
    template <class N>
    Count sum(const N* counts) {
        Count all = 0;
        for (int k = 0; k < group().size(); ++k) all += counts[k];
        return all;
    }
    /// Read and written, as the second buffer of MPI_Reduce_local.
    template <class N>
    void accumulate(const Allocation& at, void*& buffer, N count, Handle type) {
        is_in_place_ = true;
        reduce_out(at, buffer, count, type);
    }

    // ------------------------------------------------------------- bytes, numbers of 32 bits

    /// A buffer of bytes that is copied by hand; null if it is not on a device.
    template <class B>
    Staged* bytes(const Allocation& at, B*& buffer, Count n) {
        if (!at.on_device()) return nullptr;
        Handle type = abi().byte;
        stage(at, buffer, plain(n, type), {});
        return &staged_.back();
    }
    /// A number for a library that has no calls with large counts. Throws core::InputError if it is
    /// too large.
    static int narrow(Count number);
    static int narrow(int number) { return number; }
    /// The same for a number of elements: if it is too large, they become one element of a datatype
    /// that the call owns.
    int narrow(Count count, Handle& type);
    const int* narrow(const Count* numbers, int n);
    /// After a call with such numbers, which its request needs until it is complete.
    static int keep_arrays(std::unique_ptr<Call>& call, int error, void* request);

    // ------------------------------------------------------------------------------- the end

    /// Gives the call a status of ours where the program ignores it and we need it.
    void needs(void*& status) {
        if (abi().is_ignored(status)) status = own_status_.data();
        status_ = status;
    }
    /// After a blocking call.
    int end(int error);
    /// After a call that made a request: the rest is done when that is complete.
    static int keep(std::unique_ptr<Call>& call, int error, void* request);
    /// After one that made a persistent request: loads at each start, stores at each completion.
    static int keep_persistent(std::unique_ptr<Call>& call, int error, void* request);

    /// Copies what was received. `status` is that of the completed request.
    void store(const void* status);
    /// A persistent request starts.
    void start();
    /// A partition is ready to be sent, or has come. Threads may call them for different ones.
    void load_partition(int k);
    void store_partition(int k);
    std::vector<Staged>& staged() { return staged_; }
    /// What the checks know of it; null if it is not checked.
    Checked* checked() const { return checked_.get(); }

    bool is_persistent = false;
    std::atomic<bool> is_active = false;  // threads that ask for partitions read it
    int partitions = 0;                   ///< of a partitioned operation

  private:
    struct Use {
        bool loads = false, stores = false, receives = false, is_mirrored = false;
        bool is_filled = false;  ///< read only to be written again
        bool takes_headers = false;
        Count written = -1;  ///< -1: all
    };

    static bool is_null(Handle type) { return abi().own(type) == abi().datatype_null; }
    bool is_marker(const void* buffer) {
        if (buffer != abi().in_place) return false;
        is_in_place_ = true;
        return true;
    }
    template <class N>
    auto one(N count, Handle& type) {
        return [this, count, &type] { return single(static_cast<Count>(count), type, true); };
    }
    template <class N>
    auto bytes(N count, Handle& type) {
        return [this, count, &type] { return as_bytes(static_cast<Count>(count), type); };
    }
    template <class N>
    auto plain(N count, Handle type) {
        return [this, count, type]() mutable {
            return single(static_cast<Count>(count), type, false);
        };
    }
    template <class N>
    auto equal(N count, Handle& type, const Peers& peers) {
        return [this, count, &type, &peers] {
            return of_peers(static_cast<Count>(count), type, peers);
        };
    }
    template <class N, class D>
    auto each(const N* counts, const D*& displacements, Handle& type, const Peers& peers) {
        return [=, this, &displacements, &type, &peers] {
            std::vector<Block> blocks;
            if (is_null(type)) return blocks;
            const auto one = datatype(type);
            Count next = 0;  // [elements]
            D* const dense = room<D>(peers.n);
            for (int k = 0; k < peers.n; ++k) {
                dense[k] = static_cast<D>(next);
                if (!peers.is_absent(k) && counts[k] > 0)
                    blocks.push_back(
                        {one, counts[k], displacements[k] * one->extent, next * one->size});
                next += counts[k];
            }
            check_range<D>(next);
            if (!keeps_arguments_) displacements = dense, type = one->dense;
            kept_types_.push_back(one);
            return blocks;
        };
    }
    template <class N, class D>
    auto each(const N* counts, const D*& displacements, const void*& types, const Peers& peers) {
        return [=, this, &displacements, &types, &peers] {
            Count next = 0;  // [bytes]
            D* const dense = room<D>(peers.n);
            auto* const dense_types = room<Handle>(peers.n);
            std::vector<Block> blocks;
            for (int k = 0; k < peers.n; ++k) {
                dense[k] = static_cast<D>(next);
                const Handle type = abi().at(types, k);
                abi().put(dense_types, k, type);
                if (counts[k] <= 0 || is_null(type)) continue;
                const auto one = datatype(type);
                abi().put(dense_types, k, one->dense);
                kept_types_.push_back(one);
                if (!peers.is_absent(k)) blocks.push_back({one, counts[k], displacements[k], next});
                next += (counts[k] * one->size + 15) / 16 * 16;  // aligned for any basic type
            }
            check_range<D>(next);
            if (!keeps_arguments_) displacements = dense, types = dense_types;
            return blocks;
        };
    }
    template <class D>
    static void check_range(Count last) {
        if (last > static_cast<Count>(std::numeric_limits<D>::max())) throw_too_large();
    }
    [[noreturn]] static void throw_too_large();
    std::vector<Block> single(Count count, Handle& type, bool is_dense);
    std::vector<Block> as_bytes(Count count, Handle& type);
    std::vector<Block> of_peers(Count count, Handle& type, const Peers& peers);

    template <class B, class Make>
    void stage(const Allocation& at, B*& buffer, Make&& make, Use use) {
        if (!at.on_device()) {
            if (checked_ != nullptr) check_host(buffer, make, use);
            return;
        }
        throw_if_unknown(at);
        tell_once(&at);
        buffer = add(const_cast<void*>(static_cast<const void*>(buffer)), at, make(), use);
    }
    /// Tells the checks of a buffer that MPI gets as it is.
    template <class Make>
    void check_host(const void* buffer, Make&& make, const Use& use) {
        keeps_arguments_ = true;
        try {
            checked_->add({buffer, {}, make(), -1, use.loads && !use.is_filled, use.stores},
                          is_persistent);
        } catch (const core::Error&) {  // MPI says what is wrong, if anything is
        }
        keeps_arguments_ = false;
    }
    static int keep_checked(std::unique_ptr<Call>& call, void* request);
    void* add(void* buffer, const Allocation& at, std::vector<Block> blocks, const Use& use);
    static bool is_watched(const Allocation& at) { return !at.on_device() && watch().is_on(); }
    template <class N>
    void watch_host(void*& buffer, N count, Handle& type, Watched::Use use = {}) {
        if (count <= 0 || is_null(type)) return;
        watch().answer_offers();
        try {
            auto blocks = single(static_cast<Count>(count), type, false);
            watched_.emplace_back(buffer, std::move(blocks[0]), use);
            if (watched_.back().is_as_bytes()) type = kept_types_.back()->bytes;
        } catch (const core::Error&) {  // a datatype that MPI knows and we do not
            return watch().close();
        }
        buffer = watched_.back().data();
        list();
    }
    void forget_partitions() const;
    bool wrap(const Allocation& at, void* buffer, const Block& block, const Destination& to);
    bool start_envelope();
    int send_header(void* request);
    /// After its buffers are there: probes look whether a header has come to them.
    void list() {
        if (!std::exchange(is_listed_, true)) matched().add(this);
    }
    Count received_bytes(const void* status) const;
    void store_buffers(const void* status);
    bool fetch_staged(Staged& staged, Count received);
    void store_watched(const Watched& watched, Count received);
    bool fetch_watched(const Watched& watched, Count received);
    bool fetch_chunks(const Watched& watched, const Header& head, Count received);
    /// `into` is what an arrival of this kind takes.
    template <class OneArrival, class Into>
    void fetch(OneArrival& arrival, Into&& into, Count room);
    /// Memory for n numbers that lives as long as the call.
    template <class T>
    T* room(int n) {
        arrays_.push_back(
            std::make_unique<std::byte[]>(sizeof(T) * static_cast<std::size_t>(n) + 1));
        return reinterpret_cast<T*>(arrays_.back().get());
    }

    const char* name_;
    Scope scope_;
    std::optional<Group> group_;
    std::vector<Staged> staged_;
    std::vector<std::shared_ptr<const Datatype>> kept_types_;
    std::vector<std::unique_ptr<LargeType>> large_types_;
    std::mutex partitions_lock_;
    std::vector<bool> arrived_;  // partitions that were copied to the device
    std::vector<std::unique_ptr<std::byte[]>> arrays_;
    std::vector<Watched> watched_;
    /// The buffer of a persistent request, which may go in an envelope.
    struct Later {
        Allocation at;
        void* buffer;
        Block block;
    };
    bool is_listed_ = false;
    int late_error_ = 0;           // of MPI, which the completing call returns
    bool expects_header_ = false;  // from the sender of the next receive
    std::unique_ptr<Later> later_;
    Handle stand_in_ = 0;
    std::unique_ptr<Outgoing> envelope_;
    Destination to_{};
    Count payload_bytes_ = -1;   // that was fetched
    bool is_truncated_ = false;  // as the buffer had no room for all of it
    bool is_in_place_ = false;
    bool keeps_arguments_ = false;
    void* status_ = nullptr;
    OwnStatus own_status_;
    std::unique_ptr<Checked> checked_;
};

/// Runs the part of a call that knows device memory, and turns errors of ours into MPI's.
template <class Run>
int with_devices(const char* name, const Scope& scope, Run&& run) {
    try {
        auto call = std::make_unique<Call>(name, scope);
        return run(call);
    } catch (const std::exception& error) {
        return fail(name, scope, error);
    }
}

// Where the program goes on after the function that these are inlined into.
[[gnu::always_inline]] inline Scope on_comm(Handle comm) {
    return {Scope::Kind::comm, comm, __builtin_return_address(0)};
}
[[gnu::always_inline]] inline Scope on_window(Handle window) {
    return {Scope::Kind::window, window, __builtin_return_address(0)};
}
[[gnu::always_inline]] inline Scope on_file(Handle file) {
    return {Scope::Kind::file, file, __builtin_return_address(0)};
}

}  // namespace aureole::preload
