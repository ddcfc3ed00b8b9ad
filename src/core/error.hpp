// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace aureole::core {

/// An error a user can act on, worded *problem (why) suggestion*.
class Error : public std::runtime_error {
  public:
    Error(const std::string& problem, const std::string& why, const std::string& suggestion)
        : std::runtime_error(sentence(problem, why, suggestion)) {}
    explicit Error(const std::string& text) : std::runtime_error(text) {}

  private:
    static std::string sentence(const std::string& problem, const std::string& why,
                                const std::string& suggestion) {
        std::string text = problem;
        if (!why.empty()) text += " (" + why + ")";
        if (!suggestion.empty()) text += ". " + suggestion;
        return text;
    }
};

/// Input that cannot be simulated: parameters, coordinates, names.
class InputError : public Error {
    using Error::Error;
};

/// A file that cannot be read or written.
class FileError : public Error {
    using Error::Error;
};

/// A device that is absent, full or failing.
class DeviceError : public Error {
    using Error::Error;
};

/// Another rank of the simulation failed, ended or cannot be reached.
class RankError : public Error {
    using Error::Error;
};

/// Diagnosis of the first non-finite or runaway value of a run.
struct BlowUp {
    std::int64_t step = 0;
    std::int64_t tag = -1;      ///< the particle
    std::int64_t partner = -1;  ///< its nearest or worst partner, -1 if none is to blame
    std::string force;          ///< name of the force term or field, or "velocity" / "position"
    double value = 0;           ///< magnitude found
    std::string place = {};     ///< where there are cells: sub-grid, cell and position
};

/// A run that blew up; carries the diagnosis.
class BlowUpError : public Error {
  public:
    BlowUpError(const std::string& problem, const std::string& why, const std::string& suggestion,
                BlowUp what)
        : Error(problem, why, suggestion), what_happened(std::move(what)) {}

    BlowUp what_happened;
};

}  // namespace aureole::core
