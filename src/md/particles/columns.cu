// SPDX-License-Identifier: Apache-2.0
#include "md/particles/columns.kernel.hpp"

#include "core/vec3.hpp"
#include "device/gpu/launch.cuh"
#include "md/particles/tag.hpp"

AUREOLE_DEVICE_FOR(aureole::md::MoveRows)

#define AUREOLE_COLUMN_KERNELS(T)                \
    AUREOLE_DEVICE_FOR(aureole::md::PackRows<T>) \
    AUREOLE_DEVICE_FOR(aureole::md::UnpackRows<T>)

AUREOLE_COLUMN_KERNELS(double)
AUREOLE_COLUMN_KERNELS(std::uint8_t)
AUREOLE_COLUMN_KERNELS(std::int32_t)
AUREOLE_COLUMN_KERNELS(aureole::md::Tag)
AUREOLE_COLUMN_KERNELS(aureole::core::Vec3d)
AUREOLE_COLUMN_KERNELS(aureole::core::Vec3i)
