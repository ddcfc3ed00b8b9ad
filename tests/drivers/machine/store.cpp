// SPDX-License-Identifier: Apache-2.0
#include "machine/store.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "machine/settings.hpp"
#include "machine/space.hpp"

namespace aureole::emulated {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t slots_begin = std::uint64_t{1} << 49;
constexpr std::uint64_t most_poisoned = std::uint64_t{64} << 20;

const std::vector<char>& poison() {
    static const auto* bytes = new std::vector<char>(std::size_t{1} << 18, static_cast<char>(0xAD));
    return *bytes;
}

std::array<std::atomic<long>, 65>& live() {
    static auto* all = new std::array<std::atomic<long>, 65>{};
    return *all;
}

void write_at(int file, const void* data, std::size_t bytes, std::uint64_t offset) {
    if (pwrite(file, data, bytes, static_cast<off_t>(offset)) < 0)
        std::perror("driver double: a write to device memory failed");
}

}  // namespace

std::shared_ptr<Store> Store::create(std::uint64_t bytes) {
    const int file = memfd_create("aureole-double", MFD_CLOEXEC);
    if (file < 0) return nullptr;
    if (ftruncate(file, static_cast<off_t>(bytes ? bytes : most_bytes)) != 0) {
        ::close(file);
        return nullptr;
    }
    return std::shared_ptr<Store>(new Store(file, bytes));
}

std::shared_ptr<Store> Store::adopt(int file, std::uint64_t bytes) {
    return std::shared_ptr<Store>(new Store(file, bytes));
}

Store::~Store() { close_file(); }

void Store::close_file() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

std::uint64_t Store::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t begin = next_;
    next_ += round_up(bytes, page);
    return begin;
}

void Store::drop(std::uint64_t offset, std::uint64_t bytes) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(bytes));
}

void Store::retire(std::uint64_t offset, std::size_t bytes, bool known_to_others) {
    if (!known_to_others) return drop(offset, bytes);
    if (bytes > most_poisoned) {
        drop(offset + most_poisoned, bytes - most_poisoned);
        bytes = most_poisoned;
    }
    for (std::size_t done = 0; done < bytes; done += poison().size())
        write_at(file_, poison().data(), std::min(poison().size(), bytes - done), offset + done);
    const std::lock_guard lock(mutex_);
    poisoned_.emplace_back(offset, bytes);
    poisoned_bytes_ += bytes;
    while (poisoned_bytes_ > most_poisoned && poisoned_.size() > 1) {
        const auto [begin, size] = poisoned_.front();
        poisoned_.pop_front();
        poisoned_bytes_ -= size;
        drop(begin, size);
    }
}

int Store::open_slot(std::uint64_t id) {
    int slot = 0;
    {
        const std::lock_guard lock(mutex_);
        if (free_slots_.empty()) {
            slot = slots_++;
        } else {
            slot = free_slots_.back();
            free_slots_.pop_back();
        }
    }
    write_at(file_, &id, sizeof id, slots_begin + 8 * static_cast<std::uint64_t>(slot));
    return slot;
}

void Store::close_slot(int slot) {
    constexpr std::uint64_t none = 0;
    write_at(file_, &none, sizeof none, slots_begin + 8 * static_cast<std::uint64_t>(slot));
    const std::lock_guard lock(mutex_);
    free_slots_.push_back(slot);
}

std::uint64_t process_start(int process) {
    const std::string name = "/proc/" + std::to_string(process) + "/stat";
    std::FILE* file = std::fopen(name.c_str(), "re");
    if (!file) return 0;
    char text[1024];
    const std::size_t n = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[n] = 0;
    const char* at = std::strrchr(text, ')');  // the name before it may have blanks
    for (int field = 2; at && field < 22; ++field) at = std::strchr(at + 1, ' ');
    return at ? std::strtoull(at, nullptr, 10) : 0;
}

int open_file_of(const Locator& where) {
    if (process_start(where.process) != where.started) return -1;
    const std::string name =
        "/proc/" + std::to_string(where.process) + "/fd/" + std::to_string(where.file);
    return ::open(name.c_str(), O_RDWR | O_CLOEXEC);
}

bool slot_is_alive(int file, const Locator& where) {
    std::uint64_t id = 0;
    const auto at = slots_begin + 8 * static_cast<std::uint64_t>(where.slot);
    return pread(file, &id, sizeof id, static_cast<off_t>(at)) == sizeof id && id == where.id;
}

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

Pages::~Pages() {
    if (foreign) return;
    live()[static_cast<std::size_t>(device + 1)] -= static_cast<long>(bytes);
    if (slot >= 0) store->close_slot(slot);
    if (!whole_file) store->retire(offset, bytes, slot >= 0);
}

int slot_of(Pages& pages) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (pages.slot < 0) pages.slot = pages.store->open_slot(pages.id);
    return pages.slot;
}

std::shared_ptr<Pages> take_pages(std::shared_ptr<Store> store, std::size_t bytes, int device) {
    auto& count = live()[static_cast<std::size_t>(device + 1)];
    const std::size_t whole = round_up(bytes, page);
    const auto size = static_cast<long>(whole);
    const long most = static_cast<long>(settings().memory);
    if (whole < bytes || size < 0 || size > most) return nullptr;
    if (count.fetch_add(size) + size > most && device >= 0) {
        count -= size;
        return nullptr;
    }
    const std::uint64_t offset = store->take(whole);
    return std::make_shared<Pages>(std::move(store), offset, whole, device);
}

long live_bytes(int device) {
    if (device < -1 || device >= 64) return -1;
    return live()[static_cast<std::size_t>(device + 1)];
}

}  // namespace aureole::emulated
