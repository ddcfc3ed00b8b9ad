// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/device_jumps.hpp"
#include "amr/step/jumps.kernel.hpp"
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

    static constexpr int width = pack_width;  ///< sub-grids of a group

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
    static constexpr int width = 1;

    static std::int64_t groups(std::int64_t blocks) { return blocks; }
    void launch(device::Queue& queue, const PackStage& stage) const {
        using Kernel = StageByLanes<Reconstruction, Riemann, Ideal>;
        device::team_for(queue, "stage of fluids",
                         {stage.blocks, Kernel::most_lanes, Kernel::scratch_bytes(stage.shape)},
                         Kernel{stage});
    }
};

/// What the jumps of a mesh with levels need besides its stages.
class JumpsOfPack {
  public:
    /// `width`: sub-grids of a group that is looked at together.
    JumpsOfPack(device::Queue& queue, const Tree& tree, const Jumps& jumps, const PackStage& stage,
                int width)
        : queue_(queue),
          shape_(stage.shape),
          gas_{stage.gamma},
          inverse_spacing_(stage.inverse_spacing),
          halo_(stage.halo),
          blocks_(tree.size()),
          width_(width),
          there_(queue, tree, jumps, stage.halo),
          groups_(copied(queue, groups_of(jumps, width))) {}

    void add_to(PackStage& stage) {
        stage.refined = there_.refined.data(), stage.halos = there_.halos.data();
        stage.fluxes = there_.fluxes.data();
    }
    void before(const PackStage& stage) {
        if (there_.faces.size() == 0) return;  // all sub-grids have the same level
        device::team_for(queue_, "halos at jumps",
                         {there_.faces.size(), lanes, HalosAtJumps::scratch_bytes(shape_)},
                         HalosOfStage{there_.find_halos(shape_, halo_, stage.input), stage.clock});
    }
    void after(const PackStage& stage) {
        if (there_.coarse.size() == 0) return;
        const auto fluxes = there_.correct_fluxes(shape_, stage.output, 0, inverse_spacing_);
        device::parallel_for(
            queue_, "fluxes at jumps", there_.coarse.size() * fields * shape_.cells(),
            CorrectOfStage{fluxes, there_.coarse.data(), stage.clock, stage.weight});
        if (stage.ends == nullptr) return;
        device::team_for(
            queue_, "look at jumps", {groups_.size(), 32},
            LookAgain<Ideal>{shape_, gas_, inverse_spacing_, there_.refined.data(), stage.output,
                             groups_.data(), blocks_, width_, stage.clock, stage.ends});
    }

  private:
    static constexpr int lanes = 128;

    static std::vector<std::int64_t> groups_of(const Jumps& jumps, int width) {
        std::vector<std::int64_t> groups;
        for (const auto block : jumps.coarse)
            if (groups.empty() || groups.back() != block / width) groups.push_back(block / width);
        return groups;
    }

    device::Queue& queue_;
    const BlockShape shape_;
    const Ideal gas_;
    const std::array<double, 3> inverse_spacing_;
    const int halo_;
    const std::int64_t blocks_;
    const int width_;
    DeviceJumps there_;
    device::Buffer<std::int64_t> groups_;
};

/// One launch a stage over all sub-grids, whose fields stay on the device; steps are enqueued
/// without looking at how they went.
template <class Stages>
class Pack final : public Schedule {
  public:
    Pack(device::Queue& queue, const Tree& tree, const PackStage& stage, const Scheme& scheme)
        : queue_(queue),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          groups_(Stages::groups(tree.size())),
          stages_(scheme),
          stage_(stage) {
        for (auto& one : states_) one = {queue, fields * tree.cells()};
        clock_ = {queue, 1};
        ends_ = {queue, groups_};
        const auto jumps = jumps_of(tree);
        layers_ = copied(queue, layers_beyond(tree, jumps, stage_.halo));
        if (tree.has_levels() || !jumps.faces.empty())
            jumps_.emplace(queue, tree, jumps, stage, Stages::width);
    }

    void set(const std::vector<double>& conserved) override {
        device::copy_from_host(queue_, states_[current_].view(), conserved.data());
    }

    std::vector<double> get() override {
        std::vector<double> all(static_cast<std::size_t>(states_[current_].size()));
        device::copy_to_host(queue_, all.data(), states_[current_].view());
        return all;
    }

    device::View<double> state() override { return states_[current_].view(); }

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
        if (jumps_) jumps_->add_to(stage);
        auto from = start;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto to = output_of(start, k);
            stage.input = states_[from].data(), stage.output = states_[to].data();
            stage.weight = weights_[k];
            stage.ends = k + 1 == weights_.size() ? ends_.data() : nullptr;
            if (jumps_) jumps_->before(stage);
            stages_.launch(queue_, stage);
            if (jumps_) jumps_->after(stage);
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
    std::optional<JumpsOfPack> jumps_;
};

}  // namespace

std::unique_ptr<Schedule> make_pack(device::Queue& queue, const Tree& tree, double gamma,
                                    const Scheme& scheme, bool by_lanes) {
    PackStage stage;
    const Mesh& mesh = tree.mesh();
    stage.shape = mesh.shape(), stage.blocks = tree.size(), stage.gamma = gamma;
    stage.inverse_spacing = mesh.inverse_spacings();
    return with_leaves(scheme,
                       [&]<class Reconstruction, class Riemann>(
                           Reconstruction, Riemann) -> std::unique_ptr<Schedule> {
                           stage.halo = Reconstruction::halo;
                           if (by_lanes || queue.backend() != device::Backend::host)
                               return std::make_unique<Pack<ByLanes<Reconstruction, Riemann>>>(
                                   queue, tree, stage, scheme);
                           return std::make_unique<Pack<OnHost>>(queue, tree, stage, scheme);
                       });
}

}  // namespace aureole::amr
