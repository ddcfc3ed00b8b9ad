// SPDX-License-Identifier: Apache-2.0
#include "machine/status.hpp"

#include <array>

namespace aureole::emulated {
namespace {

struct Entry {
    int status;
    const char* name;
    const char* text;
};

constexpr std::array entries = {
    Entry{success, "SUCCESS", "no error"},
    Entry{invalid_value, "INVALID_VALUE", "invalid argument"},
    Entry{out_of_memory, "OUT_OF_MEMORY", "out of memory"},
    Entry{not_initialized, "NOT_INITIALIZED", "initialization error"},
    Entry{shutting_down, "DEINITIALIZED", "driver shutting down"},
    Entry{no_device, "NO_DEVICE", "no device is detected"},
    Entry{invalid_device, "INVALID_DEVICE", "invalid device ordinal"},
    Entry{invalid_image, "INVALID_IMAGE", "device kernel image is invalid"},
    Entry{invalid_context, "INVALID_CONTEXT", "invalid device context"},
    Entry{map_failed, "MAP_FAILED", "mapping of buffer object failed"},
    Entry{peer_unsupported, "PEER_ACCESS_UNSUPPORTED",
          "peer access is not supported between these two devices"},
    Entry{operating_system, "OPERATING_SYSTEM", "OS call failed or operation not supported"},
    Entry{invalid_handle, "INVALID_HANDLE", "invalid resource handle"},
    Entry{illegal_state, "ILLEGAL_STATE", "the operation cannot be performed in this state"},
    Entry{not_found, "NOT_FOUND", "named symbol not found"},
    Entry{not_ready, "NOT_READY", "device not ready"},
    Entry{peer_already_enabled, "PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    Entry{peer_not_enabled, "PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"},
    Entry{context_destroyed, "CONTEXT_IS_DESTROYED", "context is destroyed"},
    Entry{already_registered, "HOST_MEMORY_ALREADY_REGISTERED",
          "part or all of the requested memory range is already mapped"},
    Entry{not_registered, "HOST_MEMORY_NOT_REGISTERED",
          "pointer does not correspond to a registered memory region"},
    Entry{not_permitted, "NOT_PERMITTED", "operation not permitted"},
    Entry{not_supported, "NOT_SUPPORTED", "operation not supported"},
    Entry{capture_unsupported, "STREAM_CAPTURE_UNSUPPORTED",
          "operation not permitted when stream is capturing"},
    Entry{capture_invalidated, "STREAM_CAPTURE_INVALIDATED",
          "operation failed due to a previous error during capture"},
    Entry{capture_unmatched, "STREAM_CAPTURE_UNMATCHED",
          "capture was not ended in the same stream as it began"},
    Entry{unknown_error, "UNKNOWN", "unknown error"},
};

}  // namespace

const char* status_name(int status) {
    for (const auto& each : entries)
        if (each.status == status) return each.name;
    return nullptr;
}

const char* status_text(int status) {
    for (const auto& each : entries)
        if (each.status == status) return each.text;
    return nullptr;
}

}  // namespace aureole::emulated
