// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::emulated {

/// Results of every call of the emulated machine. The numbers are those that both drivers use.
enum Status : int {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    not_initialized = 3,
    shutting_down = 4,
    no_device = 100,
    invalid_device = 101,
    invalid_image = 200,
    invalid_context = 201,
    map_failed = 205,
    peer_unsupported = 217,
    operating_system = 304,
    invalid_handle = 400,
    illegal_state = 401,
    not_found = 500,
    not_ready = 600,
    peer_already_enabled = 704,
    peer_not_enabled = 705,
    context_destroyed = 709,
    already_registered = 712,
    not_registered = 713,
    not_permitted = 800,
    not_supported = 801,
    capture_unsupported = 900,
    capture_invalidated = 901,
    capture_unmatched = 903,
    unknown_error = 999,
};

/// Short name of a result (`name` without the driver's prefix), and one sentence about it.
const char* status_name(int status);
const char* status_text(int status);

}  // namespace aureole::emulated
