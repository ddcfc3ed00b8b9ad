// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "comm/process.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

// Ranks as processes of their own: the same calls, and what happens when one of them dies.
namespace aureole::comm {
namespace {

constexpr int in_order = 0, failed_otherwise = 3;

/// Children with the same heaps; each runs f and exits with what it returns.
class Processes {
  public:
    Processes(int ranks, const std::function<int(World&)>& f) {
        std::vector<Heap> heaps;
        for (int r = 0; r < ranks; ++r) heaps.push_back(Heap::shared(r, std::size_t{1} << 30));
        for (int rank = 0; rank < ranks; ++rank) {
            const pid_t child = fork();
            if (child == 0) _exit(run(rank, heaps, f));
            children_.push_back(child);
        }
    }
    ~Processes() {
        for (const pid_t child : children_) kill(child, SIGKILL);
        for (const pid_t child : children_) waitpid(child, nullptr, 0);
    }
    pid_t of(int rank) const { return children_[static_cast<std::size_t>(rank)]; }

    /// The rank's exit code, or 128 + the signal that ended it.
    int wait(int rank) {
        int status = 0;
        waitpid(of(rank), &status, 0);
        children_[static_cast<std::size_t>(rank)] = gone;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    static int run(int rank, std::vector<Heap>& heaps, const std::function<int(World&)>& f) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        try {
            World world = World::of_processes(rank, std::move(heaps), true);
            return f(world);
        } catch (...) {
            return failed_otherwise;
        }
    }

    static constexpr pid_t gone = 1 << 30;  // no process has this number
    std::vector<pid_t> children_;
};

TEST(RanksAsProcesses, CombineAndExchange) {
    constexpr int ranks = 4;
    Processes processes(ranks, [](World& world) {
        for (int round = 0; round < 500; ++round) {
            const int sum = world.combine(world.rank() + round, std::plus<>());
            if (sum != ranks * (ranks - 1) / 2 + ranks * round) return 1;
            const std::vector<Parcel> out{{(world.rank() + 1) % ranks, Bytes(std::size_t(round))}};
            const auto in = world.exchange(out);
            if (in.size() != 1 || in[0].rank != (world.rank() + ranks - 1) % ranks) return 2;
            if (in[0].bytes.size() != std::size_t(round)) return 2;
        }
        return in_order;
    });
    for (int r = 0; r < ranks; ++r) EXPECT_EQ(processes.wait(r), in_order) << "rank " << r;
}

/// Has the system refuse process_vm_readv and process_vm_writev, as some containers do.
bool refuse_copies() {
    constexpr std::uint32_t call = offsetof(seccomp_data, nr);
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, call),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{std::size(filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Long messages where both, one or none of the ranks may copy, from and to heaps or not.
TEST(RanksAsProcesses, SendMessagesByEachPath) {
    constexpr int refused_not = 4, wrong = 1;
    for (int refusing = 0; refusing < 4; ++refusing) {
        Processes processes(2, [&](World& world) {
            const bool refuses = (refusing >> world.rank() & 1) != 0;
            if (refuses && !refuse_copies()) return refused_not;
            world.barrier();
            if (world.copies_with(1 - world.rank()) == refuses) return wrong;
            const auto room = world.heap().reserve<std::byte>(1'000'000);
            std::byte* const heap = world.heap().at(room);
            for (const std::size_t bytes : {8, 1000, 9000, 40'000, 300'001, 1'000'000})
                for (int kind = 0; kind < 4; ++kind) {
                    Bytes own(bytes), expected(bytes);
                    for (std::size_t k = 0; k < bytes; ++k)
                        expected[k] = std::byte((k * 2654435761u >> 13) + bytes);
                    const bool in_heap = (kind >> world.rank() & 1) != 0;
                    std::byte* const at = in_heap ? heap : own.data();
                    if (world.rank() == 0) std::copy(expected.begin(), expected.end(), at);
                    if (world.rank() == 0) world.send(1, {at, bytes});
                    if (world.rank() == 0) continue;
                    std::fill(at, at + bytes, std::byte{});
                    world.receive(0, {at, bytes});
                    if (!std::equal(expected.begin(), expected.end(), at)) return wrong;
                }
            return in_order;
        });
        for (int r = 0; r < 2; ++r) {
            const int code = processes.wait(r);
            if (code == refused_not) GTEST_SKIP() << "this system has no seccomp";
            EXPECT_EQ(code, in_order) << "rank " << r << ", refusing " << refusing;
        }
    }
}

/// Rank 1 does something fatal after some rounds; the others must name it soon.
void expect_named(const std::string& words, const std::function<void(World&)>& fatal,
                  double within) {
    constexpr int ranks = 3, named = 10;
    const auto begin = std::chrono::steady_clock::now();
    Processes processes(ranks, [&](World& world) {
        try {
            for (int round = 0;; ++round) {
                world.enter(Phase::positions, round);
                world.barrier();
                if (round == 200 && world.rank() == 1) fatal(world);
            }
        } catch (const core::RankError& error) {
            const std::string text = error.what();
            return text.find("rank 1") != std::string::npos && text.find(words) != std::string::npos
                       ? named
                       : failed_otherwise;
        }
    });
    EXPECT_EQ(processes.wait(0), named);
    EXPECT_EQ(processes.wait(2), named);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), within);
}

TEST(RanksAsProcesses, NameOneThatWasKilled) {
    expect_named(
        "died while rank", [](World&) { kill(getpid(), SIGKILL); }, 60);
}
TEST(RanksAsProcesses, NameOneThatWasKilledBeforeItTookALongMessage) {
    constexpr int named = 10;
    Processes processes(2, [](World& world) {
        world.barrier();
        if (world.rank() == 1) kill(getpid(), SIGKILL);
        try {
            world.send(1, Bytes(1'000'000));
        } catch (const core::RankError& error) {
            return std::string(error.what()).find("rank 1") != std::string::npos ? named
                                                                                 : failed_otherwise;
        }
        return failed_otherwise;
    });
    EXPECT_EQ(processes.wait(0), named);
}
TEST(RanksAsProcesses, NameOneThatExited) {
    expect_named(
        "died while rank", [](World&) { _exit(0); }, 60);
}
TEST(RanksAsProcesses, NameOneThatWasStopped) {
    expect_named(
        "is stopped while rank", [](World&) { kill(getpid(), SIGSTOP); }, 60);
}
TEST(RanksAsProcesses, RepeatTheWordsOfOneThatFailed) {
    expect_named(
        "no more room on rank 1", [](World& world) { world.fail("no more room on rank 1"); }, 60);
}
TEST(RanksAsProcesses, WaitForOneThatIsOnlySlow) {
    Processes processes(3, [](World& world) {
        world.barrier();
        if (world.rank() == 1) usleep(400'000);
        world.barrier();
        return in_order;
    });
    for (int r = 0; r < 3; ++r) EXPECT_EQ(processes.wait(r), in_order) << "rank " << r;
}

TEST(ProcessState, IsReadWhateverTheNameIs) {
    const auto here = state_of(getpid());
    ASSERT_TRUE(here);
    EXPECT_EQ(here->state, 'R');
    EXPECT_GT(here->started, 0u);
    const std::string fields = " T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 0";
    const auto odd = parse_stat("42 (a ) (b) R 1)" + fields);
    ASSERT_TRUE(odd);
    EXPECT_EQ(odd->state, 'T');
    EXPECT_EQ(odd->started, 987654u);
    for (const char* bad : {"", "42 (x", "42 (x) ", "42 (x) R 1 2 3", "42 (x) R a b c d e f g"})
        EXPECT_FALSE(parse_stat(bad)) << bad;
    EXPECT_FALSE(state_of(1 << 30));
}

}  // namespace
}  // namespace aureole::comm
