// SPDX-License-Identifier: Apache-2.0
#include "preload/check.hpp"

#include <algorithm>
#include <mutex>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/check_memory.hpp"
#include "preload/check_site.hpp"

namespace aureole::preload {

/// Calls whose requests are open.
class OpenCalls {
  public:
    void add(Checked* call) {
        const std::lock_guard guard(lock_);
        calls_.push_back(call);
    }
    void remove(Checked* call) {
        const std::lock_guard guard(lock_);
        std::erase(calls_, call);
    }
    /// Calls `visit` with each, while none of them can go.
    template <class Visit>
    void each(Visit&& visit) {
        const std::lock_guard guard(lock_);
        for (const Checked* call : calls_) visit(*call);
    }

  private:
    std::mutex lock_;
    std::vector<Checked*> calls_;
};

namespace {

constexpr char pending[] = "pending", changed[] = "changed", freed[] = "freed",
               overlapping[] = "overlapping", never_completed[] = "never completed";

OpenCalls& open_calls() {
    static auto* const all = new OpenCalls;  // outlives MPI's threads
    return *all;
}

std::string where_text(const Allocation& at) {
    return at.on_device() ? "the buffer on GPU " + std::to_string(at.device) : "the buffer";
}

/// Whether the address is in another allocation now, or in none.
bool is_gone(const CheckedBuffer& buffer) {
    try {
        const auto* const address = reinterpret_cast<const void*>(buffer.low);
        Allocation now = drivers::Driver::look_up(address);
        if (!now.on_device()) return true;
        now.driver->identify(now, address);
        return now.id != buffer.at.id;
    } catch (const core::Error&) {
        return false;  // the driver does not say
    }
}

}  // namespace

std::unique_ptr<Checked> Checked::make(const char* name, const Scope& scope) {
    const void* const site = program_site(scope.site);
    if (site == nullptr) return nullptr;
    return std::make_unique<Checked>(name, Scope{scope.kind, scope.handle, site});
}

void Checked::add(CheckedBuffer buffer, bool is_persistent) {
    if (scope_.kind == Scope::Kind::window) return;  // complete when the window says so
    bool is_first = true;
    const auto base = reinterpret_cast<std::uintptr_t>(buffer.buffer);
    for (const Block& block : buffer.blocks) {
        const auto origin = base + static_cast<std::uintptr_t>(block.offset);
        const auto low = origin + static_cast<std::uintptr_t>(block.type->low(block.count));
        const auto high = origin + static_cast<std::uintptr_t>(block.type->high(block.count));
        buffer.low = is_first ? low : std::min(buffer.low, low);
        buffer.high = is_first ? high : std::max(buffer.high, high);
        is_first = false;
    }
    if (buffer.low >= buffer.high) return;  // no byte
    if (buffer.at.on_device()) try {
            buffer.at.driver->identify(buffer.at, reinterpret_cast<const void*>(buffer.low));
        } catch (const core::Error&) {
            return;
        }
    if (!is_persistent) find_overlaps(buffer);
    buffers_.push_back(std::move(buffer));
}

void Checked::loaded(Staged& staged, std::int64_t first, std::int64_t bytes) {
    staged.finish_device();
    const std::int64_t at = staged.first_difference(first, bytes);
    if (at == Staged::everything) return;
    is_pending_ = true;
    report_mistake(pending, name_, scope_.site,
                   "work on a non-blocking stream was changing the buffer when MPI read it (byte " +
                       std::to_string(at) +
                       "). Wait for that stream before the call, as by cudaStreamSynchronize.");
}

void Checked::find_overlaps(const CheckedBuffer& mine) const {
    open_calls().each([&](const Checked& other) {
        if (&other == this) return;
        for (const CheckedBuffer& theirs : other.buffers_) {
            if (!mine.writes && !theirs.writes) continue;
            const std::uintptr_t at = first_common(mine, theirs);
            if (at == 0) continue;
            report_mistake(overlapping, name_, scope_.site,
                           std::string(mine.writes ? "writes into" : "reads from") +
                               " memory from byte " + std::to_string(at - address(mine)) +
                               " of the buffer on, which " + other.name_ + " at " +
                               site_text(other.scope_.site) + " still " +
                               (theirs.writes ? "receives into" : "sends from") +
                               ". Complete that request first, or use memory of its own for each.");
            return;
        }
    });
}

void Checked::open(bool is_partitioned) {
    for (CheckedBuffer& buffer : buffers_) {
        const bool is_kept = buffer.reads && !buffer.writes && buffer.staged < 0;
        buffer.is_summed = is_kept && !is_partitioned;
        if (buffer.is_summed) buffer.sum = sum_of(buffer);
    }
    if (is_open_) return;
    is_open_ = true;
    open_calls().add(this);
}

void Checked::start(bool is_partitioned) {
    is_pending_ = false;
    for (const CheckedBuffer& buffer : buffers_) find_overlaps(buffer);
    open(is_partitioned);
}

void Checked::close() {
    if (!is_open_) return;
    is_open_ = false;
    open_calls().remove(this);
}

void Checked::compare(CheckedBuffer& buffer, std::vector<Staged>& staged) {
    if (buffer.staged < 0 && !buffer.is_summed) return;  // MPI has written into it by now
    const bool is_gone_now = buffer.staged >= 0 ? is_gone(buffer) : !is_mapped(buffer);
    if (is_gone_now) {
        report_mistake(freed, name_, scope_.site,
                       where_text(buffer.at) +
                           " was freed before the request was complete. Complete it first, as by "
                           "MPI_Wait.");
        return;
    }
    std::string from;
    if (buffer.is_summed && sum_of(buffer) != buffer.sum) from = "somewhere";
    if (buffer.staged >= 0 && buffer.reads && !buffer.writes && !is_pending_) {
        const auto at =
            staged[static_cast<std::size_t>(buffer.staged)].first_difference(0, Staged::everything);
        if (at != Staged::everything) from = "at byte " + std::to_string(at);
    }
    if (from.empty()) return;
    report_mistake(changed, name_, scope_.site,
                   where_text(buffer.at) + " was changed before the request was complete (" + from +
                       "). Complete it first, as by MPI_Wait.");
}

void Checked::complete(std::vector<Staged>& staged) {
    if (!is_open_) return;
    close();
    for (CheckedBuffer& buffer : buffers_) compare(buffer, staged);
}

void Checked::report_open() {
    open_calls().each([](const Checked& call) {
        report_mistake(never_completed, call.name_, call.scope_.site,
                       "the request was not completed before MPI_Finalize. Complete it by MPI_Wait "
                       "or MPI_Test, or free it by MPI_Request_free.");
    });
}

}  // namespace aureole::preload
