// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faces/face.hpp"

/// The runtime APIs of both vendors are the same functions under other names. Their sources are
/// compiled for each, with AUREOLE_PREFIX set to `cuda` or `hip`.
#define RT_JOIN_(a, b) a##b
#define RT_JOIN(a, b) RT_JOIN_(a, b)
#define RT_TEXT_(name) #name
#define RT_TEXT(name) RT_TEXT_(name)
#define RT(name) RT_JOIN(AUREOLE_PREFIX, name)

/// First line of every function: counts the call, initialises the driver, fails if it is to.
#define RT_ENTER(name)                                                                 \
    static const ::aureole::emulated::Function entered_(RT_TEXT(RT(name)));            \
    if (const int status_ =                                                            \
            ::aureole::emulated::enter(entered_, ::aureole::emulated::Needs::opening)) \
    return ::aureole::emulated::keep(status_)

/// A second name of a function, for one of the vendors or for both.
#define RT_ALSO_(other, name) \
    DRIVER_FUNCTION decltype(name) other __attribute__((alias(RT_TEXT(name))))
#define RT_ALSO(other, name) RT_ALSO_(other, RT(name))

namespace aureole::emulated {

/// Keeps a failure as the thread's last error and gives it back.
int keep(int status);
int last_error(bool forget);

/// The context of the calling thread: its device's primary one unless it has set another.
Context& runtime_context();
Here runtime_here();
int use_device(int device);
void reset_device();
/// A device's primary context, which the runtime holds from now on.
Context* primary_held(int device);

/// These two differ between the libraries.
extern const int library_version;
const char* library_status_name(int status);

}  // namespace aureole::emulated
