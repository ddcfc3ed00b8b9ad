// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "preload/call.hpp"

namespace aureole::preload {

/// After the first half of a split collective operation on a file (MPI_File_read_all_begin and
/// alike): a file has at most one of them.
int keep_split(std::unique_ptr<Call>& call, int error, Handle file);

}  // namespace aureole::preload
