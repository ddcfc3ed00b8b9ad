// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/longrange/influence.kernel.hpp"
#include "md/longrange/pme_lanes.kernel.hpp"

using aureole::md::GaussianSplit;

AUREOLE_DEVICE_FOR(aureole::md::FindModes<GaussianSplit>)
AUREOLE_DEVICE_FOR(aureole::md::FillOctant<GaussianSplit>)
AUREOLE_DEVICE_FOR(aureole::md::FillInfluence<float, GaussianSplit>)
AUREOLE_DEVICE_FOR(aureole::md::FillInfluence<double, GaussianSplit>)
AUREOLE_DEVICE_FOR(aureole::md::TotalOfMesh)
AUREOLE_DEVICE_FOR(aureole::md::ReadFixed<float>)
AUREOLE_DEVICE_FOR(aureole::md::ReadFixed<double>)
AUREOLE_DEVICE_REDUCE(aureole::md::ChargeSums, aureole::device::Sum, aureole::md::SumCharges)
AUREOLE_DEVICE_REDUCE(aureole::md::EnergyVirial, aureole::device::Sum,
                      aureole::md::SumReciprocal<float, GaussianSplit>)
AUREOLE_DEVICE_REDUCE(aureole::md::EnergyVirial, aureole::device::Sum,
                      aureole::md::SumReciprocal<double, GaussianSplit>)

#define AUREOLE_PME_ORDER(T, order)                         \
    AUREOLE_DEVICE_TEAM(aureole::md::SpreadLanes<T, order>) \
    AUREOLE_DEVICE_TEAM(aureole::md::GatherLanes<T, order>)
#define AUREOLE_PME_ORDERS(T) \
    AUREOLE_PME_ORDER(T, 4)   \
    AUREOLE_PME_ORDER(T, 5)   \
    AUREOLE_PME_ORDER(T, 6)   \
    AUREOLE_PME_ORDER(T, 7)   \
    AUREOLE_PME_ORDER(T, 8)
AUREOLE_PME_ORDERS(float)
AUREOLE_PME_ORDERS(double)
