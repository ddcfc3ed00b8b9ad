// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "preload/job_name.hpp"
#include "preload/node.hpp"
#include "preload/tests/fake_mpi.hpp"

namespace aureole::preload {

/// This process as rank 0 of three on a node, whose ranks 1 and 2 are played by threads of the
/// test. Their pages are in this process too and found as those of any neighbour. Threads reach a
/// page by one address, as a sanitizer takes the same memory at two addresses for different memory.
class OneNode {
  public:
    static OneNode& get() {
        static auto* const only = new OneNode;
        return *only;
    }

    Page& own() { return *node().page(); }
    Page& page(int rank) { return **node().neighbour(rank); }

  private:
    OneNode() {
        FakeMpi::get();
        setenv("PMIX_NAMESPACE", ("test." + std::to_string(getpid())).c_str(), 1);
        // A process is searched for the first file that is a page.
        const int first = show(1);
        node().join();
        if (node().page() == nullptr || node().neighbour(1) == nullptr) abort();
        ::close(first);
        show(2);
        if (node().neighbour(2) == nullptr) abort();
        for (const int rank : {1, 2}) page(rank).token = {77, static_cast<std::uint64_t>(rank)};
    }

    /// Makes the page of a rank and the socket by which it is found; returns the page's file.
    static int show(int rank) {
        const auto file = static_cast<int>(syscall(SYS_memfd_create, "aureole-mpi", MFD_CLOEXEC));
        if (ftruncate(file, sizeof(Page)) != 0) abort();
        void* const made = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        auto* const page = static_cast<Page*>(made);
        page->rank = rank, page->version = Page::layout;
        munmap(made, sizeof(Page));
        const std::string name = "aureole-mpi/" + std::to_string(getuid()) + "/" +
                                 std::to_string(std::hash<std::string>{}(job_name())) + "/3/" +
                                 std::to_string(rank);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path + 1, name.data(), name.size());
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto bytes = offsetof(sockaddr_un, sun_path) + 1 + name.size();
        if (bind(socket, reinterpret_cast<sockaddr*>(&address), static_cast<socklen_t>(bytes)) !=
                0 ||
            listen(socket, 8) != 0)
            abort();
        return file;
    }
};

}  // namespace aureole::preload
