// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>

#include "core/error.hpp"

namespace aureole::drivers {

/// A driver's library that this process has loaded, under one of the names that its versions have.
/// It stays loaded.
class DriverLibrary {
  public:
    explicit DriverLibrary(std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (handle_ == nullptr && (handle_ = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) != nullptr)
                name_ = name;
    }
    bool is_open() const { return handle_ != nullptr; }

    /// Throws core::DeviceError if the library has no such function.
    template <class F>
    void find(const char* name, F*& function) const {
        function = reinterpret_cast<F*>(dlsym(handle_, name));
        if (function == nullptr)
            throw core::DeviceError(name_ + " has no function " + name, "it is too old",
                                    "Install a newer driver.");
    }

    /// A function that older libraries lack: null there.
    template <class F>
    void find_any(const char* name, F*& function) const {
        function = reinterpret_cast<F*>(dlsym(handle_, name));
    }

  private:
    void* handle_ = nullptr;
    std::string name_;
};

}  // namespace aureole::drivers
