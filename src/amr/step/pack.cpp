// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/step/careful.kernel.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/device_jumps.hpp"
#include "amr/step/jumps.kernel.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/pack_stage.hpp"
#include "amr/step/schedule.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

/// How stages are launched.
class Stages {
  public:
    virtual ~Stages() = default;
    virtual void launch(device::Queue& queue, const PackStage& stage) const = 0;
    /// Halo cells of faces at jumps.
    virtual void launch(device::Queue& queue, const HalosOfStage& find, std::int64_t faces) const {
        device::team_for(queue, "halos at jumps",
                         {faces, 128, HalosAtJumps::scratch_bytes(find.halos.shape)}, find);
    }
};

/// Stages on any device: a team of lanes for each sub-grid.
template <class Reconstruction, class Riemann>
class ByLanes final : public Stages {
  public:
    void launch(device::Queue& queue, const PackStage& stage) const override {
        using Kernel = StageByLanes<Reconstruction, Riemann, Ideal>;
        device::team_for(queue, "stage of fluids",
                         {stage.blocks, Kernel::most_lanes, Kernel::scratch_bytes(stage.shape)},
                         Kernel{stage});
    }
};

/// Stages on a host: groups of sub-grids, one in each lane of vectors.
class OnHost final : public Stages {
  public:
    explicit OnHost(const Scheme& scheme)
        : reconstruct_(kernels_.reconstruction(index_of_reconstruction(scheme.reconstruct))),
          fluxes_(kernels_.riemann(index_of_riemann(scheme.riemann))) {}

    void launch(device::Queue& queue, const PackStage& stage) const override {
        const auto work = [stage, kernel = kernels_.stage, reconstruct = reconstruct_,
                           fluxes = fluxes_](device::Team& team, std::int64_t group) {
            if (stage.clock->running)
                kernel(stage, reconstruct, fluxes, group, team.scratch<double>());
        };
        device::team_for(
            queue, "stage of fluids",
            {(stage.blocks + pack_width - 1) / pack_width, 1, pack_scratch_bytes(stage.shape)},
            work);
    }
    void launch(device::Queue& queue, const HalosOfStage& find, std::int64_t faces) const override {
        const auto work = [find, kernel = kernels_.halos](device::Team& team, std::int64_t face) {
            double* const patch = team.scratch<double>();
            if (!find.clock->running) return;
            std::fill_n(patch, pack_patch_bytes(find.halos.shape) / sizeof(double), 0.0);
            kernel(find.halos, face, patch);
        };
        device::team_for(queue, "halos at jumps", {faces, 1, pack_patch_bytes(find.halos.shape)},
                         work);
    }

  private:
    PackKernels kernels_ = pack_kernels();
    ReconstructLine reconstruct_;
    FluxLine fluxes_;
};

/// What the jumps of a mesh with levels need besides its stages.
class JumpsOfPack {
  public:
    JumpsOfPack(device::Queue& queue, const Tree& tree, const Jumps& jumps, const PackStage& stage)
        : queue_(queue),
          shape_(stage.shape),
          gas_{stage.gamma},
          inverse_spacing_(stage.inverse_spacing),
          halo_(stage.halo),
          there_(queue, tree, jumps, stage.halo),
          coarse_(copied(queue, blocks_of(jumps))) {}

    void add_to(PackStage& stage) {
        stage.refined = there_.refined.data(), stage.halos = there_.halos.data();
        stage.fluxes = there_.fluxes.data();
    }
    void before(const PackStage& stage, const Stages& stages) {
        if (there_.faces.size() == 0) return;  // all sub-grids have the same level
        const HalosOfStage find{there_.find_halos(shape_, halo_, stage.input), stage.clock};
        stages.launch(queue_, find, there_.faces.size());
    }
    void after(const PackStage& stage) {
        if (there_.to_finer.size() == 0) return;
        correct(stage, there_.to_finer.view());
        if (stage.ends == nullptr) return;
        device::team_for(queue_, "look at jumps", {coarse_.size(), 32},
                         LookAtCells<Ideal>{shape_, gas_, inverse_spacing_, there_.refined.data(),
                                            stage.output, stage.ends, coarse_.data(), stage.clock});
    }
    /// Gives cells at some faces the fluxes of finer ones beyond them.
    void correct(const PackStage& stage, device::View<std::int64_t> which) {
        const auto fluxes = there_.correct_fluxes(shape_, stage.output, 0, inverse_spacing_);
        device::parallel_for(queue_, "fluxes at jumps", which.size * CorrectFluxes::values(shape_),
                             CorrectOfStage{fluxes, which.data, stage.clock, stage.weight});
    }
    /// Finds which cells beyond faces have fluxes of first order.
    void flag_beyond(const std::uint8_t* careful, device::View<std::uint8_t> beyond) {
        device::parallel_for(queue_, "flags at jumps", beyond.size,
                             FlagsBeyondJumps{shape_, there_.faces.data(), there_.places.data(),
                                              careful, beyond.data});
    }

  private:
    /// Sub-grids with finer ones beyond a face.
    static std::vector<std::int64_t> blocks_of(const Jumps& jumps) {
        std::vector<std::int64_t> blocks;
        for (const auto face : jumps.to_finer) {
            const auto block = jumps.faces[static_cast<std::size_t>(face)].block;
            if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
        }
        return blocks;
    }

    device::Queue& queue_;
    const BlockShape shape_;
    const Ideal gas_;
    const std::array<double, 3> inverse_spacing_;
    const int halo_;
    DeviceJumps there_;
    device::Buffer<std::int64_t> coarse_;
};

/// Memory and tables of steps that are made again with care.
struct Care {
    Care(device::Queue& queue, const Tree& tree)
        : listed(queue, tree.size()),
          found(queue, tree.size()),
          floored(queue, tree.size()),
          careful(queue, tree.cells()),
          refined(copied(queue, refinements(tree))),
          jumps(jumps_of(tree)),
          layers(layers_beyond(tree, jumps, 1)) {
        careful_beyond = {queue, std::ssize(jumps.faces) * tree.mesh().shape().lines()};
        corrected = {queue, std::ssize(jumps.to_finer)};
    }
    /// The faces of sub-grids beyond which there are finer ones.
    std::vector<std::int64_t> to_finer(int dims, const std::vector<std::int64_t>& blocks) const {
        std::vector<std::int64_t> all;
        for (const auto block : blocks)
            for (int face = 0; face < 2 * dims; ++face) {
                const auto number =
                    jumps.of_block[static_cast<std::size_t>(block * 2 * dims + face)];
                if (number >= 0 && jumps.faces[static_cast<std::size_t>(number)].is_to_finer)
                    all.push_back(number);
            }
        return all;
    }
    /// Adds the sub-grids beyond a face of one.
    void add_beyond(int dims, std::int64_t block, int face, std::vector<std::int64_t>& to) const {
        const Layer& layer = layers[static_cast<std::size_t>(block * 2 * dims + face)];
        if (layer.jump < 0) {
            to.push_back(layer.block);
            return;
        }
        const JumpFace& jump = jumps.faces[static_cast<std::size_t>(layer.jump)];
        if (jump.is_fixed) return;
        if (jump.is_to_finer)
            to.insert(to.end(), jump.beyond.begin(), jump.beyond.begin() + (1 << (dims - 1)));
        else
            to.push_back(
                jumps.places[static_cast<std::size_t>(jump.beyond[0] + place_beyond(dims, jump, 0))]
                    .block);
    }

    device::Buffer<std::int64_t> listed, corrected;
    device::Buffer<BadCells> found;
    device::Buffer<int> floored;
    device::Buffer<std::uint8_t> careful, careful_beyond;
    device::Buffer<double> refined;
    const Jumps jumps;
    const std::vector<Layer> layers;
};

/// One launch a stage over all sub-grids, whose fields stay on the device; steps are enqueued
/// without looking at how they went.
class Pack final : public CarefulSchedule {
  public:
    Pack(device::Queue& queue, const Tree& tree, const PackStage& stage, const Scheme& scheme,
         std::unique_ptr<Stages> stages)
        : queue_(queue),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          stages_(std::move(stages)),
          stage_(stage) {
        for (auto& one : states_) one = {queue, fields * tree.cells()};
        clock_ = {queue, 1};
        ends_ = {queue, tree.size()};
        const auto jumps = jumps_of(tree);
        layers_ = copied(queue, layers_beyond(tree, jumps, stage_.halo));
        if (tree.has_levels() || !jumps.faces.empty()) jumps_.emplace(queue, tree, jumps, stage);
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
        for (auto k = first; k < clock.last_step; ++k) {
            at = enqueue_step(at, ends_.data(), [](const PackStage&) {});
            device::team_for(queue_, "clock of fluids", {1, 32},
                             TickClock{ends_.data(), stage_.blocks, clock_.data(), cfl_});
        }
        device::copy_to_host(queue_, &clock, clock_.view());
        for (auto k = first; k < clock.step; ++k) current_ = after_step(current_);
    }

    void step_with_care(const Tree& tree, Clock& clock, Repairs& repairs) override {
        if (!care_) care_.emplace(queue_, tree);
        clock.bad = {}, clock.running = true;
        device::copy_from_host(queue_, clock_.view(), &clock);
        Repairs more{.steps = 1};
        const auto to =
            enqueue_step(current_, nullptr, [&](const PackStage& stage) { repair(stage, more); });
        const Look end = look(states_[to].data());
        clock.bad = end.bad, clock.running = false;
        if (end.bad.block >= 0) return;
        current_ = to;
        clock.tick(end.rate);
        repairs += more;
    }

  private:
    std::size_t after_step(std::size_t start) const {
        return output_of(start, weights_.size() - 1);
    }

    /// Enqueues the stages of a step, each with what follows it; looks at the end where `ends` is
    /// not null.
    template <class F>
    std::size_t enqueue_step(std::size_t start, Look* ends, F after_stage) {
        auto stage = stage_;
        stage.base = states_[start].data(), stage.clock = clock_.data();
        stage.layers = layers_.data();
        if (jumps_) jumps_->add_to(stage);
        auto from = start;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto to = output_of(start, k);
            stage.input = states_[from].data(), stage.output = states_[to].data();
            stage.weight = weights_[k];
            stage.ends = k + 1 == weights_.size() ? ends : nullptr;
            if (jumps_) jumps_->before(stage, *stages_);
            stages_->launch(queue_, stage);
            if (jumps_) jumps_->after(stage);
            after_stage(stage);
            from = to;
        }
        return from;
    }

    /// Makes a stage again, with fluxes of first order around bad cells, until none turns bad any
    /// more; cells that stay bad get floors.
    void repair(PackStage stage, Repairs& repairs) {
        Care& care = *care_;
        const Ideal gas{stage.gamma};
        device::fill(queue_, care.careful.view(), 0);
        stage.careful = care.careful.data(), stage.careful_beyond = care.careful_beyond.data();
        stage.listed = care.listed.data();
        std::vector<std::int64_t> listed(static_cast<std::size_t>(stage.blocks));
        std::iota(listed.begin(), listed.end(), std::int64_t{0});
        bool has_stubborn = false;
        for (;;) {
            const auto count = put_list(care.listed, listed).size;
            device::team_for(queue_, "bad cells", {count, 32},
                             FlagBadCells<Ideal>{stage.shape, gas, stage.output, stage.listed,
                                                 care.careful.data(), care.found.data()});
            std::vector<BadCells> found(listed.size());
            device::copy_to_host(queue_, found.data(), device::View(care.found.data(), count));
            std::vector<std::int64_t> next;
            for (std::size_t k = 0; k < listed.size(); ++k) {
                has_stubborn = has_stubborn || found[k].stubborn > 0;
                if (found[k].fresh == 0) continue;
                repairs.cells += found[k].fresh;
                next.push_back(listed[k]);
                for (int face = 0; face < 2 * stage.shape.dims; ++face)
                    if ((found[k].faces >> face & 1) != 0)
                        care.add_beyond(stage.shape.dims, listed[k], face, next);
            }
            if (next.empty()) break;
            std::ranges::sort(next);
            next.erase(std::unique(next.begin(), next.end()), next.end());
            listed = std::move(next);
            make_again(stage, listed);
        }
        if (has_stubborn) repairs.floors += floor_cells(stage);
    }

    /// The stage of some sub-grids.
    void make_again(const PackStage& stage, const std::vector<std::int64_t>& blocks) {
        Care& care = *care_;
        if (jumps_) jumps_->flag_beyond(stage.careful, care.careful_beyond.view());
        auto again = stage;
        again.blocks = put_list(care.listed, blocks).size;
        stages_->launch(queue_, again);
        const auto corrected = care.to_finer(stage.shape.dims, blocks);
        if (!corrected.empty()) jumps_->correct(stage, put_list(care.corrected, corrected));
    }

    std::int64_t floor_cells(const PackStage& stage) {
        device::team_for(queue_, "floors", {stage.blocks, 32},
                         FloorCells<Ideal>{stage.shape, Ideal{stage.gamma}, stage.input,
                                           stage.output, care_->floored.data()});
        std::vector<int> floored(static_cast<std::size_t>(stage.blocks));
        device::copy_to_host(queue_, floored.data(), care_->floored.view());
        return std::accumulate(floored.begin(), floored.end(), std::int64_t{0});
    }

    Look look(const double* state) {
        Care& care = *care_;
        device::team_for(
            queue_, "look at cells", {stage_.blocks, 32},
            LookAtCells<Ideal>{stage_.shape, Ideal{stage_.gamma}, stage_.inverse_spacing,
                               care.refined.data(), state, ends_.data()});
        std::vector<Look> looks(static_cast<std::size_t>(stage_.blocks));
        device::copy_to_host(queue_, looks.data(), ends_.view());
        return std::accumulate(looks.begin(), looks.end(), Look(), joined);
    }

    /// Copies a list to the start of a buffer.
    device::View<std::int64_t> put_list(device::Buffer<std::int64_t>& to,
                                        const std::vector<std::int64_t>& list) {
        const device::View view(to.data(), std::ssize(list));
        device::copy_from_host(queue_, view, list.data());
        return view;
    }

    device::Queue& queue_;
    const double cfl_;
    const std::vector<double> weights_;
    const std::unique_ptr<Stages> stages_;
    const PackStage stage_;  ///< what is the same in all of them
    std::size_t current_ = 0;
    std::array<device::Buffer<double>, 3> states_;  ///< [block][field][cell]
    device::Buffer<Clock> clock_;
    device::Buffer<Look> ends_;
    device::Buffer<Layer> layers_;
    std::optional<JumpsOfPack> jumps_;
    std::optional<Care> care_;  ///< once a step was made again
};

}  // namespace

std::unique_ptr<CarefulSchedule> make_pack(device::Queue& queue, const Tree& tree, double gamma,
                                           const Scheme& scheme, bool by_lanes) {
    PackStage stage;
    const Mesh& mesh = tree.mesh();
    stage.shape = mesh.shape(), stage.blocks = tree.size(), stage.gamma = gamma;
    stage.inverse_spacing = mesh.inverse_spacings();
    const bool on_host = !by_lanes && queue.backend() == device::Backend::host;
    auto stages = with_leaves(scheme,
                              [&]<class Reconstruction, class Riemann>(
                                  Reconstruction, Riemann) -> std::unique_ptr<Stages> {
                                  stage.halo = Reconstruction::halo;
                                  if (on_host) return std::make_unique<OnHost>(scheme);
                                  return std::make_unique<ByLanes<Reconstruction, Riemann>>();
                              });
    return std::make_unique<Pack>(queue, tree, stage, scheme, std::move(stages));
}

}  // namespace aureole::amr
