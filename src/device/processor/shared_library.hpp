// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace aureole::device {

/// A library that is opened at run time and stays open until the process ends.
class SharedLibrary {
  public:
    /// Takes one that is open already, then the dynamic linker's, then the first in `folders`.
    /// Throws core::DeviceError with all places and what the linker said; `remedy` ends it.
    SharedLibrary(const std::string& name, const std::vector<std::filesystem::path>& folders,
                  const std::string& remedy);

    /// Throws core::DeviceError where the library has no such function.
    template <class Function>
    void find(Function*& function, const char* symbol) const {
        static_assert(std::is_function_v<Function>);
        function = reinterpret_cast<Function*>(address(symbol));
    }

  private:
    void* address(const char* symbol) const;

    std::string name_;
    void* handle_ = nullptr;
};

/// The file that this code was loaded from: the extension module, or a program.
std::filesystem::path own_file();

}  // namespace aureole::device
