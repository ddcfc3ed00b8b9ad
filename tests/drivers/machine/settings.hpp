// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aureole::emulated {

/// The call of a function that is to fail. `*` stands for any function of the driver.
struct Failure {
    std::string function;
    long call = 0;
    int code = 0;
};

/// How the processor reaches device memory. Spoilt ways show other memory, or none; with a blind
/// query, the default stream seems idle while blocking streams work.
struct Bar {
    bool gdr = false, dma_buf = false, large = false;
    bool is_spoilt = false, is_blind = false;
};

/// Wishes of the environment variable AUREOLE_DOUBLE; see README.md for its keys.
struct Settings {
    int devices = 2;
    std::uint64_t seed = 1;
    double late_us = 0;
    double copy_us = 0;
    double copy_bytes_per_us = 0;
    double open_us = 0;
    bool peer = true;
    bool legacy_handles = true;
    bool descriptor_handles = true;
    bool pool_handles = true;
    Bar bar;
    std::size_t memory = std::size_t{16} << 30;  ///< bytes of each device
    std::vector<Failure> failures;
    std::string log;

    bool copies_cost() const { return copy_us > 0 || copy_bytes_per_us > 0; }
};

/// Read at first use. A wrong value ends the process with one line on standard error.
const Settings& settings();

/// Reads a list of settings; the message of what is wrong with it, or empty.
std::string parse_settings(const std::string& text, Settings& into);

}  // namespace aureole::emulated
