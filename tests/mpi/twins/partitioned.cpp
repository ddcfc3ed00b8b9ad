// SPDX-License-Identifier: Apache-2.0
// Partitioned messages: parts of a send buffer become ready one after another.
#include <dlfcn.h>
#include <sched.h>

#include "optional.hpp"
#include "persistent.hpp"
#include "shapes.hpp"

namespace twins {
namespace {

struct Message {
    int from = 0, to = 0, tag = 0;
    TypeRef type;
    long items = 0;  // of all partitions
    int send_parts = 1, receive_parts = 1;
    Rng own;
};

int random_divisor(Rng& rng, long number) {
    long divisor = rng.between(1, number);
    while (number % divisor != 0) --divisor;
    return static_cast<int>(divisor);
}

/// The call with a list; Open MPI and MPICH declare its argument differently.
void ready_list(std::vector<int> parts, MPI_Request request) {
    using Call = int (*)(int, int*, MPI_Request);
    static const auto call = reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, "MPI_Pready_list"));
    if (call)
        call(static_cast<int>(parts.size()), parts.data(), request);
    else
        for (int part : parts) MPI_Pready(part, request);
}

/// Makes all partitions ready, in any order and by all three calls.
void make_ready(Rng& rng, int parts, MPI_Request request) {
    const auto way = rng.below(4);
    const auto order = rng.permutation(parts);
    if (way == 0) {
        ready_list(order, request);
    } else if (way == 1) {
        const int middle = static_cast<int>(rng.below(parts));
        MPI_Pready_range(middle, parts - 1, request);
        if (middle > 0) MPI_Pready_range(0, middle - 1, request);
    } else {
        for (int part : order) MPI_Pready(part, request);
    }
}

/// A number that depends on all data bytes of one partition.
long sum_of_part(const Buffer& buffer, const Message& m, int part) {
    const auto bytes = buffer.contents();
    const long length = m.items / m.receive_parts;
    std::uint64_t sum = 0;
    for (long i = part * length; i < (part + 1) * length; ++i) {
        for (const auto& piece : m.type->map) {
            const auto at = buffer.zero() + i * m.type->extent + piece.at;
            for (int k = 0; k < basics()[piece.basic].value_bytes; ++k)
                sum = mixed(sum ^ bytes[at + k]);
        }
    }
    return static_cast<long>(sum);
}

class Phase {
  public:
    Phase(Run& run, const Comm& comm) : run_(run), comm_(comm) {}
    void go();

  private:
    struct End {
        Message* message;
        bool sends;
        Buffer* buffer;
        int operation;
        MPI_Request request;
    };
    void plan();
    void begin(Message& m, bool sends);
    void round(int number);
    void receive(End& end, int number);

    Run& run_;
    const Comm& comm_;
    std::vector<Message> messages_;
    std::vector<End> ends_;
};

void Phase::plan() {
    messages_.resize(run_.rng.between(1, 4));
    for (auto& m : messages_) {
        m.own = run_.rng.fork();
        Rng rng = run_.rng.fork();
        m.from = static_cast<int>(rng.below(comm_.size));
        m.to = static_cast<int>(rng.below(comm_.size));
        m.tag = 400 + static_cast<int>(&m - messages_.data());
        m.items = rng.between(1, rng.percent(80) ? 60 : 3000);
        do {
            m.type = random_type(rng, static_cast<int>(rng.below(4)));
        } while (!fits(*m.type, m.items));
        m.send_parts = random_divisor(rng, m.items);
        m.receive_parts = random_divisor(rng, m.items);
    }
}

void Phase::begin(Message& m, bool sends) {
    const int operation = run_.begin(
        "partitioned message " + std::to_string(m.from) + " -> " + std::to_string(m.to) + " on " +
        comm_.name + ": " + std::to_string(m.items) + " x " + m.type->text + " in " +
        std::to_string(m.send_parts) + " -> " + std::to_string(m.receive_parts) + " parts");
    auto& buffer = run_.buffer(m.type, m.items);
    run_.watch(operation, buffer, sends ? "send buffer" : "receive buffer");
    MPI_Request request;
    if (sends)
        MPI_Psend_init(buffer.base(), m.send_parts, m.items / m.send_parts, m.type->handle, m.to,
                       m.tag, comm_.handle, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(buffer.base(), m.receive_parts, m.items / m.receive_parts, m.type->handle,
                       m.from, m.tag, comm_.handle, MPI_INFO_NULL, &request);
    ends_.push_back({&m, sends, &buffer, operation, request});
}

/// Data of a partition that has arrived are there before the request is complete.
void Phase::receive(End& end, int number) {
    auto& m = *end.message;
    if (run_.local.percent(60)) {
        const int part = static_cast<int>(run_.local.below(m.receive_parts));
        int flag = 0;
        while (!flag && MPI_Parrived(end.request, part, &flag) == MPI_SUCCESS) sched_yield();
        run_.note(end.operation, "sum of an arrived part", number,
                  sum_of_part(*end.buffer, m, part));
    }
}

void Phase::round(int number) {
    run_.doing("round " + std::to_string(number) + " of partitioned messages on " + comm_.name);
    for (auto& end : ends_) {
        end.buffer->refill();
        MPI_Start(&end.request);
    }
    for (auto& end : ends_) {
        if (!end.sends) continue;
        // The data are written after the start.
        end.buffer->refill();
        make_ready(run_.local, end.message->send_parts, end.request);
    }
    for (auto& end : ends_)
        if (!end.sends) receive(end, number);
    for (auto& end : ends_) {
        run_.note_error(end.operation, number, MPI_Wait(&end.request, MPI_STATUS_IGNORE));
        run_.snapshot(end.operation, *end.buffer, "buffer of round " + std::to_string(number));
    }
}

void Phase::go() {
    plan();
    for (auto& m : messages_) {
        if (m.to == comm_.rank) begin(m, false);
        if (m.from == comm_.rank) begin(m, true);
    }
    const int rounds = static_cast<int>(run_.rng.between(1, 3));
    for (int i = 0; i < rounds; ++i) round(i);
    for (auto& end : ends_) MPI_Request_free(&end.request);
    MPI_Barrier(comm_.handle);
    run_.end_phase();
}

}  // namespace

void partitioned(Run& run, const Comm& comm) {
#ifdef OPEN_MPI
    // Open MPI 5.0.11 hangs in them now and then: on communicators whose ranks are not those of the
    // world, of a rank to itself, in MPI_Parrived, and also with 38 int in 19 parts from 2 to 0.
    return;
#endif
    if (MPI_Psend_init && MPI_Precv_init) Phase(run, comm).go();
}

}  // namespace twins
