// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace aureole::comm::testing {

/// An environment variable, for as long as it lives.
class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~Variable() {
        if (before_)
            setenv(name_, before_->c_str(), 1);
        else
            unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace aureole::comm::testing
