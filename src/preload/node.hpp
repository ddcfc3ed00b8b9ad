// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "preload/page.hpp"

namespace aureole::preload {

/// A page of another process, mapped here.
class MappedPage {
  public:
    MappedPage(Page* page, int pid) : page_(page), pid_(pid) {}
    MappedPage(const MappedPage&) = delete;
    MappedPage& operator=(const MappedPage&) = delete;
    ~MappedPage();

    Page& operator*() const { return *page_; }
    Page* operator->() const { return page_; }
    int process() const { return pid_; }
    /// Whether its owner is alive.
    bool is_there() const;

  private:
    Page* page_;
    int pid_;
};

/// Ends a message whose payload nobody needs, once the other process is no longer busy with it.
void drop(Slot& slot, Phase busy, const MappedPage& other);

/// The processes of this job on this node that have this library too. A process is found by an
/// abstract socket, which vanishes with it, and its page through /proc: nothing has a name in a
/// file system, and no rank waits for another one. Where any of that is not allowed there are no
/// neighbours, and messages go through the host.
class Node {
  public:
    /// Called once, when MPI has started.
    void join();
    /// Null if this process shows no page.
    Page* page() const { return page_.load(std::memory_order_acquire); }
    int rank() const { return rank_; }
    /// The page of a rank of MPI_COMM_WORLD; null if there is none, or not yet.
    std::shared_ptr<MappedPage> neighbour(int rank);
    /// The same for who waits for it.
    std::shared_ptr<MappedPage> seek(int rank);

  private:
    struct Sought {
        std::shared_ptr<MappedPage> page;
        long asked = 0;  ///< how often
    };

    std::string socket_name(int rank) const;
    bool listen_as(int rank);
    std::shared_ptr<MappedPage> find(int rank) const;

    std::atomic<Page*> page_ = nullptr;
    int rank_ = -1, size_ = 0;
    std::string job_;
    std::mutex lock_;
    std::map<int, Sought> sought_;
};

Node& node();

}  // namespace aureole::preload
