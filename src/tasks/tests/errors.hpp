// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "tasks/pool.hpp"

namespace aureole::tasks {

/// The error with which a run fails, or "none".
template <class F>
std::string error_of(Pool& pool, F root) {
    try {
        pool.run(root);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "none";
}

}  // namespace aureole::tasks
