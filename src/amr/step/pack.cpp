// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/pack_stage.hpp"
#include "amr/step/schedule.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

/// Stages on a host: groups of sub-grids, one in each lane of vectors.
class OnHost {
  public:
    explicit OnHost(const Scheme& scheme)
        : reconstruct_(kernels_.reconstruction(index_of(scheme.reconstruct, reconstructions()))),
          fluxes_(kernels_.riemann(index_of(scheme.riemann, riemann_solvers()))) {}

    static std::int64_t groups(std::int64_t blocks) {
        return (blocks + pack_width - 1) / pack_width;
    }
    void launch(device::Queue& queue, const PackStage& stage) const {
        const auto work = [stage, kernel = kernels_.stage, reconstruct = reconstruct_,
                           fluxes = fluxes_](device::Team& team, std::int64_t group) {
            if (stage.clock->running)
                kernel(stage, reconstruct, fluxes, group, team.scratch<double>());
        };
        device::team_for(queue, "stage of fluids",
                         {groups(stage.blocks), 1, pack_scratch_bytes(stage.shape)}, work);
    }

  private:
    static int index_of(const std::string& name, const std::vector<std::string>& all) {
        return static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin());
    }

    PackKernels kernels_ = pack_kernels();
    ReconstructLine reconstruct_;
    FluxLine fluxes_;
};

/// Stages on any device: a team of lanes for each sub-grid.
template <class Reconstruction, class Riemann>
class ByLanes {
  public:
    explicit ByLanes(const Scheme&) {}
    static std::int64_t groups(std::int64_t blocks) { return blocks; }
    void launch(device::Queue& queue, const PackStage& stage) const {
        using Kernel = StageByLanes<Reconstruction, Riemann, Ideal>;
        device::team_for(queue, "stage of fluids",
                         {stage.blocks, Kernel::most_lanes, Kernel::scratch_bytes(stage.shape)},
                         Kernel{stage});
    }
};

/// One launch a stage over all sub-grids, whose fields stay on the device; steps are enqueued
/// without looking at how they went.
template <class Stages>
class Pack final : public Schedule {
  public:
    Pack(device::Queue& queue, const Mesh& mesh, const PackStage& stage, const Scheme& scheme)
        : queue_(queue),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          groups_(Stages::groups(mesh.blocks())),
          stages_(scheme),
          stage_(stage) {
        for (auto& one : states_) one = {queue, fields * mesh.cells()};
        clock_ = {queue, 1};
        ends_ = {queue, groups_};
        const auto layers = layers_beyond(mesh, stage_.halo);
        layers_ = {queue, static_cast<std::int64_t>(layers.size())};
        device::copy_from_host(queue_, layers_.view(), layers.data());
    }

    void set(const std::vector<double>& conserved) override {
        device::copy_from_host(queue_, states_[current_].view(), conserved.data());
    }

    std::vector<double> get() override {
        std::vector<double> all(static_cast<std::size_t>(states_[current_].size()));
        device::copy_to_host(queue_, all.data(), states_[current_].view());
        return all;
    }

    void advance(Clock& clock) override {
        const auto first = clock.step;
        clock.plan(cfl_);
        device::copy_from_host(queue_, clock_.view(), &clock);
        auto at = current_;
        for (auto k = first; k < clock.last_step; ++k) at = enqueue_step(at);
        device::copy_to_host(queue_, &clock, clock_.view());
        for (auto k = first; k < clock.step; ++k) current_ = after_step(current_);
    }

  private:
    std::size_t after_step(std::size_t start) const {
        return output_of(start, weights_.size() - 1);
    }

    std::size_t enqueue_step(std::size_t start) {
        auto stage = stage_;
        stage.base = states_[start].data(), stage.clock = clock_.data();
        stage.layers = layers_.data();
        auto from = start;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto to = output_of(start, k);
            stage.input = states_[from].data(), stage.output = states_[to].data();
            stage.weight = weights_[k];
            stage.ends = k + 1 == weights_.size() ? ends_.data() : nullptr;
            stages_.launch(queue_, stage);
            from = to;
        }
        device::team_for(queue_, "clock of fluids", {1, 32},
                         TickClock{ends_.data(), groups_, clock_.data(), cfl_});
        return from;
    }

    device::Queue& queue_;
    const double cfl_;
    const std::vector<double> weights_;
    const std::int64_t groups_;
    const Stages stages_;
    const PackStage stage_;  ///< what is the same in all of them
    std::size_t current_ = 0;
    std::array<device::Buffer<double>, 3> states_;  ///< [block][field][cell]
    device::Buffer<Clock> clock_;
    device::Buffer<Look> ends_;
    device::Buffer<Layer> layers_;
};

}  // namespace

std::unique_ptr<Schedule> make_pack(device::Queue& queue, const Mesh& mesh, double gamma,
                                    const Scheme& scheme, bool by_lanes) {
    PackStage stage;
    stage.shape = mesh.shape(), stage.blocks = mesh.blocks(), stage.gamma = gamma;
    stage.inverse_spacing = mesh.inverse_spacings();
    return with_leaves(scheme,
                       [&]<class Reconstruction, class Riemann>(
                           Reconstruction, Riemann) -> std::unique_ptr<Schedule> {
                           stage.halo = Reconstruction::halo;
                           if (by_lanes || queue.backend() != device::Backend::host)
                               return std::make_unique<Pack<ByLanes<Reconstruction, Riemann>>>(
                                   queue, mesh, stage, scheme);
                           return std::make_unique<Pack<OnHost>>(queue, mesh, stage, scheme);
                       });
}

}  // namespace aureole::amr
