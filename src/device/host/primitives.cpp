// SPDX-License-Identifier: Apache-2.0
#include "device/host/primitives.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "device/host/loops.hpp"

namespace aureole::device::host {

namespace {

/// Calls f(part, parts), on the threads if the work is worth it.
template <class F>
void in_parts(ThreadPool& pool, int parts, const F& f) {
    if (parts == 1) {
        f(0, 1);
    } else {
        pool.run([&](int rank) { f(rank, parts); });
    }
}

int parts_for(ThreadPool& pool, std::int64_t n, std::int64_t worth) {
    return n < worth ? 1 : pool.size();
}

template <class T>
void fill_typed(ThreadPool& pool, void* to, const void* pattern, std::int64_t count) {
    T value;
    std::memcpy(&value, pattern, sizeof(T));
    in_parts(pool, parts_for(pool, count, 1 << 14), [&](int part, int parts) {
        const Range mine = part_of(count, part, parts, 64);
        T* out = static_cast<T*>(to);
        std::fill(out + mine.begin, out + mine.end, value);
    });
}

}  // namespace

void copy_bytes(ThreadPool& pool, void* to, const void* from, std::size_t bytes) {
    const auto n = static_cast<std::int64_t>(bytes);
    in_parts(pool, parts_for(pool, n, 1 << 17), [&](int part, int parts) {
        const Range mine = part_of(n, part, parts, 4096);
        std::memcpy(static_cast<std::byte*>(to) + mine.begin,
                    static_cast<const std::byte*>(from) + mine.begin, mine.end - mine.begin);
    });
}

void fill_pattern(ThreadPool& pool, void* to, const void* pattern, std::size_t bytes,
                  std::int64_t count) {
    switch (bytes) {
        case 1:
            return fill_typed<std::uint8_t>(pool, to, pattern, count);
        case 4:
            return fill_typed<std::uint32_t>(pool, to, pattern, count);
        case 8:
            return fill_typed<std::uint64_t>(pool, to, pattern, count);
        default:
            break;
    }
    in_parts(pool, parts_for(pool, count, 1 << 12), [&](int part, int parts) {
        const Range mine = part_of(count, part, parts, 64);
        for (std::int64_t i = mine.begin; i < mine.end; ++i)
            std::memcpy(static_cast<std::byte*>(to) + i * bytes, pattern, bytes);
    });
}

void exclusive_scan(ThreadPool& pool, View<const std::int32_t> in, View<std::int32_t> out) {
    const std::int64_t n = in.size;
    const int parts = parts_for(pool, n, 1 << 13);
    // Each part's sum, then each part's start.
    std::vector<std::int32_t> starts(parts, 0);
    if (parts > 1) {
        in_parts(pool, parts, [&](int part, int of) {
            const Range mine = part_of(n, part, of, 16);
            std::int32_t sum = 0;
            for (std::int64_t i = mine.begin; i < mine.end; ++i) sum += in[i];
            starts[part] = sum;
        });
    }
    std::int32_t before = 0;
    for (std::int32_t& start : starts) before += std::exchange(start, before);
    in_parts(pool, parts, [&](int part, int of) {
        const Range mine = part_of(n, part, of, 16);
        std::int32_t sum = starts[part];
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int32_t value = in[i];
            out[i] = sum;
            sum += value;
        }
        if (part == of - 1 && out.size > n) out[n] = sum;
    });
}

namespace {

/// Stable radix sort, lowest digit first, over the bits in which keys differ.
class RadixSort {
  public:
    RadixSort(ThreadPool& pool, Memory& memory, View<std::uint32_t> keys, View<std::int32_t> values)
        : pool_(pool),
          memory_(memory),
          keys_(keys),
          values_(values),
          n_(keys.size),
          parts_(parts_for(pool, n_, 1 << 12)) {}

    void run() {
        find_digits();
        if (passes_ == 0) return;
        std::byte* block = static_cast<std::byte*>(
            memory_.allocate(n_ * (sizeof(std::uint32_t) + sizeof(std::int32_t))));
        View<std::uint32_t> other_keys{reinterpret_cast<std::uint32_t*>(block), n_};
        View<std::int32_t> other_values{reinterpret_cast<std::int32_t*>(other_keys.end()), n_};
        counts_.assign(static_cast<std::size_t>(parts_) << bits_, 0);
        for (int pass = 0; pass < passes_; ++pass) {
            sort_digit(low_ + pass * bits_, other_keys, other_values);
            std::swap(keys_, other_keys);
            std::swap(values_, other_values);
        }
        if (passes_ % 2 == 1) {
            copy_bytes(pool_, other_keys.data, keys_.data, n_ * sizeof(std::uint32_t));
            copy_bytes(pool_, other_values.data, values_.data, n_ * sizeof(std::int32_t));
        }
        memory_.release(block);
    }

  private:
    void find_digits() {
        std::vector<std::uint32_t> differ(parts_);
        in_parts(pool_, parts_, [&](int part, int of) {
            std::uint32_t bits = 0;
            const std::uint32_t first = keys_[0];
            const Range mine = part_of(n_, part, of, 16);
            for (std::int64_t i = mine.begin; i < mine.end; ++i) bits |= keys_[i] ^ first;
            differ[part] = bits;
        });
        std::uint32_t bits = 0;
        for (const std::uint32_t d : differ) bits |= d;
        if (bits == 0) return;
        low_ = __builtin_ctz(bits);
        const int width = 32 - __builtin_clz(bits) - low_;
        // Up to 1024 places at once still fit the first-level caches.
        passes_ = (width + 9) / 10;
        bits_ = (width + passes_ - 1) / passes_;
    }

    void sort_digit(int shift, View<std::uint32_t> to_keys, View<std::int32_t> to_values) {
        const std::size_t places = std::size_t{1} << bits_;
        const std::uint32_t mask = static_cast<std::uint32_t>(places - 1);
        in_parts(pool_, parts_, [&](int part, int of) {
            std::int64_t* count = &counts_[part * places];
            std::fill(count, count + places, 0);
            const Range mine = part_of(n_, part, of, 16);
            for (std::int64_t i = mine.begin; i < mine.end; ++i)
                ++count[(keys_[i] >> shift) & mask];
        });
        std::int64_t before = 0;
        for (std::size_t place = 0; place < places; ++place)
            for (int part = 0; part < parts_; ++part)
                before += std::exchange(counts_[part * places + place], before);
        in_parts(pool_, parts_, [&](int part, int of) {
            std::int64_t* next = &counts_[part * places];
            const Range mine = part_of(n_, part, of, 16);
            for (std::int64_t i = mine.begin; i < mine.end; ++i) {
                const std::uint32_t key = keys_[i];
                const std::int64_t at = next[(key >> shift) & mask]++;
                to_keys[at] = key;
                to_values[at] = values_[i];
            }
        });
    }

    ThreadPool& pool_;
    Memory& memory_;
    View<std::uint32_t> keys_;
    View<std::int32_t> values_;
    std::int64_t n_;
    int parts_;
    int low_ = 0, bits_ = 0, passes_ = 0;
    std::vector<std::int64_t> counts_;
};

}  // namespace

void sort_by_key(ThreadPool& pool, Memory& memory, View<std::uint32_t> keys,
                 View<std::int32_t> values) {
    RadixSort(pool, memory, keys, values).run();
}

}  // namespace aureole::device::host
