// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace twins {
namespace {

constexpr std::size_t least_room = 256;
constexpr std::size_t page = 4096;
/// Addresses before and behind each buffer on the host that nothing may touch.
constexpr std::size_t fence = 1 << 20;

std::size_t in_pages(std::size_t room) { return (room + page - 1) / page * page; }

unsigned char* take_fenced(std::size_t room) {
    const auto all = in_pages(room) + 2 * fence;
    void* start = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    auto* memory = static_cast<unsigned char*>(start) + fence;
    if (start == MAP_FAILED || mprotect(memory, in_pages(room), PROT_READ | PROT_WRITE) != 0)
        fatal("no memory for a buffer on the host");
    return memory;
}

void give_fenced(unsigned char* memory, std::size_t room) {
    munmap(memory - fence, in_pages(room) + 2 * fence);
}

void write_noise(Rng& rng, Bytes& bytes) {
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        const auto word = rng.next();
        std::memcpy(bytes.data() + i, &word, 8);
    }
    for (; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(rng.next());
}

}  // namespace

Memory::Memory(Runtime* runtime, std::vector<Kind> kinds, int home)
    : runtime_(runtime), kinds_(std::move(kinds)), home_(home) {
    go_home();
}

Memory::~Memory() {
    for (auto& [key, places] : free_)
        for (const auto& place : places) release(place);
}

void Memory::go_home() const {
    if (runtime_) runtime_->use(home_);
}

void Memory::wait() const {
    if (runtime_) runtime_->wait();
}

void Memory::release(const Place& place) {
    if (place.kind == Kind::host)
        give_fenced(place.start, place.room);
    else
        runtime_->give(place.kind, place.device, place.start);
}

Place Memory::take(Rng& rng, std::size_t bytes) {
    Place place;
    place.kind = kinds_[rng.below(static_cast<long>(kinds_.size()))];
    if (place.kind != Kind::host) {
        // The rest lies on another device, which is not the current one in the call.
        const auto any = static_cast<int>(rng.below(runtime_->devices()));
        place.device = rng.percent(80) ? home_ : any;
    }
    place.room = std::bit_ceil(std::max(bytes, least_room));
    const std::lock_guard lock(mutex_);
    auto& list = free_[{place.kind, place.device, place.room}];
    if (!list.empty()) {
        place = list.back();
        list.pop_back();
    } else if (place.kind == Kind::host) {
        place.start = take_fenced(place.room);
    } else {
        place.start =
            static_cast<unsigned char*>(runtime_->take(place.kind, place.device, place.room));
        go_home();
    }
    return place;
}

void Memory::give(Rng& rng, const Place& place) {
    const std::lock_guard lock(mutex_);
    if (rng.percent(10)) {
        release(place);
        go_home();
    } else {
        free_[{place.kind, place.device, place.room}].push_back(place);
    }
}

Buffer::Buffer(Memory& memory, Rng rng, std::vector<Block> blocks, int shift)
    : memory_(memory), noise_(rng.fork()), own_(rng.fork()), blocks_(std::move(blocks)) {
    std::ptrdiff_t low = 0, high = 0;
    for (const auto& block : blocks_) {
        const auto span = span_of(*block.type, block.count);
        low = std::min(low, block.at + span.low);
        high = std::max(high, block.at + span.high);
    }
    zero_ = (guard - low + 15) / 16 * 16 + shift;
    bytes_ = static_cast<std::size_t>(zero_ + high + guard);
    place_ = memory_.take(own_, bytes_);
    refill();
}

Buffer::~Buffer() { memory_.give(own_, place_); }

void Buffer::refill() {
    Bytes image(bytes_);
    write_noise(noise_, image);
    set(std::move(image));
}

void Buffer::set(Bytes image) {
    images_.push_back(std::make_shared<const Bytes>(std::move(image)));
    upload();
}

void Buffer::upload() {
    const auto& image = *images_.back();
    // Pinned memory is host memory to MPI: the program itself waits for streams that write it.
    const bool later = own_.percent(50) && place_.kind != Kind::pinned;
    if (place_.kind == Kind::host)
        std::memcpy(place_.start, image.data(), image.size());
    else if (later)
        memory_.runtime()->copy_later(place_.start, image.data(), image.size());
    else
        memory_.runtime()->copy(place_.start, image.data(), image.size());
}

Bytes Buffer::contents() const {
    Bytes bytes(bytes_);
    if (place_.kind == Kind::host)
        std::memcpy(bytes.data(), place_.start, bytes_);
    else
        memory_.runtime()->copy(bytes.data(), place_.start, bytes_);
    return bytes;
}

}  // namespace twins
