// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::preload {

/// Puts a request of its own, complete too and with the same status, in the place of one that is
/// complete. Libraries give one handle to many requests that are complete at once; the checks must
/// know them apart. False, and nothing is changed, if the library does not make one.
bool replace_complete_request(void* request);

}  // namespace aureole::preload
