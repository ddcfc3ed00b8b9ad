// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::emulated {

/// Keeps the caller for so long: asleep where that is exact enough, else busy.
void pause_for(double us);

/// For threads of the machine's own, which should leave the processor to others.
void sleep_exactly();

/// Copies between hosts and a device in one direction share one engine: the time at which a copy
/// of so many bytes that starts now has left it, in nanoseconds of the steady clock.
long reserve_engine(int device, bool to_device, double us);
void pause_until(long ns);
long now_ns();

}  // namespace aureole::emulated
