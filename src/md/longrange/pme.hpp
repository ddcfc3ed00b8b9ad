// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/buffer.hpp"
#include "fft/plan.hpp"
#include "md/box/of_box.hpp"
#include "md/longrange/ewald.hpp"
#include "md/longrange/influence.kernel.hpp"
#include "md/longrange/slabs.hpp"

namespace aureole::md {

/// Kernels that spread and gather: whole clusters by SIMD packs (hosts), or teams of lanes (any
/// device). `best`: the former where it can be had.
enum class MeshKernels { best, packs, lanes };

/// Definition of a mesh. Charges and the splitting parameter belong to the pair forces.
struct MeshSpec {
    fft::GridSize grid;
    int order = 4;  ///< of the splines, 4 to 8
    MeshKernels kernels = MeshKernels::best;
    fft::Library library = fft::Library::best;
    bool both_signs = false;  ///< of half the mesh's modes, as in OpenMM: Influence::seen()
};

struct PmeSpec {
    fft::GridSize grid;
    int order = 4;       ///< of the splines, 4 to 8
    double beta = 0;     ///< Ewald's splitting [1/length]
    double coulomb = 1;  ///< f = 1/(4πε₀) [energy length/charge²]
    MeshKernels kernels = MeshKernels::best;
    fft::Library library = fft::Library::best;
    bool both_signs = false;
};

/// Largest numbers of mesh points: along an edge; in all, and in addition for each particle. 0.1 nm
/// between points makes some ten for each particle of a liquid; ions in a large box have many more.
inline constexpr int longest_mesh_edge = 8192;
inline constexpr std::int64_t mesh_points_always = std::int64_t{1} << 24, mesh_points_each = 4096;

/// Throws core::InputError for a mesh that is far too large for the number of particles.
void check_mesh_size(const fft::GridSize& grid, std::int64_t particles);

/// The points that GROMACS would take for a box and a fourier-spacing, along a, b and c: where none
/// are given, at least 2 (order − 1). GPUs transform sizes with large factors slowly: for them none
/// is above 7.
fft::GridSize mesh_for_spacing(const core::Box& box, double spacing, int order,
                               const fft::GridSize& given = {}, bool for_gpu = false);

/// Expected r.m.s. error of the mesh's forces for n charges at random positions: the mean over
/// positions of the squares of all modes that the splines alias or the mesh leaves out.
double mesh_force_error(const PmeSpec& spec, const core::Box& box, const ChargeSums& sums,
                        double n);

/// Charged particles in device memory, in any order; host kernels are fast if it follows space.
struct MeshParticles {
    std::int64_t n = 0;
    const core::Vec3d* position = nullptr;  ///< [n] anywhere in space
    const double* charge = nullptr;         ///< [n]
};

enum class MeshWant { forces, forces_and_energy };

/// Smooth particle-mesh Ewald (Essmann et al., J. Chem. Phys. 103 (1995) 8577): the part of the
/// Coulomb energy that is the reciprocal-space sum, of a box periodic in all directions. The pair
/// kernel subtracts its contribution for excluded pairs, f q q erf(βr)/r.
template <class T>
class Pme {
  public:
    /// `ranks`: those whose charges the mesh has, all of which make and use it in the same way;
    /// null: one. Throws core::InputError for an invalid mesh.
    Pme(device::Queue& queue, const PmeSpec& spec, comm::CommonMemory* ranks = nullptr);

    const PmeSpec& spec() const { return spec_; }
    /// Each host thread adds forces to its own partition of the particles, device::part_of() them.
    bool in_partitions() const { return slabs_ != nullptr; }

    /// Adds forces to the sink and, where wanted, finds energy and virial. Asynchronous; allocates
    /// only where the threads' parts of the mesh grow.
    void compute(device::Queue& queue, const MeshParticles& particles, const OfBox<MeshMap>& box,
                 const ForceSink<T>& sink, MeshWant want);
    /// A kernel has changed the box in device memory, from which compute() is to read it.
    void box_has_changed() { knows_box_ = false; }
    /// Whether the factors of all modes are those of the box; set where a graph has made them so.
    bool knows_box() const { return knows_box_; }
    void set_knows_box(bool knows) { knows_box_ = knows; }

    /// Energy and virial Σ r ⊗ F of the last compute() that was to find them, with the self energy
    /// and that of the background of a net charge; in device memory. Of several ranks each has a
    /// part of their sum.
    device::View<const EnergyVirial> sums() const { return sums_.view(); }
    /// Energy and virial of sums(), in host memory. Waits for the queue.
    EnergyVirial energy(device::Queue& queue) const;

  private:
    template <class Kernel>
    void for_own_modes(device::Queue& queue, const char* name, const Kernel& kernel);
    void sum_charges(device::Queue& queue, const MeshParticles& particles);
    void set_box(device::Queue& queue, const OfBox<MeshMap>& box);
    Influence<GaussianSplit> influence() const;
    void compute_with_packs(device::Queue& queue, const PmeJob<T>& job, std::int64_t n,
                            device::View<T> power);
    void compute_with_lanes(device::Queue& queue, const PmeJob<T>& job, std::int64_t n,
                            device::View<T> power);
    template <int order>
    void lanes(device::Queue& queue, const PmeJob<T>& job, std::int64_t n, device::View<T> power);

    PmeSpec spec_;
    std::unique_ptr<fft::Plan3<T>> plan_;
    std::shared_ptr<Slabs<T>> slabs_;     ///< packs only; shared with work under way
    device::Buffer<std::int64_t> fixed_;  ///< lanes only
    device::Buffer<T> own_grid_, factor_, power_;
    device::View<T> grid_;  ///< that of one rank, or the common one
    device::Range modes_here_;
    comm::CommonMemory* ranks_;
    device::Buffer<double> moduli_;   ///< along x, y, z
    device::Buffer<SeenMode> modes_;  ///< of the spectrum
    device::Buffer<double> octant_;
    device::Buffer<EnergyVirial> reciprocal_sum_, sums_;
    device::Buffer<ChargeSums> charges_;
    OfBox<MeshMap> box_;
    bool knows_box_ = false;
};

}  // namespace aureole::md
