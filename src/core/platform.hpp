// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the compiler and the processor are; the place for such #ifs.
namespace aureole::core {

#if defined(__clang__)
inline constexpr const char* compiler = "Clang " __clang_version__;
#else
inline constexpr const char* compiler = "GCC " __VERSION__;
#endif

#if defined(NDEBUG)
inline constexpr bool release_build = true;
#else
inline constexpr bool release_build = false;
#endif

/// Whether general kernels serve the special cases too, in builds where each kernel takes long to
/// compile (sanitizers).
#if defined(AUREOLE_FEW_KERNELS)
inline constexpr bool few_kernels = true;
#else
inline constexpr bool few_kernels = false;
#endif

/// Whether a sanitizer watches this build, which then runs an order of magnitude slower; that of
/// addresses knows the bounds of heap blocks. The same in all units, also those that it leaves out.
#if defined(AUREOLE_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#if defined(AUREOLE_SANITIZED_ADDRESSES)
inline constexpr bool addresses_watched = true;
#else
inline constexpr bool addresses_watched = false;
#endif

/// Which x86 instruction sets the processor has; none elsewhere.
struct Processor {
    bool sse4 = false, avx2 = false, avx512 = false;
};

inline Processor processor() {
#if defined(__x86_64__)
    return {static_cast<bool>(__builtin_cpu_supports("sse4.2")),
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")};
#else
    return {};
#endif
}

}  // namespace aureole::core
