// SPDX-License-Identifier: Apache-2.0
#include "persistent.hpp"

#include <deque>

#include "p2p_calls.hpp"

namespace twins {
namespace {

/// One message, sent in several rounds; its tag is its own.
struct Message {
    int from = 0, to = 0, tag = 0;
    Shape shape;
    Mode mode = Mode::standard;
    bool send_persists = true, receive_persists = true;
    bool any_source = false, large = false;
    std::vector<bool> rounds;  // in which it is sent
};

/// The part of a message on this rank.
struct End {
    Message* message;
    bool sends;
    Buffer* buffer;
    int operation;
    MPI_Request request = MPI_REQUEST_NULL;
};

class Phase {
  public:
    Phase(Run& run, const Comm& comm) : run_(run), comm_(comm), members_(comm) {}
    void go();

  private:
    void plan();
    void begin(Message& message, bool sends);
    void init(End& end);
    void refill();
    void start(bool sends, int round);
    void start_one(End& end);
    void finish(int round);
    void look_at_inactive(End& end, int round);
    Peer peer(const Message& m, bool sends) const {
        const int other = members_.rank_of(sends ? m.to : m.from);
        return {m.any_source && !sends ? MPI_ANY_SOURCE : other, m.tag, comm_.handle};
    }
    bool persists(const End& end) const {
        return end.sends ? end.message->send_persists : end.message->receive_persists;
    }

    Run& run_;
    const Comm& comm_;
    Members members_;
    std::vector<Message> messages_;
    std::vector<End> ends_;
    int rounds_ = 1;
    bool ready_ = false;
};

void Phase::plan() {
    rounds_ = static_cast<int>(run_.rng.between(1, 4));
    messages_.resize(run_.rng.between(1, 8));
    int buffered = 0;
    for (auto& m : messages_) {
        Rng rng = run_.rng.fork();
        do {
            m.from = static_cast<int>(rng.below(members_.all));
            m.to = static_cast<int>(rng.below(members_.all));
        } while (!members_.may_talk(m.from, m.to));
        m.tag = 300 + static_cast<int>(&m - messages_.data());
        m.mode = rng.one_of(
            {Mode::standard, Mode::standard, Mode::synchronous, Mode::ready, Mode::buffered});
        m.send_persists = rng.percent(85);
        m.receive_persists = rng.percent(85);
        m.any_source = rng.percent(20);
        m.large = rng.percent(30);
        m.shape = random_shape(rng, false);
        for (int round = 0; round < rounds_; ++round) m.rounds.push_back(rng.percent(85));
        const bool small = static_cast<long>(m.shape.bytes()) <= most_buffered;
        if (m.mode == Mode::buffered && (!small || ++buffered > 4)) m.mode = Mode::standard;
        ready_ = ready_ || m.mode == Mode::ready;
    }
}

void Phase::begin(Message& m, bool sends) {
    const auto& side = sends ? m.shape.send : m.shape.receive;
    const int operation =
        run_.begin(std::string("persistent message ") + std::to_string(m.from) + " -> " +
                   std::to_string(m.to) + " on " + comm_.name + ": " + name_of(m.mode) +
                   (m.send_persists ? " Send_init" : " Isend") +
                   (m.receive_persists ? " Recv_init" : " Irecv") + (m.large ? " _c" : "") +
                   (m.any_source ? " any source; " : "; ") + m.shape.text());
    auto& buffer = run_.buffer(side.type, side.count);
    run_.watch(operation, buffer, sends ? "send buffer" : "receive buffer");
    ends_.push_back({&m, sends, &buffer, operation});
    if (persists(ends_.back())) init(ends_.back());
}

void Phase::init(End& end) {
    auto& m = *end.message;
    const auto to = peer(m, end.sends);
    if (end.sends)
        send_init(m.mode, m.large, end.buffer->base(), m.shape.send, to, &end.request);
    else
        receive_init(m.large, end.buffer->base(), m.shape.receive, to, &end.request);
}

void Phase::start_one(End& end) {
    auto& m = *end.message;
    const auto to = peer(m, end.sends);
    if (persists(end))
        MPI_Start(&end.request);
    else if (end.sends)
        start_send(m.mode, m.large, end.buffer->base(), m.shape.send, to, &end.request);
    else
        start_receive(m.large, end.buffer->base(), m.shape.receive, to, &end.request);
}

/// Starts all sends or all receives of a round, one by one or by MPI_Startall.
void Phase::start(bool sends, int round) {
    std::vector<End*> chosen;
    for (auto& end : ends_)
        if (end.sends == sends && end.message->rounds[round]) chosen.push_back(&end);
    run_.local.shuffle(chosen);
    std::vector<MPI_Request> together;
    std::vector<End*> owners;
    for (auto* end : chosen) {
        if (!persists(*end) || run_.local.percent(50)) {
            start_one(*end);
        } else {
            together.push_back(end->request);
            owners.push_back(end);
        }
    }
    MPI_Startall(static_cast<int>(together.size()), together.data());
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i]->request = together[i];
}

/// Requests that are not started complete at once, with an empty status.
void Phase::look_at_inactive(End& end, int round) {
    if (!persists(end) || !run_.local.percent(30)) return;
    MPI_Status status{};
    int flag = 1;
    const int code = run_.local.percent(50) ? MPI_Wait(&end.request, &status)
                                            : MPI_Test(&end.request, &flag, &status);
    run_.note_error(end.operation, 1000 + round, code);
    run_.note(end.operation, "flag of an inactive request", 1000 + round, flag);
    run_.note_status(end.operation, 1000 + round, status, nullptr);
}

void Phase::finish(int round) {
    std::deque<Pending> pendings;
    std::vector<Pending*> list;
    std::vector<End*> owners;
    for (auto& end : ends_) {
        if (!end.message->rounds[round]) {
            look_at_inactive(end, round);
            continue;
        }
        auto& p = pendings.emplace_back();
        p.request = end.request;
        p.operation = end.operation;
        p.which = 10 * round + end.sends;
        p.receive = !end.sends;
        p.type = end.message->shape.receive.type;
        p.buffer = end.buffer;
        p.at_once = true;
        p.persistent = persists(end);
        p.name = (end.sends ? "send buffer of round " : "receive buffer of round ") +
                 std::to_string(round);
        owners.push_back(&end);
        list.push_back(&p);
    }
    while (!list.empty() && run_.timing.percent(40)) complete_some(run_, list);
    if (!list.empty()) complete(run_, list);
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i]->request = pendings[i].request;
}

void Phase::refill() {
    for (auto& end : ends_) end.buffer->refill();
}

void Phase::go() {
    plan();
    // Lists of ends grow before any pointer into them is taken.
    for (auto& m : messages_) {
        if (m.to == members_.me) begin(m, false);
        if (m.from == members_.me) begin(m, true);
    }
    for (int round = 0; round < rounds_; ++round) {
        if (round > 0) refill();
        run_.doing("round " + std::to_string(round) + " of persistent requests on " + comm_.name);
        start(false, round);
        if (ready_) MPI_Barrier(comm_.handle);
        start(true, round);
        finish(round);
    }
    for (auto& end : ends_)
        if (persists(end)) MPI_Request_free(&end.request);
    MPI_Barrier(comm_.handle);
    run_.end_phase();
}

}  // namespace

void persistent(Run& run, const Comm& comm) { Phase(run, comm).go(); }

}  // namespace twins
