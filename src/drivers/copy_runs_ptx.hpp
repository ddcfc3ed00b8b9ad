// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::drivers {

/// copy_runs.cu as text that CUDA's driver compiles for the device at hand (PTX).
extern const char* const copy_runs_ptx;

}  // namespace aureole::drivers
