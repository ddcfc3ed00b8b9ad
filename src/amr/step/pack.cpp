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
#include "amr/step/jumps.kernel.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/pack_stage.hpp"
#include "amr/step/schedule.hpp"
#include "amr/step/tree_on_device.hpp"
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
            // Vectors of eight have room for more than the five fields of a cell.
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

/// Sub-grids with finer ones beyond a face.
std::vector<std::int64_t> beside_finer(const Jumps& jumps) {
    std::vector<std::int64_t> blocks;
    for (const auto face : jumps.to_finer) {
        const auto block = jumps.faces[static_cast<std::size_t>(face)].block;
        if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    }
    return blocks;
}

/// The faces of sub-grids beyond which there are finer ones.
std::vector<std::int64_t> faces_to_finer(const TreeOnDevice& on,
                                         const std::vector<std::int64_t>& blocks) {
    std::vector<std::int64_t> all;
    for (const auto block : blocks)
        for (int face = 0; face < 2 * on.shape.dims; ++face) {
            const auto jump = on.jump(block, face / 2, face % 2);
            if (jump >= 0 && on.jumps.faces[static_cast<std::size_t>(jump)].is_to_finer)
                all.push_back(jump);
        }
    return all;
}

/// Adds the sub-grids beyond a face of one.
void add_beyond(const TreeOnDevice& on, std::int64_t block, int face,
                std::vector<std::int64_t>& to) {
    const Layer& layer = on.layer(block, face / 2, face % 2, 0);
    if (layer.jump < 0) {
        to.push_back(layer.block);
        return;
    }
    const JumpFace& jump = on.jumps.faces[static_cast<std::size_t>(layer.jump)];
    const int dims = on.shape.dims;
    if (jump.is_fixed) return;
    if (jump.is_to_finer)
        to.insert(to.end(), jump.beyond.begin(), jump.beyond.begin() + (1 << (dims - 1)));
    else
        to.push_back(
            on.jumps.places[static_cast<std::size_t>(jump.beyond[0] + place_beyond(dims, jump, 0))]
                .block);
}

/// Memory of steps that are made again with care.
struct Care {
    Care(device::Queue& queue, const TreeOnDevice& on)
        : listed(queue, on.tree.size()),
          corrected(queue, on.to_finer.size()),
          found(queue, on.tree.size()),
          floored(queue, on.tree.size()),
          careful(queue, on.tree.cells()),
          careful_beyond(queue, on.faces.size() * on.shape.lines()) {}

    device::Buffer<std::int64_t> listed, corrected;
    device::Buffer<BadCells> found;
    device::Buffer<int> floored;
    device::Buffer<std::uint8_t> careful, careful_beyond;
};

/// One launch a stage over all sub-grids, whose fields stay on the device; steps are enqueued
/// without looking at how they went.
class Pack final : public CarefulSchedule {
  public:
    Pack(device::Queue& queue, TreeOnDevice& on, const PackStage& stage, const Scheme& scheme,
         std::unique_ptr<Stages> stages)
        : queue_(queue),
          on_(on),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          stages_(std::move(stages)),
          stage_(stage),
          states_(queue, fields * on.tree.cells(), device::Resource::pool),
          clock_(queue, 1),
          beside_finer_(copied(queue, beside_finer(on.jumps))) {}

    void set(const std::vector<double>& conserved) override {
        device::copy_from_host(queue_, states_.state().view(), conserved.data());
    }

    std::vector<double> get() override {
        std::vector<double> all(static_cast<std::size_t>(states_.state().size()));
        device::copy_to_host(queue_, all.data(), states_.state().view());
        return all;
    }

    device::View<double> state() override { return states_.state().view(); }
    device::Buffer<double> take() override { return std::move(states_.state()); }
    void put(device::Buffer<double> conserved) override { states_.put(std::move(conserved)); }

    void advance(Clock& clock) override {
        const auto first = clock.step;
        clock.plan(cfl_);
        device::copy_from_host(queue_, clock_.view(), &clock);
        auto at = states_.current;
        for (auto k = first; k < clock.last_step; ++k) {
            at = enqueue_step(at, on_.looks.data(), [](const PackStage&) {});
            device::team_for(queue_, "clock of fluids", {1, 32},
                             TickClock{on_.looks.data(), stage_.blocks, clock_.data(), cfl_});
        }
        device::copy_to_host(queue_, &clock, clock_.view());
        for (auto k = first; k < clock.step; ++k)
            states_.current = output_of(states_.current, weights_.size() - 1);
    }

    void step_with_care(Clock& clock, Repairs& repairs) override {
        if (!care_) care_.emplace(queue_, on_);
        clock.bad = {}, clock.running = true;
        device::copy_from_host(queue_, clock_.view(), &clock);
        Repairs more{.steps = 1};
        const auto to = enqueue_step(states_.current, nullptr,
                                     [&](const PackStage& stage) { repair(stage, more); });
        const auto looks = on_.look_at(queue_, gas(), states_[to].data());
        const Look end = std::accumulate(looks.begin(), looks.end(), Look(), joined);
        clock.bad = end.bad, clock.running = false;
        if (end.bad.block >= 0) return;
        states_.current = to;
        clock.tick(end.rate);
        repairs += more;
    }

  private:
    /// Enqueues the stages of a step, each with what follows it; looks at the end where `ends` is
    /// not null.
    template <class F>
    std::size_t enqueue_step(std::size_t start, Look* ends, F after_stage) {
        auto stage = stage_;
        stage.base = states_[start].data(), stage.clock = clock_.data();
        auto from = start;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto to = output_of(start, k);
            stage.input = states_[from].data(), stage.output = states_[to].data();
            stage.weight = weights_[k];
            stage.ends = k + 1 == weights_.size() ? ends : nullptr;
            if (on_.faces.size() > 0)
                stages_->launch(queue_, HalosOfStage{on_.find_halos(stage.input), stage.clock},
                                on_.faces.size());
            stages_->launch(queue_, stage);
            correct(stage, on_.to_finer.view());
            if (stage.ends != nullptr) look_beside_finer(stage);
            after_stage(stage);
            from = to;
        }
        return from;
    }

    /// Gives cells at some faces the fluxes of finer ones beyond them.
    void correct(const PackStage& stage, device::View<std::int64_t> faces) {
        if (faces.size == 0) return;
        device::parallel_for(queue_, "fluxes at jumps",
                             faces.size * CorrectFluxes::values(stage.shape),
                             CorrectOfStage{on_.correct_fluxes(stage.output, 0), faces.data,
                                            stage.clock, stage.weight});
    }
    /// Looks again at sub-grids that have been corrected.
    void look_beside_finer(const PackStage& stage) {
        if (beside_finer_.size() == 0) return;
        device::team_for(
            queue_, "look at jumps", {beside_finer_.size(), 32},
            LookAtCells<Ideal>{stage.shape, gas(), stage.inverse_spacing, on_.refined.data(),
                               stage.output, stage.ends, beside_finer_.data(), stage.clock});
    }

    /// Makes a stage again, with fluxes of first order around bad cells, until none turns bad any
    /// more; cells that stay bad get floors.
    void repair(PackStage stage, Repairs& repairs) {
        Care& care = *care_;
        device::fill(queue_, care.careful.view(), 0);
        stage.careful = care.careful.data(), stage.careful_beyond = care.careful_beyond.data();
        stage.listed = care.listed.data();
        std::vector<std::int64_t> listed(static_cast<std::size_t>(stage.blocks));
        std::iota(listed.begin(), listed.end(), std::int64_t{0});
        bool has_stubborn = false;
        for (;;) {
            const auto count = put_list(care.listed, listed).size;
            device::team_for(queue_, "bad cells", {count, 32},
                             FlagBadCells<Ideal>{stage.shape, gas(), stage.output, stage.listed,
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
                    if ((found[k].faces >> face & 1) != 0) add_beyond(on_, listed[k], face, next);
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
        // Which cells beyond faces have fluxes of first order.
        if (care.careful_beyond.size() > 0)
            device::parallel_for(queue_, "flags at jumps", care.careful_beyond.size(),
                                 FlagsBeyondJumps{stage.shape, on_.faces.data(), on_.places.data(),
                                                  stage.careful, care.careful_beyond.data()});
        auto again = stage;
        again.blocks = put_list(care.listed, blocks).size;
        stages_->launch(queue_, again);
        correct(stage, put_list(care.corrected, faces_to_finer(on_, blocks)));
    }

    std::int64_t floor_cells(const PackStage& stage) {
        device::team_for(queue_, "floors", {stage.blocks, 32},
                         FloorCells<Ideal>{stage.shape, gas(), stage.input, stage.output,
                                           care_->floored.data()});
        std::vector<int> floored(static_cast<std::size_t>(stage.blocks));
        device::copy_to_host(queue_, floored.data(), care_->floored.view());
        return std::accumulate(floored.begin(), floored.end(), std::int64_t{0});
    }

    /// Copies a list to the start of a buffer.
    device::View<std::int64_t> put_list(device::Buffer<std::int64_t>& to,
                                        const std::vector<std::int64_t>& list) {
        const device::View view(to.data(), std::ssize(list));
        if (!list.empty()) device::copy_from_host(queue_, view, list.data());
        return view;
    }

    Ideal gas() const { return {stage_.gamma}; }

    device::Queue& queue_;
    TreeOnDevice& on_;
    const double cfl_;
    const std::vector<double> weights_;
    const std::unique_ptr<Stages> stages_;
    const PackStage stage_;  ///< what is the same in all of them
    Copies states_;
    device::Buffer<Clock> clock_;
    device::Buffer<std::int64_t> beside_finer_;  ///< their ends are looked at after corrections
    std::optional<Care> care_;                   ///< once a step was made again
};

}  // namespace

std::unique_ptr<CarefulSchedule> make_pack(device::Queue& queue, TreeOnDevice& on, double gamma,
                                           const Scheme& scheme, bool by_lanes) {
    PackStage stage;
    stage.shape = on.shape, stage.halo = on.halo, stage.blocks = on.tree.size();
    stage.gamma = gamma, stage.inverse_spacing = on.tree.mesh().inverse_spacings();
    stage.layers = on.layers_there.data();
    if (on.tree.has_levels() || on.faces.size() > 0)
        stage.refined = on.refined.data(), stage.halos = on.halos.data(),
        stage.fluxes = on.fluxes.data();
    const bool on_host = !by_lanes && queue.backend() == device::Backend::host;
    auto stages = with_leaves(scheme,
                              [&]<class Reconstruction, class Riemann>(
                                  Reconstruction, Riemann) -> std::unique_ptr<Stages> {
                                  if (on_host) return std::make_unique<OnHost>(scheme);
                                  return std::make_unique<ByLanes<Reconstruction, Riemann>>();
                              });
    return std::make_unique<Pack>(queue, on, stage, scheme, std::move(stages));
}

}  // namespace aureole::amr
