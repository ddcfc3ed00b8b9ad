// SPDX-License-Identifier: Apache-2.0
#include "preload/settings.hpp"

#include <cstdlib>
#include <string_view>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

/// Which of two values a variable has; the first one without it.
bool is_second(const char* variable, std::string_view first, std::string_view second) {
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == 0 || text == first) return false;
    if (text == second) return true;
    throw core::InputError(
        std::string(variable) + " is \"" + text + "\"", "",
        std::string("Set it to ") + std::string(first) + " or " + std::string(second) + ".");
}

Settings read() {
    Settings all;
    try {
        all.is_off = is_second("AUREOLE_PRELOAD", "on", "off");
        all.waits_for_device = is_second("AUREOLE_MPI_WAIT", "stream", "device");
        all.checks = is_second("AUREOLE_MPI_CHECK", "0", "1") && !all.is_off;
        all.tells = is_second("AUREOLE_MPI_LOG", "0", "1");
    } catch (const core::InputError& error) {
        all.problem = error.what();
    }
    return all;
}

}  // namespace

const Settings& settings() {
    static const Settings all = read();
    return all;
}

const bool is_checking = settings().checks;

}  // namespace aureole::preload
