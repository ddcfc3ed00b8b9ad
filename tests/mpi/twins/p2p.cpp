// SPDX-License-Identifier: Apache-2.0
#include "p2p.hpp"

#include <sched.h>

#include <algorithm>
#include <deque>
#include <set>

#include "p2p_calls.hpp"

namespace twins {
namespace {

enum class Way {
    receive,
    start,
    probe,
    iprobe,
    probe_start,
    mprobe,
    mprobe_start,
    improbe,
    improbe_start,
    last
};

const char* name_of(Way way) {
    static const char* const names[] = {"Recv",          "Irecv",         "Probe+Recv",
                                        "Iprobe+Recv",   "Probe+Irecv",   "Mprobe+Mrecv",
                                        "Mprobe+Imrecv", "Improbe+Mrecv", "Improbe+Imrecv"};
    return names[static_cast<int>(way)];
}

struct Message {
    int from = 0, to = 0, tag = 0;
    Shape shape;
    Mode mode = Mode::standard;
    bool start_send = false, free_request = false, overwrite = false;
    Way way = Way::receive;
    bool posted_first = false, any_source = false, any_tag = false;
    bool large_send = false, large_receive = false, free_type = false;
    Rng own;
};

/// One position in the order of the phase, the same on all ranks. A rank never waits for what comes
/// behind the position at which it is, so no rank waits for ever.
struct Item {
    enum class Kind { message, shift, cancel, nobody } kind = Kind::message;
    Message message;
    Rng own;
};

/// This rank's part of a shift: whom it sends to and receives from, and its two messages.
struct Shift {
    int to = 0, from = 0;
    bool replace = false, start = false, large = false;
    Shape out, in;
    Rng own;
};

class Phase {
  public:
    Phase(Run& run, const Comm& comm) : run_(run), comm_(comm), members_(comm) {}
    void go();

  private:
    void plan();
    void plan_message(Message& m, Rng rng);
    void plan_wildcards();
    bool post_first();
    void message(Message& m);
    void send_message(Message& m);
    void receive_message(Message& m);
    void receive_probed(Message& m, Pending& pending, const Side& side);
    Shift plan_shift(Rng rng) const;
    void shift(Rng rng, int tag);
    void cancel(Rng rng);
    void nobody(Rng rng);
    Pending& pending(int operation, const std::string& name, Rng& rng);
    void add(Pending& p) { open_.push_back(&p); }
    void complete_now();
    Peer source(const Message& m) const {
        return {m.any_source ? MPI_ANY_SOURCE : members_.rank_of(m.from),
                m.any_tag ? MPI_ANY_TAG : m.tag, comm_.handle};
    }
    std::string text(const Message& m) const;

    Run& run_;
    const Comm& comm_;
    Members members_;
    std::vector<Item> items_;
    std::deque<Pending> pendings_;
    std::vector<Pending*> open_;
    std::vector<TypeRef> types_;
    int buffered_ = 0;
    int operation_ = 0;
    long position_ = -1;
};

std::string Phase::text(const Message& m) const {
    return "message " + std::to_string(m.from) + " -> " + std::to_string(m.to) + " tag " +
           std::to_string(m.tag) + " on " + comm_.name + ": " + name_of(m.mode) +
           (m.start_send ? " Isend" : " Send") + (m.large_send ? "_c" : "") +
           (m.free_request ? " + Request_free" : "") + ", " + name_of(m.way) +
           (m.large_receive ? "_c" : "") + (m.any_source ? " any source" : "") +
           (m.any_tag ? " any tag" : "") + (m.posted_first ? " posted first" : "") +
           (m.free_type ? " types freed early" : "") + "; " + m.shape.text() +
           (m.shape.truncated ? " (truncated)" : "");
}

void Phase::plan_message(Message& m, Rng rng) {
    do {
        m.from = static_cast<int>(rng.below(members_.all));
        m.to = static_cast<int>(rng.below(members_.all));
    } while (!members_.may_talk(m.from, m.to));
    m.tag = static_cast<int>(rng.below(3));
    const auto mode = rng.below(6);
    m.mode = mode == 3 ? Mode::synchronous : mode == 4 ? Mode::buffered : Mode::standard;
    m.start_send = rng.percent(50);
    m.free_request = m.start_send && rng.percent(15);
    m.overwrite = rng.percent(40);
    m.way = rng.percent(60) ? rng.one_of({Way::receive, Way::start})
                            : static_cast<Way>(rng.below(static_cast<long>(Way::last)));
    m.large_send = rng.percent(30);
    m.large_receive = rng.percent(30);
    m.free_type = rng.percent(15);
    m.own = rng.fork();
    bool errors = run_.options.has("errors");
#ifdef OPEN_MPI
    // Open MPI 5.0.11 writes behind a receive buffer that is too small for a message to itself.
    errors = errors && m.from != m.to;
#endif
    m.shape = random_shape(rng, errors);
    const bool small = static_cast<long>(m.shape.bytes()) <= most_buffered;
    if (m.mode == Mode::buffered && (!small || ++buffered_ > most_buffered_messages))
        m.mode = Mode::standard;
}

void Phase::plan() {
    const auto number = run_.rng.between(1, 12);
    for (long i = 0; i < number; ++i) {
        auto& item = items_.emplace_back();
        Rng rng = run_.rng.fork();
        const auto kind = rng.below(20);
        using K = Item::Kind;
        item.kind = kind == 0   ? K::cancel
                    : kind == 1 ? K::nobody
                    : kind < 5  ? K::shift
                                : K::message;
        item.own = rng.fork();
        if (item.kind == K::message) plan_message(item.message, rng.fork());
    }
    plan_wildcards();
}

/// Receives are posted in the order in which each rank sends, so a wildcard for the tag is always
/// certain. One for the source needs a tag that no other message to that rank has, or one sender.
void Phase::plan_wildcards() {
    std::vector<std::set<int>> senders(members_.all);
    std::vector<bool> shifts(members_.all);
    for (const auto& item : items_) {
        if (item.kind == Item::Kind::message) senders[item.message.to].insert(item.message.from);
        if (item.kind == Item::Kind::shift) shifts.assign(members_.all, true);
    }
    // Receives are posted first up to a position that each rank has of its own.
    std::vector<long> first(members_.all);
    // None behind a shift, whose receives are not posted first.
    long end = 0;
    while (end < static_cast<long>(items_.size()) && items_[end].kind != Item::Kind::shift) ++end;
    for (auto& f : first) f = run_.rng.percent(50) ? run_.rng.below(end + 1) : 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].kind != Item::Kind::message) continue;
        auto& m = items_[i].message;
        const bool sole = senders[m.to].size() == 1 && !shifts[m.to];
        // Some libraries start the send of an Isendrecv later than the sends that follow it.
        m.any_tag = run_.rng.percent(20) && end == static_cast<long>(items_.size());
        m.any_source = run_.rng.percent(20);
        if (m.any_source && !sole) {
            m.any_tag = false;
            m.tag = 100 + static_cast<int>(i);
        }
        m.posted_first = static_cast<long>(i) < first[m.to];
        if (!m.posted_first) continue;
        m.way = Way::start;
        if (run_.rng.percent(30)) m.mode = Mode::ready;
    }
}

Pending& Phase::pending(int operation, const std::string& name, Rng& rng) {
    auto& p = pendings_.emplace_back();
    p.operation = operation;
    p.name = name;
    p.at_once = rng.percent(50);
    p.ignore_status = rng.percent(15);
    return p;
}

void Phase::send_message(Message& m) {
    Rng rng = Rng(m.own).fork();
    auto& buffer = run_.buffer(m.shape.send.type, m.shape.send.count);
    auto& p = pending(operation_, "send buffer", rng);
    p.buffer = &buffer;
    if (m.overwrite && !m.free_request) p.reuse = &buffer;
    const Peer peer{members_.rank_of(m.to), m.tag, comm_.handle};
    auto side = m.shape.send;
    if (m.free_type) side.type = dup_of(side.type);
    run_.watch(operation_, buffer, p.name);
    if (!m.start_send) {
        const int code = send(m.mode, m.large_send, buffer.base(), side, peer);
        finished(run_, p, MPI_Status{}, code);
        return;
    }
    start_send(m.mode, m.large_send, buffer.base(), side, peer, &p.request);
    if (m.free_request)
        MPI_Request_free(&p.request);
    else
        add(p);
}

void Phase::receive_probed(Message& m, Pending& p, const Side& side) {
    MPI_Status status{};
    MPI_Message handle = MPI_MESSAGE_NULL;
    const auto peer = source(m);
    const bool matched = m.way >= Way::mprobe;
    const bool poll = m.way == Way::iprobe || m.way >= Way::improbe;
    int flag = !poll, code = MPI_SUCCESS;
    if (!poll && matched) code = MPI_Mprobe(peer.rank, peer.tag, comm_.handle, &handle, &status);
    if (!poll && !matched) code = MPI_Probe(peer.rank, peer.tag, comm_.handle, &status);
    while (!flag && code == MPI_SUCCESS) {
        code = matched ? MPI_Improbe(peer.rank, peer.tag, comm_.handle, &flag, &handle, &status)
                       : MPI_Iprobe(peer.rank, peer.tag, comm_.handle, &flag, &status);
        if (!flag) sched_yield();
    }
    run_.note_error(operation_, 10, code);
    run_.note_status(operation_, 10, status, m.shape.receive.type);
    const Peer found{status.MPI_SOURCE, status.MPI_TAG, comm_.handle};
    const bool start =
        m.way == Way::probe_start || m.way == Way::mprobe_start || m.way == Way::improbe_start;
    void* data = p.buffer->base();
    MPI_Status end{};
    if (start) {
        if (matched)
            start_matched_receive(m.large_receive, data, side, &handle, &p.request);
        else
            start_receive(m.large_receive, data, side, found, &p.request);
        add(p);
        return;
    }
    code = matched ? matched_receive(m.large_receive, data, side, &handle, &end)
                   : receive(m.large_receive, data, side, found, &end);
    p.ignore_status = false;
    finished(run_, p, end, code);
}

void Phase::receive_message(Message& m) {
    Rng rng = Rng(m.own).fork();
    auto& buffer = run_.buffer(m.shape.receive.type, m.shape.receive.count);
    auto& p = pending(operation_, "receive buffer", rng);
    p.buffer = &buffer;
    p.which = 1;
    p.receive = true;
    p.error = m.shape.truncated;
    p.type = m.shape.receive.type;
    run_.watch(operation_, buffer, p.name, p.error ? Compare::guards : Compare::everything);
    auto side = m.shape.receive;
    if (m.free_type) side.type = dup_of(side.type);
    if (m.way == Way::receive) {
        MPI_Status status{};
        const int code = receive(m.large_receive, buffer.base(), side, source(m),
                                 p.ignore_status ? MPI_STATUS_IGNORE : &status);
        finished(run_, p, status, code);
    } else if (m.way == Way::start) {
        start_receive(m.large_receive, buffer.base(), side, source(m), &p.request);
        add(p);
    } else {
        receive_probed(m, p, side);
    }
}

/// Posts what is to be posted first. True if a message needs that all ranks have done so.
bool Phase::post_first() {
    bool ready = false;
    for (auto& item : items_) {
        auto& m = item.message;
        if (item.kind != Item::Kind::message || !m.posted_first) continue;
        ready = ready || m.mode == Mode::ready;
        if (m.to != members_.me) continue;
        operation_ = run_.begin(text(m));
        receive_message(m);
        pendings_.back().position = &item - items_.data();
    }
    return ready;
}

void Phase::message(Message& m) {
    const bool out = m.from == members_.me, in = m.to == members_.me;
    if (!out && !in) return;
    operation_ = run_.begin(text(m));
    if (out && in && !m.posted_first && m.way != Way::start) m.start_send = true;
    const bool receive_later = m.way != Way::start;
    if (in && !m.posted_first && !receive_later) receive_message(m);
    if (out) send_message(m);
    if (in && !m.posted_first && receive_later) receive_message(m);
}

/// Each rank sends to one and receives from one, or does neither.
Shift Phase::plan_shift(Rng rng) const {
    const int n = members_.all, me = members_.me;
    Shift s;
    auto to = rng.permutation(n);
    std::vector<int> from(n, MPI_PROC_NULL);
    for (int i = 0; i < n; ++i) {
        if (rng.percent(15) || !members_.may_talk(i, to[i])) to[i] = MPI_PROC_NULL;
        if (to[i] >= 0) from[to[i]] = i;
    }
    s.to = to[me] < 0 ? to[me] : members_.rank_of(to[me]);
    s.from = from[me] < 0 ? from[me] : members_.rank_of(from[me]);
    s.replace = rng.percent(40);
    s.start = rng.percent(40) && has_isendrecv();
    s.large = rng.percent(30);
    std::vector<Rng> own;
    for (int i = 0; i < n; ++i) own.push_back(rng.fork());
    Rng source = own[std::max(0, from[me])];
    s.own = own[me];
    // The shape of a message is drawn from its sender's numbers, with replace from everybody's.
    if (s.replace) {
        s.out.send = s.in.receive = same_elements(s.own, random_side(rng));
#ifdef MPICH
        // MPICH 5.0.2 sends wrong data by MPI_Isendrecv_replace where the type has gaps.
        s.start = s.start && is_dense(*s.out.send.type);
#endif
    } else {
        s.out = random_shape(s.own, false);
        s.in = random_shape(source, false);
    }
    return s;
}

/// Sendrecv and its relatives.
void Phase::shift(Rng rng, int tag) {
    auto s = plan_shift(rng);
    operation_ = run_.begin(
        std::string(s.start ? "I" : "") + "sendrecv" + (s.replace ? "_replace" : "") +
        (s.large ? "_c" : "") + " to " + std::to_string(s.to) + " from " + std::to_string(s.from) +
        " on " + comm_.name + ": " + s.out.text_of_send() + ", " + s.in.text_of_receive());
    const auto &out = s.out.send, &in = s.in.receive;
    auto& target = run_.buffer(in.type, in.count);
    auto& data = s.replace ? target : run_.buffer(out.type, out.count);
    auto& p = pending(operation_, "receive buffer", s.own);
    p.buffer = &target;
    p.receive = true;
    p.type = in.type;
#ifdef MPICH
    // MPICH 5.0.2 leaves the status of Isendrecv and Isendrecv_replace as it was.
    p.ignore_status = p.ignore_status || s.start;
#endif
    run_.watch(operation_, target, p.name);
    if (!s.replace) run_.watch(operation_, data, "send buffer");
    const Peer to{s.to, tag, comm_.handle}, from{s.from, tag, comm_.handle};
    const Exchange exchange{data.base(), out, target.base(), in, to, from};
    MPI_Status status{};
    if (!s.start) {
        const int code = s.replace ? send_receive_replace(s.large, exchange, &status)
                                   : send_receive(s.large, exchange, &status);
        finished(run_, p, status, code);
        return;
    }
    if (s.replace)
        start_send_receive_replace(s.large, exchange, &p.request);
    else
        start_send_receive(s.large, exchange, &p.request);
    add(p);
}

/// A receive that nothing matches, cancelled.
void Phase::cancel(Rng rng) {
    const int victim = static_cast<int>(rng.below(members_.all));
    const bool any = rng.percent(50), persistent = rng.percent(20);
    const auto side = random_side(rng);
    if (victim != members_.me) return;
    int peer = 0;
    while (!members_.may_talk(victim, peer)) ++peer;
    operation_ =
        run_.begin("cancelled receive of " + std::to_string(side.count) + " x " + side.type->text);
    auto& buffer = run_.buffer(side.type, side.count);
    auto& p = pending(operation_, "receive buffer", rng);
    p.buffer = &buffer;
    p.receive = true;
    p.cancelled = true;
    p.ignore_status = false;
    p.type = side.type;
    run_.watch(operation_, buffer, p.name);
    const Peer source{any ? MPI_ANY_SOURCE : members_.rank_of(peer), 9999, comm_.handle};
    if (!persistent) {
        start_receive(false, buffer.base(), side, source, &p.request);
        MPI_Cancel(&p.request);
        add(p);
        return;
    }
    MPI_Status status{};
    receive_init(false, buffer.base(), side, source, &p.request);
    MPI_Start(&p.request);
    MPI_Cancel(&p.request);
    const int code = MPI_Wait(&p.request, &status);
    MPI_Request_free(&p.request);
    finished(run_, p, status, code);
}

/// Messages to and from MPI_PROC_NULL.
void Phase::nobody(Rng rng) {
    const auto side = random_side(rng);
    const auto mode = rng.one_of({Mode::standard, Mode::synchronous, Mode::ready, Mode::buffered});
    const bool start = rng.percent(50), matched = rng.percent(30), large = rng.percent(30);
    operation_ = run_.begin("messages of MPI_PROC_NULL: " + std::to_string(side.count) + " x " +
                            side.type->text);
    auto& data = run_.buffer(side.type, side.count);
    auto& target = run_.buffer(side.type, side.count);
    run_.watch(operation_, data, "send buffer");
    run_.watch(operation_, target, "receive buffer");
    const Peer peer{MPI_PROC_NULL, 7, comm_.handle};
    MPI_Status status{};
    if (matched) {
        MPI_Message handle;
        MPI_Mprobe(peer.rank, peer.tag, peer.comm, &handle, &status);
        run_.note_status(operation_, 5, status, side.type);
        matched_receive(large, target.base(), side, &handle, &status);
        run_.note_status(operation_, 6, status, side.type);
    } else if (!start) {
        run_.note_error(operation_, 0, send(mode, large, data.base(), side, peer));
        run_.note_error(operation_, 1, receive(large, target.base(), side, peer, &status));
        run_.note_status(operation_, 1, status, side.type);
    } else {
        auto& out = pending(operation_, "send buffer", rng);
        start_send(mode, large, data.base(), side, peer, &out.request);
        add(out);
        auto& in = pending(operation_, "receive buffer", rng);
        in.which = 1;
        in.receive = true;
        in.type = side.type;
        start_receive(large, target.base(), side, peer, &in.request);
        add(in);
    }
}

/// Completes some of what is complete once all ranks have come to this position.
void Phase::complete_now() {
    std::vector<Pending*> now, later;
    for (auto* p : open_) (p->position <= position_ ? now : later).push_back(p);
    complete_some(run_, now);
    open_ = std::move(later);
    open_.insert(open_.end(), now.begin(), now.end());
}

void Phase::go() {
    plan();
    if (post_first()) MPI_Barrier(comm_.handle);
    int tag = 200;
    for (auto& item : items_) {
        switch (item.kind) {
            case Item::Kind::message:
                message(item.message);
                break;
            case Item::Kind::shift:
                shift(item.own, ++tag);
                break;
            case Item::Kind::cancel:
                cancel(item.own);
                break;
            case Item::Kind::nobody:
                nobody(item.own);
                break;
        }
        ++position_;
        if (run_.timing.percent(25)) complete_now();
    }
    while (!open_.empty()) {
        if (run_.timing.percent(30))
            complete_some(run_, open_);
        else
            complete(run_, std::exchange(open_, {}));
    }
    run_.doing("barrier at the end of messages on " + comm_.name);
    MPI_Barrier(comm_.handle);
    run_.end_phase();
}

}  // namespace

void point_to_point(Run& run, const Comm& comm) { Phase(run, comm).go(); }

}  // namespace twins
