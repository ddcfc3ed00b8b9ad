// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/pme.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "fft/sizes.hpp"
#include "md/longrange/pme_lanes.kernel.hpp"

namespace aureole::md {

namespace {

/// Lanes that spread a particle's charge, or gather its force. Each computes all weights: of 16
/// lanes those took most of the time (docs/decisions/033-first-gpu.md).
constexpr int lanes_of_particle = 4;

/// The block of common memory that the mesh is in.
constexpr int common_grid = 1;

/// A kernel over the items from one on. On hosts alone, where several ranks share a mesh.
template <class Kernel>
struct FromHere {
    using device_kernel = std::false_type;
    Kernel kernel;
    std::int64_t first;
    auto operator()(std::int64_t i) const { return kernel(first + i); }
};

std::string words(const fft::GridSize& grid) {
    return "a mesh of " + std::to_string(grid.x) + " × " + std::to_string(grid.y) + " × " +
           std::to_string(grid.z) + " points";
}

void check(const PmeSpec& spec, device::Backend backend) {
    if (spec.order < least_order || spec.order > most_order)
        throw core::InputError(
            "splines of order " + std::to_string(spec.order) + " are not available",
            "orders 4 to 8 are implemented", "Choose one of these orders.");
    if (!(spec.beta > 0))
        throw core::InputError("the Ewald splitting parameter must be positive",
                               "it is " + std::to_string(spec.beta),
                               "Give a cut-off and a tolerance, or a positive value.");
    const int least = std::min({spec.grid.x, spec.grid.y, spec.grid.z});
    if (least < spec.order)
        throw core::InputError(
            words(spec.grid) + " is too small",
            "every axis needs at least as many points as the order of the splines, " +
                std::to_string(spec.order),
            "Use a finer spacing or a lower order.");
    if (spec.kernels == MeshKernels::packs && backend != device::Backend::host)
        throw core::InputError("MeshKernels::packs cannot run on this device",
                               "these PME kernels are written for CPUs",
                               "Choose MeshKernels::lanes.");
}

}  // namespace

void check_mesh_size(const fft::GridSize& grid, std::int64_t particles) {
    const auto most = mesh_points_always + mesh_points_each * particles;
    if (std::max({grid.x, grid.y, grid.z}) <= longest_mesh_edge && grid.points() <= most) return;
    throw core::InputError(words(grid) + " is too large",
                           "at most " + std::to_string(longest_mesh_edge) + " along an axis and " +
                               std::to_string(most) + " in all are allowed for " +
                               std::to_string(particles) + " particles",
                           "Use a coarser spacing.");
}

fft::GridSize mesh_for_spacing(const core::Box& box, double spacing, int order,
                               const fft::GridSize& given, bool for_gpu) {
    if (!(spacing > 0))
        throw core::InputError("a mesh spacing of " + std::to_string(spacing) + " is invalid",
                               "it must be positive", "Give the distance between mesh points.");
    const auto along = [&](int points, const core::Vec3d& edge) {
        if (points > 0) return points;
        return fft::gromacs_size(std::sqrt(dot(edge, edge)), spacing, 2 * (order - 1),
                                 for_gpu ? 7 : 13);
    };
    return {along(given.x, box.lattice(1, 0, 0)), along(given.y, box.lattice(0, 1, 0)),
            along(given.z, box.lattice(0, 0, 1))};
}

template <class T>
Pme<T>::Pme(device::Queue& queue, const PmeSpec& spec, comm::CommonMemory* ranks)
    : spec_(spec), ranks_(ranks) {
    check(spec, queue.backend());
    if (ranks != nullptr && spec.kernels == MeshKernels::lanes)
        throw core::InputError("MeshKernels::lanes cannot be divided among ranks",
                               "these PME kernels add to a single mesh",
                               "Choose MeshKernels::packs.");
    plan_ = fft::make_plan<T>(queue, spec.grid, spec.library, ranks);
    const bool packs =
        queue.backend() == device::Backend::host && spec.kernels != MeshKernels::lanes;
    const auto points = plan_->real().size();
    if (ranks == nullptr) own_grid_ = device::Buffer<T>(queue, points);
    grid_ = ranks == nullptr ? own_grid_.view()
                             : device::View<T>{ranks->block<T>(common_grid, points), points};
    modes_here_ = {0, plan_->spectrum().size()};
    if (ranks != nullptr) {
        const int planes = spec.grid.x / 2 + 1;
        const auto each = plan_->spectrum().size() / planes;
        const auto mine = device::part_of(planes, ranks->world().rank(), ranks->world().size());
        modes_here_ = {mine.begin * each, mine.end * each};
    }
    factor_ = device::Buffer<T>(queue, plan_->spectrum().size());
    power_ = device::Buffer<T>(queue, plan_->spectrum().size());
    if (packs) {
        slabs_ = std::make_shared<Slabs<T>>(queue.threads(), spec.grid, spec.order, ranks);
    } else {
        fixed_ = device::Buffer<std::int64_t>(queue, plan_->real().size());
        device::fill(queue, fixed_.view(), 0);
    }
    std::vector<double> moduli;
    for (const int n : {spec.grid.x, spec.grid.y, spec.grid.z})
        for (const double b : spline_moduli(spec.order, n)) moduli.push_back(b);
    moduli_ = device::Buffer<double>(queue, static_cast<std::int64_t>(moduli.size()));
    device::copy_from_host(queue, moduli_.view(), moduli.data());
    modes_ = device::Buffer<SeenMode>(queue, factor_.size());
    octant_ = device::Buffer<double>(queue, influence().octant_size());
    for_own_modes(queue, "modes", FindModes<GaussianSplit>{influence(), modes_.data()});
    reciprocal_sum_ = device::Buffer<EnergyVirial>(queue, 1);
    sums_ = device::Buffer<EnergyVirial>(queue, 1);
    charges_ = device::Buffer<ChargeSums>(queue, 1);
}

/// The modes of the planes that this rank transforms.
template <class T>
template <class Kernel>
void Pme<T>::for_own_modes(device::Queue& queue, const char* name, const Kernel& kernel) {
    const auto n = modes_here_.end - modes_here_.begin;
    if (ranks_ == nullptr) return device::parallel_for(queue, name, n, kernel);
    device::parallel_for(queue, name, n, FromHere<Kernel>{kernel, modes_here_.begin});
}

template <class T>
Influence<GaussianSplit> Pme<T>::influence() const {
    const double* b = moduli_.data();
    const auto& n = spec_.grid;
    return {plan_->spectrum(),
            box_,
            b,
            b + n.x,
            b + n.x + n.y,
            {spec_.beta},
            spec_.coulomb * std::numbers::inv_pi,
            spec_.both_signs};
}

template <class T>
void Pme<T>::set_box(device::Queue& queue, const OfBox<MeshMap>& box) {
    if (knows_box_ && box.there() == box_.there() && box.value() == box_.value()) return;
    box_ = box, knows_box_ = true;
    const auto of_box = influence();
    device::parallel_for(queue, "octant", octant_.size(),
                         FillOctant<GaussianSplit>{of_box, octant_.data()});
    for_own_modes(
        queue, "influence",
        FillInfluence<T, GaussianSplit>{of_box, modes_.data(), octant_.data(), factor_.data()});
}

template <class T>
void Pme<T>::compute(device::Queue& queue, const MeshParticles& particles,
                     const OfBox<MeshMap>& box, const ForceSink<T>& sink, MeshWant want) {
    set_box(queue, box);
    const PmeJob<T> job{particles.position, particles.charge, box.value(), spec_.grid, 0, 0, sink};
    const bool energy = want == MeshWant::forces_and_energy;
    const auto power = energy ? power_.view() : device::View<T>{};
    if (slabs_)
        compute_with_packs(queue, job, particles.n, power);
    else
        compute_with_lanes(queue, job, particles.n, power);
    if (!energy) return;
    const SumReciprocal<T, GaussianSplit> of_mode{influence(), modes_.data(), factor_.data(),
                                                  power_.data()};
    if (ranks_ == nullptr)
        device::parallel_reduce<EnergyVirial>(queue, "mesh energy", power_.size(), EnergyVirial{},
                                              of_mode, device::Sum{}, reciprocal_sum_.data());
    else
        device::parallel_reduce<EnergyVirial>(
            queue, "mesh energy", modes_here_.end - modes_here_.begin, EnergyVirial{},
            FromHere<SumReciprocal<T, GaussianSplit>>{of_mode, modes_here_.begin}, device::Sum{},
            reciprocal_sum_.data());
    sum_charges(queue, particles);
    device::parallel_for(queue, "mesh total", 1,
                         TotalOfMesh{reciprocal_sum_.data(), charges_.data(), spec_.coulomb,
                                     spec_.beta, box_, sums_.data()});
}

/// The first rank accounts for what the charges of all add to the sum over modes.
template <class T>
void Pme<T>::sum_charges(device::Queue& queue, const MeshParticles& particles) {
    device::parallel_reduce<ChargeSums>(queue, "charges", particles.n, ChargeSums{},
                                        SumCharges{particles.charge}, device::Sum{},
                                        charges_.data());
    if (ranks_ == nullptr) return;
    ChargeSums sums;
    device::copy_to_host(queue, &sums, device::View<const ChargeSums>(charges_.view()));
    sums = ranks_->world().combine(sums, device::Sum{});
    if (ranks_->world().rank() > 0) sums = {};
    device::copy_from_host(queue, charges_.view(), &sums);
}

template <class T>
void Pme<T>::compute_with_packs(device::Queue& queue, const PmeJob<T>& job, std::int64_t n,
                                device::View<T> power) {
    const auto layout = plan_->real();
    T* const grid = grid_.data;
    if (ranks_ != nullptr) ranks_->world().enter(comm::Phase::mesh);
    device::host_task(
        queue, "spread", [=, slabs = slabs_, ranks = ranks_](device::ThreadPool& pool) {
            pool.run([&](int rank) { slabs->spread(rank, job, n); });
            if (ranks != nullptr) ranks->world().barrier();
            pool.run([&](int rank) {
                slabs->sum(layout,
                           ranks == nullptr
                               ? device::part_of(layout.n.x, rank, pool.size())
                               : comm::part_of(ranks->world(), layout.n.x, rank, pool.size()),
                           grid);
            });
            if (ranks != nullptr) ranks->world().barrier();
        });
    plan_->filter(queue, grid_, factor_.view(), power);
    device::host_task(queue, "gather", [=, slabs = slabs_](device::ThreadPool& pool) {
        pool.run([&](int rank) { slabs->gather(rank, job, layout, grid); });
    });
    if (ranks_ != nullptr) queue.synchronize();  // what follows may be messages
}

template <class T>
template <int order>
void Pme<T>::lanes(device::Queue& queue, const PmeJob<T>& job, std::int64_t n,
                   device::View<T> power) {
    const device::TeamPolicy teams{n, lanes_of_particle};
    device::team_for(
        queue, "spread", teams,
        SpreadLanes<T, order>{job.position, job.charge, box_, plan_->real(), fixed_.data()});
    device::parallel_for(queue, "read mesh", fixed_.size(),
                         ReadFixed<T>{fixed_.data(), grid_.data});
    plan_->filter(queue, grid_, factor_.view(), power);
    device::team_for(
        queue, "gather", teams,
        GatherLanes<T, order>{job.position, job.charge, box_, plan_->real(), grid_.data, job.sink});
}

template <class T>
void Pme<T>::compute_with_lanes(device::Queue& queue, const PmeJob<T>& job, std::int64_t n,
                                device::View<T> power) {
    switch (spec_.order) {
        case 4:
            return lanes<4>(queue, job, n, power);
        case 5:
            return lanes<5>(queue, job, n, power);
        case 6:
            return lanes<6>(queue, job, n, power);
        case 7:
            return lanes<7>(queue, job, n, power);
        default:
            return lanes<8>(queue, job, n, power);
    }
}

template <class T>
EnergyVirial Pme<T>::energy(device::Queue& queue) const {
    EnergyVirial sum;
    device::copy_to_host(queue, &sum, sums_.view());
    return sum;
}

template class Pme<float>;
template class Pme<double>;

}  // namespace aureole::md
