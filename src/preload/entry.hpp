// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Begins the definition of a function of MPI, under both of its names: bindings of Fortran call
/// one or the other, depending on the library.
#define AUREOLE_ENTRY(name, parameters)                                                  \
    extern "C" [[gnu::visibility("default")]] int name parameters;                       \
    extern "C" [[gnu::visibility("default"), gnu::alias(#name)]] int P##name parameters; \
    extern "C" int name parameters
