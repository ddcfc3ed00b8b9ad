// SPDX-License-Identifier: Apache-2.0
// Random MPI programs, each run twice, with host buffers and with buffers of another kind; both
// runs must show the same bytes, statuses and error classes.
//
//   mpirun -n 3 twins --seed 1 --count 1000 --memory device
//
// Differences are printed with the options that repeat them; then the exit status is 1.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "programs.hpp"
#include "shapes.hpp"

namespace {

using namespace twins;

/// The programs of a process, which communicators they share.
constexpr long programs_per_comms = 100;
constexpr int threads = 3;
constexpr std::size_t attached_bytes = 16 << 20;

struct Arguments {
    Options options;
    long from = 0, count = 1000;
    std::string memory = "device", runtime = "cuda";
    double slow = 10, least = 0.5;  // a twin may take so many times the host's time, or seconds
    int hang = 60;                  // seconds after which a run has hung
    bool keep_going = false;
    bool spoil = false;  // change one bit of what each twin showed
};

struct World {
    int rank = 0, size = 1;
    double host_time = 0, twin_time = 0;
} world;

/// The place that the signal handler tells.
struct Place {
    unsigned long long seed;
    long index;
    const char* run;
} place{};

void hung(int) {
    char text[900];
    for (int i = 0; i < most_threads; ++i) {
        if (!*doing_of(i)) continue;
        const int length = std::snprintf(
            text, sizeof text, "twins: HANG in seed %llu, program %ld, rank %d, %s run: %s\n",
            place.seed, place.index, world.rank, place.run, doing_of(i));
        if (write(2, text, std::min<std::size_t>(length, sizeof text - 1)) < 0) _exit(1);
    }
    signal(SIGABRT, SIG_DFL);
    abort();
}

void set_alarm(int seconds) {
    itimerval value{};
    value.it_value.tv_sec = seconds;
    setitimer(ITIMER_REAL, &value, nullptr);
}

[[noreturn]] void usage(const std::string& why) {
    std::fprintf(stderr,
                 "twins: %s\nusage: twins [--seed S] [--count N] [--from I] [--only I] [--print]\n"
                 "  [--memory host|device|managed|pinned|pool|mixed] [--runtime cuda|hip]\n"
                 "  [--without FEATURES] [--slow FACTOR] [--least SECONDS] [--hang SECONDS]\n"
                 "  [--keep-going] [--spoil] [--pieces MOST] [--sizes FACTOR]\n",
                 why.c_str());
    std::exit(2);
}

Arguments parse(int argc, char** argv) {
    Arguments a;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--print") {
            a.options.print = true;
            continue;
        }
        if (name == "--spoil") {
            a.spoil = true;
            continue;
        }
        if (name == "--keep-going") {
            a.keep_going = true;
            continue;
        }
        if (++i >= argc) usage("no value for " + name);
        const std::string value = argv[i];
        if (name == "--seed")
            a.options.seed = std::stoull(value);
        else if (name == "--count")
            a.count = std::stol(value);
        else if (name == "--from")
            a.from = std::stol(value);
        else if (name == "--only")
            a.from = std::stol(value), a.count = 1;
        else if (name == "--memory")
            a.memory = value;
        else if (name == "--runtime")
            a.runtime = value;
        else if (name == "--without")
            a.options.without = value;
        else if (name == "--slow")
            a.slow = std::stod(value);
        else if (name == "--least")
            a.least = std::stod(value);
        else if (name == "--pieces")
            most_pieces_with_gaps = std::stol(value);
        else if (name == "--sizes")
            size_factor = std::stol(value);
        else if (name == "--hang")
            a.hang = std::stoi(value);
        else
            usage("no option " + name);
    }
    return a;
}

/// Kinds of memory of the second run.
std::vector<Kind> kinds_of(const std::string& name, const Runtime* runtime) {
    if (name == "mixed") {
        std::vector<Kind> list{Kind::host, Kind::device, Kind::device, Kind::managed, Kind::pinned};
        if (runtime->has_pools()) list.push_back(Kind::pool);
        return list;
    }
    for (auto kind : {Kind::host, Kind::device, Kind::managed, Kind::pinned, Kind::pool})
        if (name == name_of(kind)) return {kind};
    usage("no kind of memory " + name);
}

/// One run of a program. Buffered sends have room until all their messages have come.
double once(Run& run, const Comms& comms, const Arguments& a, const char* name) {
    static std::vector<char> room(attached_bytes);
    place.run = name;
    set_alarm(a.hang);
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
    const double begin = MPI_Wtime();
    do_program(run, comms);
    const double time = MPI_Wtime() - begin;
    set_doing("MPI_Buffer_detach");
    void* was = nullptr;
    int size = 0;
    MPI_Buffer_detach(&was, &size);
    set_alarm(0);
    return time;
}

/// Largest number of all ranks, or of a rank that found something.
int at_any_rank(int value) {
    set_doing("agreeing on the result");
    set_alarm(300);
    int most = 0;
    MPI_Allreduce(&value, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    set_alarm(0);
    return most;
}

enum Verdict { equal, slow, different };

Verdict judge(Run& host, Run& twin, const Arguments& a, double host_time, double twin_time) {
    const auto found = Record::differences(host.record, twin.record);
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 4); ++i)
        std::fprintf(stderr,
                     "twins: DIFFERENCE in seed %llu, program %ld, rank %d of %d (%s memory)\n"
                     "    %s\n",
                     place.seed, place.index, world.rank, world.size, a.memory.c_str(),
                     found[i].c_str());
    if (!found.empty()) return different;
    return twin_time > a.least && twin_time > a.slow * host_time ? slow : equal;
}

/// Both runs of a program, again if one was slow: the machine may have been busy.
int program(const Comms& comms, const Arguments& a, Memory& host_memory, Memory& twin_memory) {
    for (int tries = 0;; ++tries) {
        const Rng seed(a.options.seed, static_cast<std::uint64_t>(place.index));
        Run host(a.options, host_memory, seed, world.rank);
        auto quiet = a.options;
        quiet.print = false;
        Run twin(quiet, twin_memory, seed, world.rank);
        const double host_time = once(host, comms, a, "host");
        const double twin_time = once(twin, comms, a, "twin");
        world.host_time += host_time;
        world.twin_time += twin_time;
        if (a.spoil) twin.record.spoil(seed);
        const auto verdict = judge(host, twin, a, host_time, twin_time);
        const int all = at_any_rank(verdict);
        if (all != slow) return all == different;
        if (tries < 2) continue;
        if (verdict == slow)
            std::fprintf(stderr,
                         "twins: SLOW: seed %llu, program %ld, rank %d of %d took %.3f s, its twin "
                         "on hosts %.3f s\n",
                         place.seed, place.index, world.rank, world.size, twin_time, host_time);
        return 1;
    }
}

int programs(const Arguments& a, Runtime* runtime) {
    const int home = runtime ? world.rank % runtime->devices() : 0;
    Memory host_memory(nullptr, {Kind::host}, home);
    Memory twin_memory(runtime, kinds_of(a.memory, runtime), home);
    std::unique_ptr<Comms> comms;
    long made_for = -1;
    int failed = 0;
    for (long i = a.from; i < a.from + a.count && (!failed || a.keep_going); ++i) {
        place.index = i;
        if (made_for != i / programs_per_comms) {
            made_for = i / programs_per_comms;
            set_alarm(a.hang);
            comms.reset();
            comms = std::make_unique<Comms>(Rng(mixed(a.options.seed), made_for),
                                            a.options.threads ? threads : 0);
        }
        failed += program(*comms, a, host_memory, twin_memory);
    }
    return failed;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    auto a = parse(argc, argv);
    a.options.threads = provided == MPI_THREAD_MULTIPLE;
    place.seed = a.options.seed;
    signal(SIGALRM, hung);
    std::unique_ptr<Runtime> runtime;
    if (a.memory != "host") runtime = std::make_unique<Runtime>(a.runtime);
    const int failed = programs(a, runtime.get());
    if (world.rank == 0)
        std::printf(
            "twins: seed %llu, programs %ld to %ld on %d ranks, %s memory: %d differ; "
            "hosts %.2f s, twins %.2f s\n",
            place.seed, a.from, a.from + a.count - 1, world.size, a.memory.c_str(), failed,
            world.host_time, world.twin_time);
    set_alarm(a.hang);
    MPI_Finalize();
    return failed ? 1 : 0;
}
