// SPDX-License-Identifier: Apache-2.0
// Memory and events that two processes share: by older handles, by descriptors, by pools.
#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "driver.hpp"

namespace aureole::emulated::tests {
namespace {

constexpr std::size_t size = 10000;
constexpr char poison = static_cast<char>(0xAD);

struct Handle {
    char bytes[64];
};

std::vector<char> read_device(const Vendor& vendor, const void* at, std::size_t n = size) {
    std::vector<char> read(n);
    vendor.copy(read.data(), at, n);
    return read;
}

void fill(const Vendor& vendor, void* at, int value, std::size_t n = size) {
    ASSERT_EQ(vendor.run("Memset", at, value, n), 0);
    ASSERT_EQ(vendor.run("DeviceSynchronize"), 0);
}

int open_handle(const Vendor& vendor, void*& out, const Handle& handle) {
    return vendor.run("IpcOpenMemHandle", &out, handle, 1u);
}

/// The whole life of a shared allocation: seen and written by both, opened twice, freed by its
/// owner, and then stale in the other, while new memory at the same address is another's.
TEST_P(Drivers, ShareMemoryByHandle) {
    Pair().run(
        "",
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            void* at = vendor.allocate(size);
            fill(vendor, at, 5);
            Handle handle;
            ASSERT_EQ(vendor.run("IpcGetMemHandle", &handle, at), 0);
            void* mine = nullptr;
            EXPECT_EQ(open_handle(vendor, mine, handle), 201) << "its own process cannot open it";
            other.send(handle);
            other.rendezvous();  // the other has written
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, 6));
            vendor.free(at);
            void* again = vendor.allocate(size);
            EXPECT_EQ(again, at);
            fill(vendor, again, 9);
            Handle second;
            ASSERT_EQ(vendor.run("IpcGetMemHandle", &second, again), 0);
            EXPECT_NE(std::memcmp(&handle, &second, sizeof handle), 0);
            other.send(second);
            other.rendezvous();  // the other has looked
            EXPECT_EQ(read_device(vendor, again), std::vector<char>(size, 9));
            other.rendezvous();  // until then, handles can be looked up here
        },
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            const auto handle = other.receive<Handle>();
            EXPECT_EQ(vendor.mappings(), 0);
            void* at = nullptr;
            void* twice = nullptr;
            ASSERT_EQ(open_handle(vendor, at, handle), 0);
            ASSERT_EQ(open_handle(vendor, twice, handle), 0);
            EXPECT_EQ(at, twice);
            EXPECT_EQ(vendor.mappings(), 1);
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, 5));
            EXPECT_EQ(vendor.run("Free", at), 1) << "not ours to free";
            fill(vendor, at, 6);
            other.rendezvous();
            const auto second = other.receive<Handle>();
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, poison)) << "stale";
            void* later = nullptr;
            ASSERT_EQ(open_handle(vendor, later, second), 0);
            EXPECT_NE(later, at);
            EXPECT_EQ(read_device(vendor, later), std::vector<char>(size, 9));
            EXPECT_EQ(vendor.mappings(), 2);
            fill(vendor, at, 1);  // by the stale mapping; nothing of the new memory changes
            other.rendezvous();
            EXPECT_EQ(vendor.run("IpcCloseMemHandle", at), 0);
            EXPECT_EQ(read_device(vendor, at).size(), size) << "opened twice, closed once";
            EXPECT_EQ(vendor.run("IpcCloseMemHandle", at), 0);
            EXPECT_EQ(vendor.run("IpcCloseMemHandle", at), 1);
            void* stale = nullptr;
            EXPECT_EQ(open_handle(vendor, stale, handle), 1) << "its memory was freed";
            EXPECT_EQ(vendor.mappings(), 1);
            other.rendezvous();
        });
}

TEST_P(Drivers, RefuseHandlesOfAProcessThatHasEnded) {
    Pair().run(
        "",
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            Handle handle;
            ASSERT_EQ(vendor.run("IpcGetMemHandle", &handle, vendor.allocate(size)), 0);
            other.send(handle);
            other.send(getpid());
        },
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            const auto handle = other.receive<Handle>();
            const auto process = other.receive<pid_t>();
            while (kill(process, 0) == 0) std::this_thread::yield();
            void* at = nullptr;
            EXPECT_EQ(open_handle(vendor, at, handle), 205);
        });
}

void send_descriptor(int socket, int descriptor) {
    char byte = 'd';
    iovec data{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof descriptor)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    ASSERT_EQ(sendmsg(socket, &message, 0), 1);
}

int receive_descriptor(int socket) {
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    EXPECT_EQ(recvmsg(socket, &message, 0), 1);
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

constexpr std::size_t piece = std::size_t{2} << 20;

struct Properties {
    int allocation_type = 1;
    int handle_kinds = 1;
    int location_type = 1;
    int location = 0;
    void* metadata = nullptr;
    long flags = 0;
};

struct Access {
    int location_type = 1;
    int location = 0;
    int flags = 3;
};

void* map_piece(const Vendor& vendor, void* handle) {
    const Access access;
    void* at = nullptr;
    EXPECT_EQ(vendor.drive("MemAddressReserve", &at, piece, std::size_t{0},
                           static_cast<void*>(nullptr), 0ull),
              0);
    EXPECT_EQ(vendor.drive("MemMap", at, piece, std::size_t{0}, handle, 0ull), 0);
    EXPECT_EQ(vendor.drive("MemSetAccess", at, piece, &access, std::size_t{1}), 0);
    return at;
}

TEST_P(Drivers, ShareMemoryByDescriptor) {
    std::array<int, 2> sockets{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
    Pair().run(
        "",
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            vendor.run("SetDevice", 0);
            vendor.drive("Init", 0u);
            const Properties wanted;
            void* handle = nullptr;
            ASSERT_EQ(vendor.drive("MemCreate", &handle, piece, &wanted, 0ull), 0);
            void* at = map_piece(vendor, handle);
            fill(vendor, at, 3, piece);
            EXPECT_EQ(vendor.live_bytes(0), static_cast<long>(piece));
            Handle none;
            EXPECT_EQ(vendor.run("IpcGetMemHandle", &none, at), 1) << "no older handle";
            int descriptor = -1;
            ASSERT_EQ(vendor.drive("MemExportToShareableHandle", static_cast<void*>(&descriptor),
                                   handle, 1, 0ull),
                      0);
            send_descriptor(sockets[0], descriptor);
            close(descriptor);
            other.rendezvous();
            EXPECT_EQ(read_device(vendor, at, piece), std::vector<char>(piece, 4));
            EXPECT_EQ(vendor.drive("MemUnmap", at, piece), 0);
            EXPECT_EQ(vendor.drive("MemRelease", handle), 0);
            EXPECT_EQ(vendor.live_bytes(0), 0);
            EXPECT_EQ(vendor.drive("MemAddressFree", at, piece), 0);
            other.rendezvous();
        },
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            vendor.run("SetDevice", 0);
            vendor.drive("Init", 0u);
            int descriptor = receive_descriptor(sockets[1]);
            void* const as_value = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
            void* handle = nullptr;
            ASSERT_EQ(vendor.drive("MemImportFromShareableHandle", &handle,
                                   vendor.is_nvidia() ? as_value : &descriptor, 1),
                      0);
            close(descriptor);
            EXPECT_EQ(vendor.mappings(), 0);
            void* at = map_piece(vendor, handle);
            EXPECT_EQ(vendor.mappings(), 1);
            EXPECT_EQ(read_device(vendor, at, piece), std::vector<char>(piece, 3));
            fill(vendor, at, 4, piece);
            other.rendezvous();
            other.rendezvous();  // the owner has let go; the memory lives on
            EXPECT_EQ(read_device(vendor, at, piece), std::vector<char>(piece, 4));
            EXPECT_EQ(vendor.drive("MemUnmap", at, piece), 0);
            EXPECT_EQ(vendor.drive("MemRelease", handle), 0);
            EXPECT_EQ(vendor.mappings(), 0);
        });
    close(sockets[0]);
    close(sockets[1]);
}

struct PoolProperties {
    int allocation_type = 1;
    int handle_kinds = 1;
    int location_type = 1;
    int location = 0;
    void* security = nullptr;
    std::size_t most_bytes = 0;
    char reserved[56] = {};
};

TEST_P(Drivers, ShareMemoryByPool) {
    std::array<int, 2> sockets{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
    Pair().run(
        "late=100",
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            void* stream = vendor.stream();
            const PoolProperties wanted;
            void* pool = nullptr;
            ASSERT_EQ(vendor.run("MemPoolCreate", &pool, &wanted), 0);
            int descriptor = -1;
            ASSERT_EQ(vendor.run("MemPoolExportToShareableHandle", static_cast<void*>(&descriptor),
                                 pool, 1, 0u),
                      0);
            send_descriptor(sockets[0], descriptor);
            void* at = nullptr;
            ASSERT_EQ(vendor.run("MallocFromPoolAsync", &at, size, pool, stream), 0);
            ASSERT_EQ(vendor.run("MemsetAsync", at, 7, size, stream), 0);
            ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
            Handle none;
            EXPECT_EQ(vendor.run("IpcGetMemHandle", &none, at), 1);
            Handle where;
            ASSERT_EQ(vendor.run("MemPoolExportPointer", &where, at), 0);
            other.send(where);
            other.rendezvous();
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, 8));
            ASSERT_EQ(vendor.run("FreeAsync", at, stream), 0);
            ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
            EXPECT_EQ(vendor.live_bytes(0), 0);
            other.rendezvous();
        },
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            void* stream = vendor.stream();
            const int descriptor = receive_descriptor(sockets[1]);
            void* const as_value = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
            void* pool = nullptr;
            ASSERT_EQ(vendor.run("MemPoolImportFromShareableHandle", &pool, as_value, 1, 0u), 0);
            const auto where = other.receive<Handle>();
            void* at = nullptr;
            ASSERT_EQ(vendor.run("MemPoolImportPointer", &at, pool, &where), 0);
            EXPECT_EQ(vendor.mappings(), 1);
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, 7));
            fill(vendor, at, 8);
            other.rendezvous();
            other.rendezvous();
            EXPECT_EQ(read_device(vendor, at), std::vector<char>(size, poison));
            ASSERT_EQ(vendor.run("FreeAsync", at, stream), 0);
            ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
            EXPECT_EQ(vendor.mappings(), 0);
        });
    close(sockets[0]);
    close(sockets[1]);
}

TEST_P(Drivers, KeepDefaultPoolsPrivate) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        void* at = nullptr;
        ASSERT_EQ(vendor.run("MallocAsync", &at, size, static_cast<void*>(nullptr)), 0);
        Handle none;
        EXPECT_EQ(vendor.run("IpcGetMemHandle", &none, at), 1);
        EXPECT_EQ(vendor.run("MemPoolExportPointer", &none, at), 1);
        EXPECT_EQ(vendor.run("FreeAsync", at, static_cast<void*>(nullptr)), 0);
        void* managed = nullptr;
        ASSERT_EQ(vendor.run("MallocManaged", &managed, size, 1u), 0);
        EXPECT_EQ(vendor.run("IpcGetMemHandle", &none, managed), 1);
    });
}

/// The second process waits, on its stream and on its host, for work of the first.
TEST_P(Drivers, ShareEvents) {
    Pair().run(
        "late=300",
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            void* stream = vendor.stream();
            void* event = vendor.event(2 | 4);
            void* at = vendor.allocate(size);
            fill(vendor, at, 1);
            Handle memory;
            Handle handle;
            ASSERT_EQ(vendor.run("IpcGetMemHandle", &memory, at), 0);
            ASSERT_EQ(vendor.run("IpcGetEventHandle", &handle, event), 0);
            other.send(memory);
            other.send(handle);
            for (int round = 0; round < 20; ++round) {
                other.rendezvous();
                ASSERT_EQ(vendor.run("MemsetAsync", at, round, size, stream), 0);
                ASSERT_EQ(vendor.run("EventRecord", event, stream), 0);
                other.rendezvous();
            }
            other.rendezvous();
        },
        [&](const Pair::Side& other) {
            const Vendor vendor(GetParam());
            void* stream = vendor.stream();
            const auto memory = other.receive<Handle>();
            const auto handle = other.receive<Handle>();
            void* at = nullptr;
            void* event = nullptr;
            ASSERT_EQ(open_handle(vendor, at, memory), 0);
            ASSERT_EQ(vendor.run("IpcOpenEventHandle", &event, handle), 0);
            void* own = vendor.allocate(size);
            int pending = 0;
            for (int round = 0; round < 20; ++round) {
                other.rendezvous();
                other.rendezvous();
                pending += vendor.run("EventQuery", event) != 0;
                if (round % 2) {
                    ASSERT_EQ(vendor.run("EventSynchronize", event), 0);
                } else {
                    ASSERT_EQ(vendor.run("StreamWaitEvent", stream, event, 0u), 0);
                }
                ASSERT_EQ(vendor.copy_on(own, at, size, stream), 0);
                ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
                EXPECT_EQ(read_device(vendor, own),
                          std::vector<char>(size, static_cast<char>(round)));
            }
            EXPECT_GT(pending, 0);
            other.rendezvous();
        });
}

TEST_P(Drivers, ShareAsTheSettingsSay) {
    passes("handles=fd", [&] {
        const Vendor vendor(GetParam());
        Handle none;
        EXPECT_EQ(vendor.run("IpcGetMemHandle", &none, vendor.allocate(size)), 801);
        const PoolProperties wanted;
        void* pool = nullptr;
        EXPECT_EQ(vendor.run("MemPoolCreate", &pool, &wanted), 801);
    });
    passes("handles=legacy+pool", [&] {
        const Vendor vendor(GetParam());
        Handle handle;
        EXPECT_EQ(vendor.run("IpcGetMemHandle", &handle, vendor.allocate(size)), 0);
        vendor.drive("Init", 0u);
        const Properties wanted;
        void* memory = nullptr;
        EXPECT_EQ(vendor.drive("MemCreate", &memory, piece, &wanted, 0ull), 801);
    });
}

/// Memory of a device that the opener's device cannot access is not opened.
TEST_P(Drivers, RefuseMemoryOfADeviceOutOfReach) {
    for (const char* setting : {"peer=0", "peer=1"}) {
        const int expected = setting[5] == '0' ? 217 : 0;
        Pair().run(
            setting,
            [&](const Pair::Side& other) {
                const Vendor vendor(GetParam());
                Handle handle;
                ASSERT_EQ(vendor.run("IpcGetMemHandle", &handle, vendor.allocate(size)), 0);
                other.send(handle);
                other.rendezvous();
            },
            [&](const Pair::Side& other) {
                const Vendor vendor(GetParam());
                const auto handle = other.receive<Handle>();
                ASSERT_EQ(vendor.run("SetDevice", 1), 0);
                int access = 7;
                EXPECT_EQ(vendor.run("DeviceCanAccessPeer", &access, 1, 0), 0);
                EXPECT_EQ(access, expected == 0);
                void* at = nullptr;
                EXPECT_EQ(open_handle(vendor, at, handle), expected);
                ASSERT_EQ(vendor.run("SetDevice", 0), 0);
                EXPECT_EQ(open_handle(vendor, at, handle), 0);
                other.rendezvous();
            });
    }
}

}  // namespace
}  // namespace aureole::emulated::tests
