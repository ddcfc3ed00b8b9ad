// SPDX-License-Identifier: Apache-2.0
#include "preload/node.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "preload/abi.hpp"
#include "preload/job_name.hpp"
#include "preload/mpi.hpp"
#include "preload/settings.hpp"

namespace aureole::preload {

namespace {

constexpr const char* memory_name = "aureole-mpi";

/// A descriptor that is closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

struct Address {
    sockaddr_un address{};
    socklen_t bytes = 0;

    /// An abstract one: its first character is zero.
    explicit Address(const std::string& name) {
        address.sun_family = AF_UNIX;
        const auto n = std::min(name.size(), sizeof address.sun_path - 1);
        std::memcpy(address.sun_path + 1, name.data(), n);
        bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + n);
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

Page* map(int descriptor) {
    void* const made =
        mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return made == MAP_FAILED ? nullptr : static_cast<Page*>(made);
}

/// Opens the page of a process among its open files; -1 if it may not be seen.
int open_page_of(int pid) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    DIR* const open_files = opendir(folder.c_str());
    if (open_files == nullptr) return -1;
    int found = -1;
    const std::string wanted = std::string("/memfd:") + memory_name + " (deleted)";
    while (const dirent* const file = readdir(open_files)) {
        std::array<char, 64> target{};
        const std::string path = folder + "/" + file->d_name;
        const auto n = readlink(path.c_str(), target.data(), target.size());
        if (n < 0 || std::string_view(target.data(), static_cast<std::size_t>(n)) != wanted)
            continue;
        found = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        break;
    }
    closedir(open_files);
    return found;
}

}  // namespace

MappedPage::~MappedPage() { munmap(page_, sizeof(Page)); }

bool MappedPage::is_there() const { return kill(pid_, 0) == 0 || errno != ESRCH; }

void drop(Slot& slot, Phase busy, const MappedPage& other) {
    for (Phase now = slot.phase.load();; sched_yield()) {
        if (now == busy && other.is_there())
            now = slot.phase.load();
        else if (slot.phase.compare_exchange_strong(now, Phase::taken))
            return;
    }
}

std::string Node::socket_name(int rank) const {
    const auto hash = std::hash<std::string>{}(job_);
    return std::string(memory_name) + "/" + std::to_string(getuid()) + "/" + std::to_string(hash) +
           "/" + std::to_string(size_) + "/" + std::to_string(rank);
}

bool Node::listen_as(int rank) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const Address address(socket_name(rank));
    if (socket.number() < 0 || bind(socket.number(), address.get(), address.bytes) != 0 ||
        listen(socket.number(), SOMAXCONN) != 0)
        return false;
    socket.release();  // as long as the process lives
    return true;
}

void Node::join() {
    // Checks compare buffers with their copies on the host.
    if (settings().is_off || is_checking || settings().mapped_from.value_or(0) < 0 ||
        page() != nullptr)
        return;
    Handle parent = 0;
    mpi.comm_get_parent(&parent);
    job_ = job_name();
    // Processes that were spawned have ranks of another MPI_COMM_WORLD.
    if (abi().at(&parent, 0) != abi().comm_null || job_.empty()) return;
    mpi.comm_rank(abi().comm_world, &rank_);
    mpi.comm_size(abi().comm_world, &size_);
    if (size_ < 2) return;
    Descriptor memory(static_cast<int>(syscall(SYS_memfd_create, memory_name, MFD_CLOEXEC)));
    if (memory.number() < 0 || ftruncate(memory.number(), sizeof(Page)) != 0) return;
    Page* const page = map(memory.number());
    if (page == nullptr) return;
    if (syscall(SYS_getrandom, page->token.data(), sizeof page->token, 0) != sizeof page->token)
        return;
    page->rank = rank_, page->version = Page::layout;
    memory.release();  // others open it as long as the process lives
    // The page is complete before it can be found.
    if (listen_as(rank_)) page_.store(page, std::memory_order_release);
}

std::shared_ptr<MappedPage> Node::neighbour(int rank) {
    if (page() == nullptr || rank == rank_ || rank < 0 || rank >= size_) return nullptr;
    const std::lock_guard guard(lock_);
    Sought& sought = sought_[rank];
    // A process that has not started MPI yet is sought again, more and more rarely.
    const long n = sought.asked;
    if (sought.page == nullptr && (n & (n - 1)) == 0) sought.page = find(rank);
    if (sought.page == nullptr) ++sought.asked;
    return sought.page;
}

std::shared_ptr<MappedPage> Node::seek(int rank) {
    const std::lock_guard guard(lock_);
    auto& page = sought_[rank].page;
    if (page == nullptr) page = find(rank);
    return page;
}

std::shared_ptr<MappedPage> Node::find(int rank) const {
    // Nobody accepts connections, so that others might fill the queue: that is no reason to wait.
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const Address address(socket_name(rank));
    if (socket.number() < 0 || connect(socket.number(), address.get(), address.bytes) != 0)
        return nullptr;
    ucred peer{};
    socklen_t bytes = sizeof peer;
    if (getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) return nullptr;
    if (peer.pid <= 0 || peer.uid != getuid()) return nullptr;
    const Descriptor memory(open_page_of(peer.pid));
    if (memory.number() < 0 ||
        lseek(memory.number(), 0, SEEK_END) != static_cast<off_t>(sizeof(Page)))
        return nullptr;
    Page* const page = map(memory.number());
    if (page == nullptr) return nullptr;
    auto found = std::make_shared<MappedPage>(page, peer.pid);
    return page->version == Page::layout && page->rank == rank ? found : nullptr;
}

Node& node() {
    static auto* const only = new Node;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
