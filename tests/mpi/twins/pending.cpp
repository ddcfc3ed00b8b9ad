// SPDX-License-Identifier: Apache-2.0
#include "pending.hpp"

#include <sched.h>

#include <algorithm>

#include "optional.hpp"

namespace twins {
namespace {

/// The error of a receive that must fail.
int expected(int code) {
#ifdef MPICH
    // MPICH 5.0.2 loses one of some thirty such errors: the receive then ends with MPI_SUCCESS.
    return code == MPI_SUCCESS ? MPI_ERR_TRUNCATE : code;
#else
    return code;
#endif
}

/// The requests of a list in an array, as MPI takes them, with null requests in between.
struct Requests {
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses;
    std::vector<Pending*> owners;

    Requests(Run& run, const std::vector<Pending*>& list) {
        for (auto* pending : list) {
            if (pending->done) continue;
            if (run.timing.percent(10)) add(MPI_REQUEST_NULL, nullptr);
            add(pending->request, pending);
        }
        statuses.resize(requests.size());
    }
    int size() const { return static_cast<int>(requests.size()); }

  private:
    void add(MPI_Request request, Pending* owner) {
        requests.push_back(request);
        owners.push_back(owner);
    }
};

/// The end of one request of an array.
void finished_in(Run& run, Requests& all, int index, const MPI_Status& status, int code) {
    auto* pending = all.owners[index];
    if (!pending) fatal("MPI completed a null request");
    pending->request = all.requests[index];
    finished(run, *pending, status, code);
}

/// The error of one request after a call that completes several.
int error_in(int code, const MPI_Status& status) {
    return class_of(code) == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code;
}

void by_wait(Run& run, Pending& pending) {
    MPI_Status status{};
    const bool ignore = pending.ignore_status;
    const int code = MPI_Wait(&pending.request, ignore ? MPI_STATUS_IGNORE : &status);
    finished(run, pending, status, code);
}

void by_test(Run& run, Pending& pending) {
    MPI_Status status{};
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS) {
        code =
            MPI_Test(&pending.request, &flag, pending.ignore_status ? MPI_STATUS_IGNORE : &status);
        if (!flag) sched_yield();
    }
    finished(run, pending, status, code);
}

/// Notes it where a look at a request told another status than its end: how a request is completed
/// is not the same in both runs, so nothing is noted otherwise.
void expect_same(Run& run, const Pending& pending, const MPI_Status& a, const MPI_Status& b) {
    int first = 0, second = 0;
    if (!elements_are_known(*pending.type)) return;
    MPI_Get_elements(&a, pending.type->handle, &first);
    MPI_Get_elements(&b, pending.type->handle, &second);
    if (a.MPI_SOURCE == b.MPI_SOURCE && a.MPI_TAG == b.MPI_TAG && first == second) return;
    run.note(pending.operation, "elements by Request_get_status", pending.which, first);
}

void by_get_status(Run& run, Pending& pending) {
    MPI_Status status{};
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS) {
        code = MPI_Request_get_status(pending.request, &flag, &status);
        if (!flag) sched_yield();
    }
    // Whether this call tells the error of the request is left to the library.
    MPI_Status last{};
    code = MPI_Wait(&pending.request, &last);
    const bool known = pending.receive && !pending.error && !pending.cancelled;
    if (known && !pending.ignore_status) expect_same(run, pending, status, last);
    finished(run, pending, last, code);
}

bool may_ignore(const std::vector<Pending*>& owners) {
    return std::all_of(owners.begin(), owners.end(),
                       [](auto* p) { return !p || (p->ignore_status && !p->error); });
}

void by_all(Run& run, const std::vector<Pending*>& list, bool test) {
    for (;;) {
        Requests all(run, list);
        if (!all.size()) return;
        auto* statuses = may_ignore(all.owners) ? MPI_STATUSES_IGNORE : all.statuses.data();
        int flag = !test, code = MPI_SUCCESS;
        if (!test) code = MPI_Waitall(all.size(), all.requests.data(), statuses);
        while (!flag && code == MPI_SUCCESS) {
            code = MPI_Testall(all.size(), all.requests.data(), &flag, statuses);
            if (!flag) sched_yield();
        }
        for (int i = 0; i < all.size(); ++i) {
            if (!all.owners[i]) continue;
            const int error = error_in(code, all.statuses[i]);
            if (class_of(error) == MPI_ERR_PENDING)
                all.owners[i]->request = all.requests[i];
            else
                finished_in(run, all, i, all.statuses[i], error);
        }
    }
}

void by_any(Run& run, const std::vector<Pending*>& list, bool test) {
    for (;;) {
        Requests all(run, list);
        if (!all.size()) return;
        MPI_Status status{};
        int index = MPI_UNDEFINED, flag = !test, code = MPI_SUCCESS;
        if (!test) code = MPI_Waitany(all.size(), all.requests.data(), &index, &status);
        while (!flag && code == MPI_SUCCESS) {
            code = MPI_Testany(all.size(), all.requests.data(), &index, &flag, &status);
            if (!flag) sched_yield();
        }
        if (index == MPI_UNDEFINED) fatal("MPI_Waitany or MPI_Testany found no active request");
        finished_in(run, all, index, status, code);
    }
}

void by_some(Run& run, const std::vector<Pending*>& list, bool test) {
    for (;;) {
        Requests all(run, list);
        if (!all.size()) return;
        std::vector<int> indices(all.size());
        int number = 0, code = MPI_SUCCESS;
        while (number == 0 && code == MPI_SUCCESS) {
            const auto call = test ? MPI_Testsome : MPI_Waitsome;
            code =
                call(all.size(), all.requests.data(), &number, indices.data(), all.statuses.data());
            if (number == 0) sched_yield();
        }
        if (number == MPI_UNDEFINED) fatal("MPI_Waitsome or MPI_Testsome found no active request");
        for (int k = 0; k < number; ++k)
            finished_in(run, all, indices[k], all.statuses[k], error_in(code, all.statuses[k]));
    }
}

/// MPI 4.1: looks at several requests without completing them.
void look_at_all(Run& run, const std::vector<Pending*>& list) {
    Requests all(run, list);
    int flag = 0;
    while (!flag) {
        if (MPI_Request_get_status_all(all.size(), all.requests.data(), &flag,
                                       all.statuses.data()) != MPI_SUCCESS)
            break;
        if (!flag) sched_yield();
    }
    by_all(run, list, false);
}

}  // namespace

void finished(Run& run, Pending& pending, const MPI_Status& status, int code) {
    pending.done = true;
    const int noted = pending.error ? expected(code) : code;
    run.note_error(pending.operation, pending.which, noted, pending.error);
    const bool clean = code == MPI_SUCCESS && !pending.error;
    if (pending.receive && clean && !pending.ignore_status)
        run.note_status(pending.operation, pending.which, status, pending.type);
    if (pending.reuse) pending.reuse->refill();
    if (pending.at_once && pending.buffer)
        run.snapshot(pending.operation, *pending.buffer, pending.name + " when complete",
                     clean ? pending.compare : Compare::guards);
}

/// Whether Request_get_status may look at these requests.
bool may_look(const std::vector<Pending*>& list) {
#ifdef MPICH
    // MPICH 5.0.2 gives an empty status at the end of a persistent request that it was asked about.
    return std::none_of(list.begin(), list.end(), [](auto* p) { return p->persistent; });
#else
    return !list.empty();
#endif
}

void complete(Run& run, std::vector<Pending*> list) {
    const bool errors = std::any_of(list.begin(), list.end(), [](auto* p) { return p->error; });
    long way = run.timing.below(10);
    if (!may_look(list) && (way == 2 || way == 9)) way = 0;
    if (way < 3) {
        run.timing.shuffle(list);
        for (auto* pending : list) {
            if (way == 0) by_wait(run, *pending);
            if (way == 1) by_test(run, *pending);
            if (way == 2) by_get_status(run, *pending);
        }
    } else if (way < 5) {
        by_all(run, list, way == 3);
    } else if (way < 7) {
        by_any(run, list, way == 5);
    } else if (way < 9) {
        by_some(run, list, way == 7);
    } else if (MPI_Request_get_status_all && !errors) {
        look_at_all(run, list);
    } else {
        by_all(run, list, false);
    }
}

void complete_some(Run& run, std::vector<Pending*>& list) {
    std::vector<Pending*> chosen, rest;
    for (auto* pending : list) (run.timing.percent(40) ? chosen : rest).push_back(pending);
    if (!chosen.empty()) complete(run, std::move(chosen));
    list = std::move(rest);
}

}  // namespace twins
