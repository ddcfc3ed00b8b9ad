// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::tasks {

/// How workers learn that work of a queue is done: they ask between tasks; a thread of the device's
/// driver writes so into memory, which they read; or the worker that asks is blocked until then
/// (both for comparison).
enum class Notice { poll, callback, wait };

/// Options of the queues that tasks give work to.
struct ExecutorOptions {
    int queues = 8;  ///< 1 to 128
    int most = 1;    ///< items of a batch, 1 to 4096
    Notice notice = Notice::poll;
};

}  // namespace aureole::tasks
