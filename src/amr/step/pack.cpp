// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/pack_stage.hpp"
#include "amr/step/schedule.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

/// A stage of one group of sub-grids on a host.
struct GroupOnHost {
    PackStage stage;
    PackKernels kernels = pack_kernels();
    ReconstructLine reconstruct = nullptr;
    FluxLine fluxes = nullptr;

    void operator()(device::Team& team, std::int64_t group) const {
        if (stage.clock->running)
            kernels.stage(stage, reconstruct, fluxes, group, team.scratch<double>());
    }
};

/// One launch a stage over all sub-grids, whose fields stay on the device; steps are enqueued
/// without looking at how they went.
class Pack final : public Schedule {
  public:
    Pack(device::Queue& queue, const Mesh& mesh, double gamma, const Scheme& scheme)
        : queue_(queue),
          mesh_(mesh),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          groups_((mesh.blocks() + pack_width - 1) / pack_width) {
        const int halo =
            with_reconstruction(scheme.reconstruct, [](auto leaf) { return int{leaf.halo}; });
        host_.stage.shape = mesh.shape(), host_.stage.halo = halo;
        host_.stage.blocks = mesh.blocks(), host_.stage.gamma = gamma;
        host_.reconstruct =
            host_.kernels.reconstruction(place_of(scheme.reconstruct, reconstructions()));
        with_riemann(scheme.riemann, [](auto) {});  // refuses what is none
        host_.fluxes = host_.kernels.riemann(place_of(scheme.riemann, riemann_solvers()));
        for (int axis = 0; axis < mesh.dims; ++axis)
            host_.stage.inverse_spacing[axis] = 1 / mesh.spacing(axis);
        for (auto& one : states_) one = {queue, fields * mesh.cells()};
        clock_ = {queue, 1};
        ends_ = {queue, groups_};
        make_layers(halo);
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
    static int place_of(const std::string& name, const std::vector<std::string>& all) {
        return static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin());
    }

    void make_layers(int halo) {
        std::vector<Layer> layers;
        for (std::int64_t block = 0; block < mesh_.blocks(); ++block)
            for (int axis = 0; axis < mesh_.dims; ++axis)
                for (int side = 0; side < 2; ++side)
                    for (int depth = 1; depth <= halo; ++depth)
                        layers.push_back(layer_beyond(mesh_, block, axis, side == 1, depth));
        layers_ = {queue_, static_cast<std::int64_t>(layers.size())};
        device::copy_from_host(queue_, layers_.view(), layers.data());
    }

    /// Which of the three buffers holds the result of a stage: never the start of the step.
    static std::size_t output_of(std::size_t start, std::size_t stage) {
        return (start + 1 + stage % 2) % 3;
    }
    std::size_t after_step(std::size_t start) const {
        return output_of(start, weights_.size() - 1);
    }

    std::size_t enqueue_step(std::size_t start) {
        GroupOnHost work = host_;
        auto& stage = work.stage;
        stage.base = states_[start].data(), stage.clock = clock_.data();
        stage.layers = layers_.data();
        auto from = start;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto to = output_of(start, k);
            stage.input = states_[from].data(), stage.output = states_[to].data();
            stage.weight = weights_[k];
            stage.ends = k + 1 == weights_.size() ? ends_.data() : nullptr;
            device::team_for(queue_, "stage of fluids",
                             {groups_, 1, pack_scratch_bytes(stage.shape)}, work);
            from = to;
        }
        device::team_for(queue_, "clock of fluids", {1, 32},
                         TickClock{ends_.data(), groups_, clock_.data(), cfl_});
        return from;
    }

    device::Queue& queue_;
    const Mesh mesh_;
    const double cfl_;
    const std::vector<double> weights_;
    const std::int64_t groups_;
    GroupOnHost host_;
    std::size_t current_ = 0;
    std::array<device::Buffer<double>, 3> states_;  ///< [block][field][cell]
    device::Buffer<Clock> clock_;
    device::Buffer<GroupEnd> ends_;
    device::Buffer<Layer> layers_;
};

}  // namespace

std::unique_ptr<Schedule> make_pack(device::Queue& queue, const Mesh& mesh, double gamma,
                                    const Scheme& scheme) {
    return std::make_unique<Pack>(queue, mesh, gamma, scheme);
}

}  // namespace aureole::amr
