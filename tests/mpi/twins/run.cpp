// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <cstdio>
#include <cstring>

namespace twins {
namespace {

char now[most_threads][600];
thread_local int own_thread = 0;

}  // namespace

void set_thread(int thread) { own_thread = thread; }

const char* doing_of(int thread) { return now[thread]; }

void set_doing(const std::string& text) {
    std::strncpy(now[own_thread], text.c_str(), sizeof now[0] - 1);
}

int class_of(int code) {
    int error = 0;
    MPI_Error_class(code, &error);
    return error;
}

bool elements_are_known(const Type& type) {
#ifdef MPICH
    // MPICH 5.0.2 ends the process in MPI_Get_elements for many types of several basic types: with
    // SIGFPE for FLOAT_INT or a struct of double and float complex, with an assertion in
    // get_elements_x.c for subarrays and darrays.
    return type.only_basic() >= 0 && type.text.find("2INT") == std::string::npos;
#else
    return type.size > 0;
#endif
}

Run::Run(const Options& opts, Memory& mem, Rng seed, int world_rank)
    : options(opts),
      memory(mem),
      rng(seed.fork()),
      local(seed.next(), world_rank),
      timing(seed.next(), world_rank),
      world_rank_(world_rank),
      data_(seed.next(), world_rank) {}

int Run::begin(std::string text) {
    set_doing(text);
    if (options.print) std::printf("[%d] %s\n", world_rank_, text.c_str());
    return record.begin(std::move(text));
}

void Run::doing(const std::string& text) { set_doing(text); }

Buffer& Run::buffer(std::vector<Block> blocks, bool aligned) {
    const auto shift = static_cast<int>(data_.below(16));
    const bool shifted = data_.percent(25) && !aligned;
    return buffers_.emplace_back(memory, data_.fork(), std::move(blocks), shifted ? shift : 0);
}

Buffer& Run::buffer(const TypeRef& type, long count, bool aligned) {
    return buffer(std::vector<Block>{{type, 0, count}}, aligned);
}

void Run::watch(int operation, Buffer& buffer, const std::string& name, Compare compare) {
    watched_.push_back({operation, &buffer, name, compare});
}

void Run::snapshot(int operation, const Buffer& buffer, const std::string& name, Compare compare) {
    record.snapshot(operation, buffer, name, compare);
}

void Run::note_status(int operation, long which, const MPI_Status& status, const TypeRef& type) {
    int count = 0, elements = 0, cancelled = 0;
    MPI_Test_cancelled(&status, &cancelled);
    note(operation, "cancelled", which, cancelled);
    if (cancelled) return;
    note(operation, "source", which, status.MPI_SOURCE);
    note(operation, "tag", which, status.MPI_TAG);
    if (!type) return;
    MPI_Get_count(&status, type->handle, &count);
    note(operation, "count", which, count);
    if (!elements_are_known(*type)) return;
    MPI_Get_elements(&status, type->handle, &elements);
    note(operation, "elements", which, elements);
}

void Run::note_error(int operation, long which, int code, bool expected) {
    if (code != MPI_SUCCESS && options.print) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        std::printf("[%d]   error: %s\n", world_rank_, text);
    }
    note(operation, expected ? "class of an error" : unexpected_error, which, class_of(code));
}

void Run::end_phase() {
    doing("end of a phase");
    memory.wait();
    for (const auto& w : watched_) snapshot(w.operation, *w.buffer, w.name + " at last", w.compare);
    watched_.clear();
    buffers_.clear();
}

}  // namespace twins
