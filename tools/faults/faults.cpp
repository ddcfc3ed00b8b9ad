// SPDX-License-Identifier: Apache-2.0
// Preloaded before a program, counts its calls that change files under one folder and lets the N-th
// one fail or kills the process there. Tests only. Environment:
//   AUREOLE_FAULTS_FOLDER   calls on paths below it count (required, absolute)
//   AUREOLE_FAULTS_MATCH    ... that contain this text (default: all)
//   AUREOLE_FAULTS_CALLS    ... and are of these kinds, e.g. "write,fsync,rename" (default: all)
//   AUREOLE_FAULTS_AT       the call to hit, from 1 (0: only count)
//   AUREOLE_FAULTS_KIND     enospc eio short torn kill kill-half kill-after
//                           short: half is written, as the system may; torn: half is written and
//                           from then on the disk is full; kill-half: half is written, then SIGKILL
//   AUREOLE_FAULTS_STICKY   1: every later call fails as well
//   AUREOLE_FAULTS_NO_LINKS 1: as a file system without hard links
//   AUREOLE_FAULTS_NO_UNNAMED 1: ... without files that have no name
//   AUREOLE_FAULTS_NO_PROC  1: as where other processes' files cannot be opened through /proc
//   AUREOLE_FAULTS_LOG      file, outside the folder, that gets one line per counted call
// A forked child that was preloaded before it knew its plan changes these variables, then calls
// aureole_faults_restart().
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

enum class Kind { none, no_space, io_error, half, torn, kill, kill_half, kill_after };

Kind kind_named(std::string_view name) {
    if (name == "enospc") return Kind::no_space;
    if (name == "eio") return Kind::io_error;
    if (name == "short") return Kind::half;
    if (name == "torn") return Kind::torn;
    if (name == "kill") return Kind::kill;
    if (name == "kill-half") return Kind::kill_half;
    if (name == "kill-after") return Kind::kill_after;
    return Kind::none;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

struct Plan {
    std::string folder = variable("AUREOLE_FAULTS_FOLDER");
    std::string match = variable("AUREOLE_FAULTS_MATCH");
    std::string calls = variable("AUREOLE_FAULTS_CALLS");
    std::string log = variable("AUREOLE_FAULTS_LOG");
    long at = std::atol(variable("AUREOLE_FAULTS_AT").c_str());
    Kind kind = kind_named(variable("AUREOLE_FAULTS_KIND"));
    bool sticky = variable("AUREOLE_FAULTS_STICKY") == "1";
    bool no_links = variable("AUREOLE_FAULTS_NO_LINKS") == "1";
    bool no_unnamed = variable("AUREOLE_FAULTS_NO_UNNAMED") == "1";
    bool no_proc = variable("AUREOLE_FAULTS_NO_PROC") == "1";
};

// Never destroyed: calls come until the very end of the process.
std::atomic<const Plan*> current{nullptr};

const Plan& plan() {
    if (!current) current = new Plan;
    return *current;
}

std::atomic<long> counted{0};
std::atomic<bool> full{false};

template <class F>
F* original(const char* name) {
    return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

bool listed(std::string_view call) {
    std::string_view rest = plan().calls;
    if (rest.empty()) return true;
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        if (rest.substr(0, comma) == call) return true;
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return false;
}

std::string path_of(int descriptor) {
    std::array<char, PATH_MAX> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t bytes = ::readlink(link.c_str(), target.data(), target.size());
    std::string path(target.data(), bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
    constexpr std::string_view nameless = " (deleted)";
    if (path.ends_with(nameless)) path.resize(path.size() - nameless.size());
    return path;
}

std::string absolute(int folder, const char* path) {
    if (!path) return "";
    if (path[0] == '/') return path;
    if (folder != AT_FDCWD) return path_of(folder) + "/" + path;
    std::array<char, PATH_MAX> here{};
    return std::string(::getcwd(here.data(), here.size()) ? here.data() : "") + "/" + path;
}

void note(long number, const char* call, const std::string& path) {
    if (plan().log.empty()) return;
    static const auto open_now = original<int(const char*, int, ...)>("open");
    static const auto write_now = original<ssize_t(int, const void*, std::size_t)>("write");
    const int descriptor =
        open_now(plan().log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor == -1) return;
    const std::string line = std::to_string(number) + " " + call + " " + path + "\n";
    [[maybe_unused]] const ssize_t put = write_now(descriptor, line.data(), line.size());
    ::close(descriptor);
}

[[noreturn]] void die() {
    ::kill(::getpid(), SIGKILL);
    for (;;) ::pause();
}

/// What is to happen to this call.
Kind verdict(const char* call, const std::string& path) {
    const int saved = errno;
    const Plan& p = plan();
    const bool below = !p.folder.empty() && path.size() > p.folder.size() &&
                       path.starts_with(p.folder) && path[p.folder.size()] == '/';
    const bool itself = path == p.folder && std::string_view(call) == "fsync";
    if ((!below && !itself) || !listed(call)) return Kind::none;
    if (!p.match.empty() && path.find(p.match) == std::string::npos) return Kind::none;
    const long number = ++counted;
    note(number, call, path);
    errno = saved;
    const std::string_view what = call;
    if (full && (what == "write" || what == "open")) return Kind::no_space;
    const bool hit = p.at > 0 && (number == p.at || (p.sticky && number > p.at));
    return hit ? p.kind : Kind::none;
}

/// Runs `call` unless it is to fail; `half` writes a part. Both return what the system would.
template <class Call, class Half>
auto decide(const char* name, const std::string& path, Call&& call, Half&& half)
    -> decltype(call()) {
    switch (verdict(name, path)) {
        case Kind::none:
            return call();
        case Kind::no_space:
            errno = ENOSPC;
            return -1;
        case Kind::io_error:
            errno = EIO;
            return -1;
        case Kind::half:
            return half();
        case Kind::torn:
            full = true;
            return half();
        case Kind::kill:
            die();
        case Kind::kill_half:
            half();
            die();
        case Kind::kill_after:
            call();
            die();
    }
    return -1;
}

template <class Call>
auto decide(const char* name, const std::string& path, Call&& call) -> decltype(call()) {
    return decide(name, path, call, call);
}

bool unnamed(int flags) { return (flags & O_TMPFILE) == O_TMPFILE; }

/// The path that an open call is counted by: where a file without a name is made, one in its
/// folder.
std::string opened(int folder, const char* path, int flags) {
    return absolute(folder, path) + (unnamed(flags) ? "/unnamed" : "");
}

bool of_process(std::string_view path) {
    return path.starts_with("/proc/") && !path.starts_with("/proc/self/");
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

std::size_t half_of(std::size_t bytes) { return bytes > 1 ? bytes / 2 : bytes; }

}  // namespace

extern "C" {

void aureole_faults_restart() {
    counted = 0;
    full = false;
    current = new Plan;
}

long aureole_faults_counted() { return counted; }

#define AUREOLE_OPEN(NAME)                                                                \
    int NAME(const char* path, int flags, ...) {                                          \
        static const auto next = original<int(const char*, int, ...)>(#NAME);             \
        std::va_list rest;                                                                \
        va_start(rest, flags);                                                            \
        const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                                     \
        const auto call = [&] {                                                           \
            if (!unnamed(flags) || !plan().no_unnamed) return next(path, flags, mode);    \
            errno = EOPNOTSUPP;                                                           \
            return -1;                                                                    \
        };                                                                                \
        if (!writes(flags)) return call();                                                \
        if (plan().no_proc && of_process(path)) {                                         \
            errno = EACCES;                                                               \
            return -1;                                                                    \
        }                                                                                 \
        return decide("open", opened(AT_FDCWD, path, flags), call);                       \
    }
AUREOLE_OPEN(open)
AUREOLE_OPEN(open64)

#define AUREOLE_OPENAT(NAME)                                                              \
    int NAME(int folder, const char* path, int flags, ...) {                              \
        static const auto next = original<int(int, const char*, int, ...)>(#NAME);        \
        std::va_list rest;                                                                \
        va_start(rest, flags);                                                            \
        const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                                     \
        const auto call = [&] { return next(folder, path, flags, mode); };                \
        if (!writes(flags)) return call();                                                \
        return decide("open", opened(folder, path, flags), call);                         \
    }
AUREOLE_OPENAT(openat)
AUREOLE_OPENAT(openat64)

FILE* fopen(const char* path, const char* mode) {
    static const auto next = original<FILE*(const char*, const char*)>("fopen");
    if (mode[0] == 'r' && !std::strchr(mode, '+')) return next(path, mode);
    FILE* file = nullptr;
    const auto call = [&] { return (file = next(path, mode)) ? 0 : -1; };
    return decide("open", absolute(AT_FDCWD, path), call) == 0 ? file : nullptr;
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

ssize_t write(int descriptor, const void* data, std::size_t bytes) {
    static const auto next = original<ssize_t(int, const void*, std::size_t)>("write");
    return decide(
        "write", path_of(descriptor), [&] { return next(descriptor, data, bytes); },
        [&] { return next(descriptor, data, half_of(bytes)); });
}

#define AUREOLE_PWRITE(NAME)                                                                     \
    ssize_t NAME(int descriptor, const void* data, std::size_t bytes, off_t offset) {            \
        static const auto next = original<ssize_t(int, const void*, std::size_t, off_t)>(#NAME); \
        return decide(                                                                           \
            "write", path_of(descriptor), [&] { return next(descriptor, data, bytes, offset); }, \
            [&] { return next(descriptor, data, half_of(bytes), offset); });                     \
    }
AUREOLE_PWRITE(pwrite)
AUREOLE_PWRITE(pwrite64)

ssize_t writev(int descriptor, const iovec* parts, int count) {
    static const auto next = original<ssize_t(int, const iovec*, int)>("writev");
    return decide(
        "write", path_of(descriptor), [&] { return next(descriptor, parts, count); },
        [&] { return next(descriptor, parts, count > 1 ? count / 2 : count); });
}

int fsync(int descriptor) {
    static const auto next = original<int(int)>("fsync");
    return decide("fsync", path_of(descriptor), [&] { return next(descriptor); });
}

int fdatasync(int descriptor) {
    static const auto next = original<int(int)>("fdatasync");
    return decide("fsync", path_of(descriptor), [&] { return next(descriptor); });
}

int rename(const char* from, const char* to) {
    static const auto next = original<int(const char*, const char*)>("rename");
    return decide("rename", absolute(AT_FDCWD, to), [&] { return next(from, to); });
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
    static const auto next = original<int(int, const char*, int, const char*)>("renameat");
    return decide("rename", absolute(to_folder, to),
                  [&] { return next(from_folder, from, to_folder, to); });
}

int link(const char* from, const char* to) {
    static const auto next = original<int(const char*, const char*)>("link");
    return decide("link", absolute(AT_FDCWD, to), [&] {
        if (!plan().no_links) return next(from, to);
        errno = EPERM;
        return -1;
    });
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
    static const auto next = original<int(int, const char*, int, const char*, int)>("linkat");
    return decide("link", absolute(to_folder, to), [&] {
        if (!plan().no_links) return next(from_folder, from, to_folder, to, flags);
        errno = EPERM;
        return -1;
    });
}

int unlink(const char* path) {
    static const auto next = original<int(const char*)>("unlink");
    return decide("unlink", absolute(AT_FDCWD, path), [&] { return next(path); });
}

int unlinkat(int folder, const char* path, int flags) {
    static const auto next = original<int(int, const char*, int)>("unlinkat");
    return decide("unlink", absolute(folder, path), [&] { return next(folder, path, flags); });
}

#define AUREOLE_FTRUNCATE(NAME)                                                                  \
    int NAME(int descriptor, off_t bytes) {                                                      \
        static const auto next = original<int(int, off_t)>(#NAME);                               \
        return decide("truncate", path_of(descriptor), [&] { return next(descriptor, bytes); }); \
    }
AUREOLE_FTRUNCATE(ftruncate)
AUREOLE_FTRUNCATE(ftruncate64)

}  // extern "C"
