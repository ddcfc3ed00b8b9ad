// SPDX-License-Identifier: Apache-2.0
// GDRCopy's library, version 2, opened at run time.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "drivers/host_mapping.hpp"

namespace aureole::drivers {

namespace {

/// gdr_mh_t, which is passed by value.
struct Pinned {
    unsigned long handle = 0;
};

/// The first words of gdr_info_t, and room for those of later versions.
struct Info {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::array<std::uint64_t, 30> more{};
};

/// Functions of libgdrapi.so.2; all that return a number return 0 if they succeed.
struct Functions {
    void* (*open)() = nullptr;
    int (*pin)(void*, unsigned long, std::size_t, std::uint64_t, std::uint32_t, Pinned*) = nullptr;
    int (*unpin)(void*, Pinned) = nullptr;
    int (*map)(void*, Pinned, void**, std::size_t) = nullptr;
    int (*unmap)(void*, Pinned, void*, std::size_t) = nullptr;
    int (*tell)(void*, Pinned, Info*) = nullptr;
    int (*write)(Pinned, void*, const void*, std::size_t) = nullptr;
    int (*read)(Pinned, void*, const void*, std::size_t) = nullptr;

    bool find(void* library) {
        const auto found = [&](const char* name, auto& function) {
            function =
                reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            return function != nullptr;
        };
        return found("gdr_open", open) && found("gdr_pin_buffer", pin) &&
               found("gdr_unpin_buffer", unpin) && found("gdr_map", map) &&
               found("gdr_unmap", unmap) &&
               (found("gdr_get_info_v2", tell) || found("gdr_get_info", tell)) &&
               found("gdr_copy_to_mapping", write) && found("gdr_copy_from_mapping", read);
    }
};

/// The library, and its connection to its module, for the rest of the process's life.
struct Library {
    Functions gdr;
    void* connection = nullptr;
    std::mutex lock;  // it keeps a list of its mappings without one
};

class GdrMapping final : public HostMapping {
  public:
    GdrMapping(Library& library, Pinned pinned, const DeviceRange& range, std::byte* data)
        : HostMapping(range, data), library_(library), pinned_(pinned) {}
    ~GdrMapping() override {
        const std::lock_guard guard(library_.lock);
        library_.gdr.unmap(library_.connection, pinned_, data(), range().bytes);
        library_.gdr.unpin(library_.connection, pinned_);
    }

  private:
    void read(void* to, const std::byte* from, std::size_t bytes) const override {
        library_.gdr.read(pinned_, to, from, bytes);
    }
    void write(std::byte* to, const void* from, std::size_t bytes) const override {
        library_.gdr.write(pinned_, to, from, bytes);
    }

    Library& library_;
    Pinned pinned_;
};

class Gdrcopy final : public HostWay {
  public:
    explicit Gdrcopy(Library& library) : library_(library) {}
    const char* name() const override { return "GDRCopy"; }
    /// Large allocations are mapped in part, as the space of the bus may be small. Parts overlap by
    /// the largest message.
    DeviceRange range(const Allocation& of, std::uintptr_t address) const override {
        constexpr std::size_t part = std::size_t{1} << 20, overlap = std::size_t{1} << 16;
        constexpr std::size_t device_page = std::size_t{1} << 16;
        const std::uintptr_t begin = address & ~(part - 1);
        const std::uintptr_t from = std::max(begin, of.base);
        const std::uintptr_t to = std::min(begin + part + overlap, of.base + of.bytes);
        return whole_pages(from, to - from, device_page);
    }
    /// Without its module, the library maps dma-bufs (version 2.6).
    bool holds_memory() const override { return access("/dev/gdrdrv", F_OK) != 0; }

    std::unique_ptr<HostMapping> map(const Allocation&, const DeviceRange& range) override {
        const Functions& gdr = library_.gdr;
        const std::lock_guard guard(library_.lock);
        Pinned pinned;
        if (gdr.pin(library_.connection, range.begin, range.bytes, 0, 0, &pinned) != 0)
            return nullptr;
        void* mapped = nullptr;
        Info info;
        if (gdr.map(library_.connection, pinned, &mapped, range.bytes) == 0) {
            if (gdr.tell(library_.connection, pinned, &info) == 0 && info.address <= range.begin)
                return std::make_unique<GdrMapping>(
                    library_, pinned, range,
                    static_cast<std::byte*>(mapped) + (range.begin - info.address));
            gdr.unmap(library_.connection, pinned, mapped, range.bytes);
        }
        gdr.unpin(library_.connection, pinned);
        return nullptr;
    }

  private:
    Library& library_;
};

}  // namespace

std::unique_ptr<HostWay> open_gdrcopy() {
    static Library* const library = [] {
        auto opened = std::make_unique<Library>();
        void* const file = dlopen("libgdrapi.so.2", RTLD_NOW | RTLD_LOCAL);
        if (file != nullptr && opened->gdr.find(file)) opened->connection = opened->gdr.open();
        return opened.release();
    }();
    if (library->connection == nullptr) return nullptr;
    return std::make_unique<Gdrcopy>(*library);
}

}  // namespace aureole::drivers
