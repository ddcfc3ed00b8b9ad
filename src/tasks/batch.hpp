// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "device/batch.hpp"
#include "device/copy.hpp"
#include "tasks/poller.hpp"

namespace aureole::tasks {

/// A kernel of an item: f(i) for every i in [0, n).
template <class F>
struct Kernel {
    const char* name;
    std::int64_t n;
    F f;
};

/// A copy of an item, either way between pinned host memory (device::Resource::pinned), which must
/// stay as it is until the item is done, and device memory; or within the latter.
struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
};
template <class T>
Copy copy(device::View<T> to, device::Input<T> from) {
    return {to.data, from.data, from.size * sizeof(T)};
}

class Executors;
class Batch;

/// The batches of one type.
struct Kind {
    const void* type;
    Batch *open = nullptr, *free = nullptr;
};

/// Items of one kind on their way: open, then in a queue.
class Batch : public Outside {
  public:
    Batch(Executors& owner, Kind& its_kind) : executors(owner), kind(its_kind) {}
    virtual ~Batch() = default;
    /// Enqueues all parts of all items, with `stride` bytes of scratch memory each.
    virtual void launch(device::Queue& queue, std::byte* scratch, std::int64_t stride) = 0;
    /// Drops what the items held.
    virtual void clear() = 0;

    const Job& asker() const override { return *states.front(); }
    void settle(Worker& worker, State*& ready) override;

    Executors& executors;
    Kind& kind;
    std::vector<State*> states;  ///< one for each item
    std::int64_t scratch_bytes = 0, serial = 0;
    Batch* following = nullptr;  ///< in a list of free or closed batches
};

/// Enqueues a part of one item.
template <class F>
void enqueue(device::Queue& queue, const Kernel<F>& part) {
    device::parallel_for(queue, part.name, part.n, part.f);
}
void enqueue(device::Queue& queue, const Copy& part);

namespace detail {

/// One part of all items, kept until their work is done.
template <class Part>
struct Parts;

template <class F>
struct Parts<Kernel<F>> {
    void add(const Kernel<F>& part) {
        name = part.name;
        all.push_back({part.n, part.f});
    }
    void launch(device::Queue& queue) const { device::parallel_for_batch<F>(queue, name, all); }

    const char* name = nullptr;
    std::vector<device::Loop<F>> all;
};

template <>
struct Parts<Copy> {
    void add(const Copy& part) { all.push_back(part); }
    void launch(device::Queue& queue) const {
        for (const Copy& each : all) enqueue(queue, each);
    }

    std::vector<Copy> all;
};

template <class... Part>
std::tuple<Parts<Part>...> parts_of(const std::tuple<Part...>&);

}  // namespace detail

/// A batch whose items are made by functions of type Make, which are kept until a queue is known.
template <class Make>
class BatchOf final : public Batch {
  public:
    using Item = std::invoke_result_t<Make&, std::byte*>;

    BatchOf(Executors& owner, Kind& its_kind, std::size_t most) : Batch(owner, its_kind) {
        states.reserve(most);
        makers_.reserve(most);
        each_part([&](auto& part) { part.all.reserve(most); });
    }
    void add(Make&& make, State* state) {
        makers_.push_back(std::move(make));
        states.push_back(state);
    }
    void launch(device::Queue& queue, std::byte* scratch, std::int64_t stride) override {
        for (Make& make : makers_) {
            add_parts(make(scratch));
            scratch += stride;
        }
        each_part([&](const auto& part) { part.launch(queue); });
    }
    void clear() override {
        scratch_bytes = 0;
        event = {};
        error = nullptr;
        makers_.clear();
        each_part([](auto& part) { part.all.clear(); });
        states.clear();
    }

  private:
    void each_part(auto&& f) {
        std::apply([&](auto&... part) { (f(part), ...); }, parts_);
    }
    void add_parts(const Item& item) {
        std::apply(
            [&](auto&... all) {
                std::apply([&](const auto&... part) { (all.add(part), ...); }, item);
            },
            parts_);
    }

    std::vector<Make> makers_;
    decltype(detail::parts_of(std::declval<Item>())) parts_;
};

}  // namespace aureole::tasks
