// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

namespace detail {

/// One part of all items, kept until their work is done.
template <class Part>
class Parts;

template <class F>
class Parts<Kernel<F>> {
  public:
    void reserve(std::size_t most) { loops_.reserve(most); }
    void clear() { loops_.clear(); }
    void add(const Kernel<F>& part) {
        name_ = part.name;
        loops_.push_back({part.n, part.f});
    }
    void launch(device::Queue& queue) const { device::parallel_for_batch<F>(queue, name_, loops_); }
    static void launch(device::Queue& queue, const Kernel<F>& part) {
        device::parallel_for(queue, part.name, part.n, part.f);
    }

  private:
    const char* name_ = nullptr;
    std::vector<device::Loop<F>> loops_;
};

template <>
class Parts<Copy> {
  public:
    void reserve(std::size_t most) { copies_.reserve(most); }
    void clear() { copies_.clear(); }
    void add(const Copy& part) { copies_.push_back(part); }
    void launch(device::Queue& queue) const {
        for (const Copy& each : copies_) launch(queue, each);
    }
    static void launch(device::Queue& queue, const Copy& part) {
        if (part.bytes == 0) return;
        queue.state().count_copy(part.bytes);
        queue.state().copy(part.to, part.from, part.bytes);
    }

  private:
    std::vector<Copy> copies_;
};

template <class Item>
class AllParts;
template <class... Part>
class AllParts<std::tuple<Part...>> {
  public:
    void reserve(std::size_t most) {
        std::apply([&](auto&... each) { (each.reserve(most), ...); }, all_);
    }
    void clear() {
        std::apply([](auto&... each) { (each.clear(), ...); }, all_);
    }
    void add(const std::tuple<Part...>& item) {
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            (std::get<k>(all_).add(std::get<k>(item)), ...);
        }
        (std::index_sequence_for<Part...>());
    }
    void launch(device::Queue& queue) const {
        std::apply([&](const auto&... each) { (each.launch(queue), ...); }, all_);
    }
    /// The parts of one item alone.
    static void launch(device::Queue& queue, const std::tuple<Part...>& item) {
        std::apply([&](const auto&... each) { (Parts<Part>::launch(queue, each), ...); }, item);
    }

  private:
    std::tuple<Parts<Part>...> all_;
};

}  // namespace detail

/// A batch whose items are made by functions of type Make, which are kept until a queue is known.
template <class Make>
class BatchOf final : public Batch {
  public:
    using Item = std::invoke_result_t<Make&, std::byte*>;

    BatchOf(Executors& owner, Kind& its_kind, std::size_t most) : Batch(owner, its_kind) {
        states.reserve(most);
        makers_.reserve(most);
        parts_.reserve(most);
    }
    void add(Make&& make, State* state) {
        makers_.push_back(std::move(make));
        states.push_back(state);
    }
    void launch(device::Queue& queue, std::byte* scratch, std::int64_t stride) override {
        for (Make& make : makers_) {
            parts_.add(make(scratch));
            scratch += stride;
        }
        parts_.launch(queue);
    }
    void clear() override {
        scratch_bytes = 0;
        event = {};
        error = nullptr;
        makers_.clear();
        parts_.clear();
        states.clear();
    }

  private:
    std::vector<Make> makers_;
    detail::AllParts<Item> parts_;
};

}  // namespace aureole::tasks
