// SPDX-License-Identifier: Apache-2.0
// What it costs to map another process's device memory, and to copy from it.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "costs.hpp"
#include "cuda.hpp"
#include "figure.hpp"

namespace costs {

namespace {

enum : unsigned { lazy_peer_access = 1 };

/// Sent by the owner for each size; `error` is that of its driver.
struct Offer {
    std::size_t bytes;
    int error;
    Handle handle;
};

void send_all(int to, const void* from, std::size_t bytes) {
    if (write(to, from, bytes) != static_cast<ssize_t>(bytes))
        throw Failed{"write to the other process", 0};
}
void receive_all(int from, void* to, std::size_t bytes) {
    if (recv(from, to, bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes))
        throw Failed{"the other process has ended", 0};
}

/// Memory of each size, until the other process has measured what it wants.
void own(int other, const std::vector<std::size_t>& sizes) {
    for (const std::size_t bytes : sizes) {
        const Memory memory(bytes);
        std::vector<unsigned char> host(bytes);
        fill(host.data(), bytes, 5);
        copy(memory.at(), host.data(), bytes);
        Offer offer{bytes, 0, {}};
        offer.error = cuda().IpcGetMemHandle(&offer.handle, memory.at());
        if (offer.error == 0)
            measure("a handle is made", bytes, [&] {
                Handle again;
                const double took = time_of([&] {
                    must("cuIpcGetMemHandle", cuda().IpcGetMemHandle(&again, memory.at()));
                });
                tell("a handle is made", bytes, took, 0);
            });
        send_all(other, &offer, sizeof offer);
        char is_done = 0;
        receive_all(other, &is_done, 1);
    }
}

void map(const Offer& offer) {
    must("cuIpcGetMemHandle", offer.error);
    std::vector<unsigned char> host(offer.bytes);
    const Memory mine(offer.bytes);
    Address mapped = 0;
    double opened = 0, closed = 0;
    int times = 0;
    const auto start = Clock::now();
    while (times < 3 || (seconds_since(start) < seconds_of_each && times < 1000)) {
        const auto begin = Clock::now();
        must("cuIpcOpenMemHandle",
             cuda().IpcOpenMemHandle(&mapped, offer.handle, lazy_peer_access));
        opened += seconds_since(begin);
        const auto middle = Clock::now();
        must("cuIpcCloseMemHandle", cuda().IpcCloseMemHandle(mapped));
        closed += seconds_since(middle);
        ++times;
    }
    tell("a mapping is opened", offer.bytes, opened / times, 0);
    tell("a mapping is closed", offer.bytes, closed / times, 0);
    must("cuIpcOpenMemHandle", cuda().IpcOpenMemHandle(&mapped, offer.handle, lazy_peer_access));
    const double took = time_of([&] { copy(mine.at(), mapped, offer.bytes); });
    copy(host.data(), mine.at(), offer.bytes);
    tell("a copy from a mapping", offer.bytes, took, wrong_bytes(host.data(), offer.bytes, 5));
    must("cuIpcCloseMemHandle", cuda().IpcCloseMemHandle(mapped));
}

}  // namespace

void mappings(const std::vector<std::size_t>& sizes) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw Failed{"socketpair", 0};
    std::fflush(stdout);
    const pid_t child = fork();  // before either process has begun to use the driver
    if (child < 0) throw Failed{"fork", 0};
    if (child == 0) {
        close(ends[0]);
        measure("another process's memory", 0, [&] { own(ends[1], sizes); });
        std::_Exit(0);
    }
    close(ends[1]);
    for (const std::size_t bytes : sizes) {
        measure("a mapping is opened", bytes, [&] {
            Offer offer;
            receive_all(ends[0], &offer, sizeof offer);
            try {
                map(offer);
            } catch (...) {
                send_all(ends[0], "", 1);
                throw;
            }
            send_all(ends[0], "", 1);
        });
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
}

}  // namespace costs
