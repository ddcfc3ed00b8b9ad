// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lanes are fibers of a thread of the host: device/emulated/fibers.cpp.
namespace aureole::core::gpu {

using Votes = unsigned long long;

bool in_kernel() noexcept;

unsigned lane();
unsigned exchange(unsigned word, int from, int size);
unsigned exchange_xor(unsigned word, int bits);
Votes votes(bool yes, int size);
void sync_team(int size);
void sync_block();
bool any_of_block(bool yes);
inline void publish_block() { sync_block(); }
void pause(unsigned nanoseconds);
/// `key`: the address of something that a type `Of` has alone.
unsigned char* memory_of_block(const void* key, int bytes);
unsigned char* block_scratch();

template <class Of, int bytes>
unsigned char* block_memory() {
    static const char key = 0;
    return memory_of_block(&key, bytes);
}

}  // namespace aureole::core::gpu
