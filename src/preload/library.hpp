// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

namespace aureole::preload {

/// The next definition of a function of MPI behind ours: that of a further tool, or of the MPI
/// library itself, also where that was loaded by dlopen. Null if there is none.
void* next_function(const char* name);
/// The file of the MPI library; empty without one.
const std::string& library_path();
/// A symbol of the MPI library itself; null if it has none.
void* library_symbol(const char* name);

/// The next definition of one function, looked up when it is first needed.
template <class Signature>
class Next;
template <class... Parameters>
class Next<int(Parameters...)> {
  public:
    constexpr explicit Next(const char* name) : name_(name) {}

    bool exists() { return function() != missing; }
    int operator()(Parameters... parameters) { return function()(parameters...); }

    using Function = int (*)(Parameters...);
    /// For tests without a library: what is called from now on.
    void replace(Function by) { found_.store(by, std::memory_order_relaxed); }

  private:
    Function function() {
        const Function found = found_.load(std::memory_order_relaxed);
        return found != nullptr ? found : find();
    }
    [[gnu::noinline]] Function find() {
        auto found = reinterpret_cast<Function>(next_function(name_));
        if (found == nullptr) found = missing;
        found_.store(found, std::memory_order_relaxed);
        return found;
    }
    /// Called where the library lacks a function: an error, as MPI_ERR_OTHER has no common number.
    static int missing(Parameters...) { return 16; }

    const char* name_;
    std::atomic<Function> found_ = nullptr;
};

}  // namespace aureole::preload
