// SPDX-License-Identifier: Apache-2.0
#include "device/tests/kernels.hpp"

#include "device/gpu/batch.cuh"
#include "device/reduce_ops.hpp"

using namespace aureole::device;

AUREOLE_DEVICE_BATCH(testing::Add)
AUREOLE_DEVICE_FOR(testing::AddAndSum)
AUREOLE_DEVICE_FOR(testing::Scale)
AUREOLE_DEVICE_FOR(testing::Count)
AUREOLE_DEVICE_FOR(testing::Scramble)
AUREOLE_DEVICE_FOR(testing::LookUp)
AUREOLE_DEVICE_TEAM(testing::LookUp)
AUREOLE_DEVICE_REDUCE(std::int64_t, Sum, testing::IndexModulo)
AUREOLE_DEVICE_REDUCE(std::int64_t, Max, testing::IndexModulo)
AUREOLE_DEVICE_REDUCE(double, Sum, testing::Harmonic)
AUREOLE_DEVICE_REDUCE(testing::Moments, testing::AddMoments, testing::MomentsOf)
AUREOLE_DEVICE_TEAM(testing::RowSums)
AUREOLE_DEVICE_TEAM(testing::Reverse)
AUREOLE_DEVICE_TEAM(testing::WideRows)
AUREOLE_DEVICE_TEAM(testing::LaneExchange)
AUREOLE_DEVICE_TEAM(testing::TeamVotes)
AUREOLE_DEVICE_TEAM(testing::TeamExchange)
AUREOLE_DEVICE_TEAM(testing::LaneSum)
