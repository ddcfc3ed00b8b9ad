// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/library.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <list>
#include <utility>

#include "core/error.hpp"

namespace aureole::comm {

namespace {

/// A loaded file.
class File {
  public:
    // Global, as the parts of Open MPI that are loaded later look for its symbols.
    explicit File(const std::string& path)
        : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
        if (handle_ == nullptr) throw_unusable(dlerror());
    }

    void* find(const char* name) const { return dlsym(handle_, name); }
    template <class F>
    void find(const char* name, F*& function) const {
        void* const at = find(name);
        if (at == nullptr) throw_unusable(std::string("it does not define ") + name);
        function = reinterpret_cast<F*>(at);
    }
    [[noreturn]] void throw_unusable(const std::string& why) const {
        throw core::RankError(
            "the MPI library " + path_ + " cannot be used", why,
            "Set AUREOLE_MPI_LIBRARY to the libmpi of the mpirun that starts the ranks.");
    }

  private:
    std::string path_;
    void* handle_;  // stays until the process ends: MPI leaves threads and handlers behind
};

/// Constants that differ between the binary interfaces.
template <class Handle>
struct Constants {
    Handle world, byte, real, sum;
    void* in_place;
    void* no_status;
};

void* as_handle(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

// MPICH's ABI since 3.1; mpi.h of MPICH, Intel MPI and MVAPICH agree.
Constants<int> mpich() {
    return {0x44000000,  0x4c00010d, 0x4c00080b, 0x58000003, as_handle(~std::uintptr_t{0}),
            as_handle(1)};
}

// MPI 5.0, appendix A.
Constants<void*> standard() {
    return {as_handle(0x101), as_handle(0x247), as_handle(0x214),
            as_handle(0x21),  as_handle(1),     nullptr};
}

Constants<void*> open_mpi(const File& file) {
    return {file.find("ompi_mpi_comm_world"),
            file.find("ompi_mpi_byte"),
            file.find("ompi_mpi_double"),
            file.find("ompi_mpi_op_sum"),
            as_handle(1),
            nullptr};
}

template <class Handle>
class Library final : public MpiLibrary {
  public:
    Library(const File& file, const Constants<Handle>& constants) : is_(constants) {
        int (*init)(int*, char***);
        file.find("MPI_Init", init);
        file.find("MPI_Finalize", finalize_), file.find("MPI_Abort", abort_);
        file.find("MPI_Send", send_), file.find("MPI_Recv", receive_);
        file.find("MPI_Allreduce", all_reduce_), file.find("MPI_Barrier", barrier_);
        file.find("MPI_Isend", begin_sending_), file.find("MPI_Test", test_);
        file.find("MPI_Iprobe", probe_), file.find("MPI_Get_count", get_count_);
        int (*comm_rank)(Handle, int*);
        int (*comm_size)(Handle, int*);
        file.find("MPI_Comm_rank", comm_rank), file.find("MPI_Comm_size", comm_size);
        int (*get_version)(char*, int*);
        file.find("MPI_Get_library_version", get_version);
        int (*initialized)(int*);
        file.find("MPI_Initialized", initialized);
        int there = 0;  // by mpi4py, for example, which then finalises it too
        initialized(&there);
        if (there == 0 && init(nullptr, nullptr) != 0) file.throw_unusable("MPI_Init failed");
        is_ours_ = there == 0;
        comm_rank(is_.world, &rank_), comm_size(is_.world, &size_);
        std::array<char, longest_version> text{};
        int length = 0;
        get_version(text.data(), &length);
        version_ = text.data();
        version_ = version_.substr(0, version_.find_first_of("\n\t,"));
    }
    ~Library() override {
        if (is_ours_ && sending_.empty()) finalize_();  // which would wait for what is not sent
    }

    const std::string& version() const override { return version_; }
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void send(int to, std::span<const std::byte> bytes) override {
        send_(bytes.data(), count(bytes.size()), is_.byte, to, tag, is_.world);
    }
    void receive(int from, std::span<std::byte> bytes) override {
        receive_(bytes.data(), count(bytes.size()), is_.byte, from, tag, is_.world, is_.no_status);
    }
    void sum(std::span<double> numbers) override {
        all_reduce_(is_.in_place, numbers.data(), count(numbers.size()), is_.real, is_.sum,
                    is_.world);
    }
    void barrier() override { barrier_(is_.world); }
    void begin_sending(int to, Bytes bytes) override {
        unsent();
        auto& [kept, request] = sending_.emplace_back(std::move(bytes), Handle{});
        begin_sending_(kept.data(), count(kept.size()), is_.byte, to, tag_of_packets, is_.world,
                       &request);
    }
    std::size_t unsent() override {
        const auto is_sent = [&](Sending& one) {
            int sent = 0;
            test_(&one.second, &sent, is_.no_status);
            return sent != 0;
        };
        sending_.remove_if(is_sent);
        return sending_.size();
    }
    std::optional<Bytes> take(int from) override {
        alignas(std::max_align_t) std::array<std::byte, longest_status> status{};
        int there = 0, bytes = 0;
        probe_(from, tag_of_packets, is_.world, &there, status.data());
        if (there == 0) return std::nullopt;
        get_count_(status.data(), is_.byte, &bytes);
        Bytes packet(static_cast<std::size_t>(bytes));
        receive_(packet.data(), bytes, is_.byte, from, tag_of_packets, is_.world, is_.no_status);
        return packet;
    }
    void abort(int code) override {
        abort_(is_.world, code);
        std::abort();
    }

  private:
    using Sending = std::pair<Bytes, Handle>;  // with its request

    static constexpr int tag = 17713, tag_of_packets = 17714;  // that no script uses
    static constexpr std::size_t longest_status = 256;         // the standard's own is 32
    static constexpr std::size_t longest_version = 16384;      // the standard's own is 8192

    static int count(std::size_t n) {
        if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw core::RankError("a message of " + std::to_string(n) + " bytes is too long");
        return static_cast<int>(n);
    }

    Constants<Handle> is_;
    std::string version_;
    int rank_ = 0, size_ = 1;
    bool is_ours_ = true;
    std::list<Sending> sending_;  // which stay where they are
    int (*finalize_)();
    int (*abort_)(Handle, int);
    int (*send_)(const void*, int, Handle, int, int, Handle);
    int (*receive_)(void*, int, Handle, int, int, Handle, void*);
    int (*all_reduce_)(const void*, void*, int, Handle, Handle, Handle);
    int (*barrier_)(Handle);
    int (*begin_sending_)(const void*, int, Handle, int, int, Handle, Handle*);
    int (*test_)(Handle*, int*, void*);
    int (*probe_)(int, int, Handle, int*, void*);
    int (*get_count_)(const void*, Handle, int*);
};

}  // namespace

std::unique_ptr<MpiLibrary> MpiLibrary::load(const std::string& path) {
    const File file(path);
    if (file.find("ompi_mpi_comm_world") != nullptr)
        return std::make_unique<Library<void*>>(file, open_mpi(file));
    // MPICH 5 has both of the others, under two names.
    if (path.find("mpi_abi") != std::string::npos)
        return std::make_unique<Library<void*>>(file, standard());
    return std::make_unique<Library<int>>(file, mpich());
}

}  // namespace aureole::comm
