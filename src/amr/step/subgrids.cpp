// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <tuple>

#include "amr/hydro/leaves.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "amr/step/task_schedule.hpp"
#include "amr/step/tree_on_device.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

using tasks::Kernel;

/// Memory of the kernels of a stage of a sub-grid: parts of an executor's scratch memory.
struct StageMemory {
    StageMemory(const SubgridShape& shape, std::byte* scratch)
        : lines(reinterpret_cast<double*>(scratch)),
          low(lines + shape.line_values(shape.length())),
          high(low + shape.line_values(edge + 2)),
          flux(high + shape.line_values(edge + 2)),
          rest(flux + shape.line_values(edge + 1)) {}
    static std::int64_t values(const SubgridShape& shape) {
        return shape.line_values(shape.length()) + 2 * shape.line_values(edge + 2) +
               shape.line_values(edge + 1);
    }
    double *lines, *low, *high, *flux, *rest;
};

constexpr std::int64_t bytes_of(std::int64_t values) {
    return values * static_cast<std::int64_t>(sizeof(double));
}

/// Kernels of a stage of a sub-grid after its lines are gathered.
struct StageItem {
    SubgridShape shape;
    Ideal gas;
    int reconstruction, riemann;  ///< places of leaves
    std::array<double, 3> inverse_spacing{};
    double dt = 0, weight = 0;

    /// For a sub-grid.
    StageItem of(const std::array<double, 3>& inverse, double length, double part) const {
        auto item = *this;
        item.inverse_spacing = inverse, item.dt = length, item.weight = part;
        return item;
    }
    template <class F>
    Kernel<F> kernel(const char* name, const F& f) const {
        return {name, F::items(shape), f};
    }
    auto kernels(const StageMemory& at, const double* base, const double* input,
                 double* output) const {
        return std::tuple(
            kernel("lines to primitive", LinesToPrimitive<Ideal>{shape, gas, at.lines}),
            kernel("reconstruct",
                   ReconstructLines{shape, reconstruction, at.lines, at.low, at.high}),
            kernel("fluxes",
                   LineFluxes<Ideal>{shape, riemann, gas, at.lines, at.low, at.high, at.flux}),
            kernel("update",
                   UpdateCells{shape, base, input, at.flux, dt, weight, inverse_spacing, output}));
    }
};

StageItem item_of(const Scheme& scheme, const SubgridShape& shape, const Ideal& gas) {
    return {shape, gas, index_of_reconstruction(scheme.reconstruct),
            index_of_riemann(scheme.riemann)};
}

/// Memory for the patches of as many faces as a sub-grid has, if the mesh has jumps.
std::int64_t patch_values(const TreeOnDevice& on) {
    return on.faces.size() > 0 ? 2 * on.shape.dims * FillPatches::values({on.shape, on.halo}) : 0;
}

/// Fields and halos on the host: a task gathers the halo; a copy up, five kernels and a copy down
/// (Daiß et al. 2023, section 4.1.2).
class Subgrids final : public TaskSchedule {
  public:
    Subgrids(device::Device& device, device::Queue& queue, TreeOnDevice& on, const Ideal& gas,
             const Scheme& scheme, const Launching& launching)
        : TaskSchedule(device, queue, on, scheme, launching, device::Resource::pinned,
                       scratch_bytes({on.shape, on.halo})),
          gas_(gas),
          shape_{on.shape, on.halo},
          item_(item_of(scheme, shape_, gas)),
          records_(queue, shape_.input_values() * blocks_, device::Resource::pinned),
          beyond_(states_beyond(on.tree.mesh())),
          refined_(refinements(on.tree)),
          halos_(on.jumps.faces.size() * HalosAtJumps::values(shape_.block, shape_.halo)),
          patches_(on.jumps.faces.size() * static_cast<std::size_t>(FillPatches::values(shape_))),
          fluxes_(queue, std::ssize(on.jumps.faces) * CorrectFluxes::values(shape_.block),
                  device::Resource::pinned) {
        queue.synchronize();  // executors have queues of their own
    }

    void set(const std::vector<double>& conserved) override {
        std::copy(conserved.begin(), conserved.end(), current().data());
    }
    std::vector<double> get() override {
        const auto all = current().view();
        return {all.begin(), all.end()};
    }

  private:
    tasks::Future submit(std::int64_t block, const Stage& stage) override {
        const auto record =
            records_.view().part(block * shape_.input_values(), shape_.input_values());
        find_halos(block, stage);
        fill_record(block, stage, record.data);
        const StageItem item = item_.of(inverse_spacings(block), stage.dt, stage.weight);
        const device::View<double> result{cells_of(stage.output, block), shape_.cells_values()};
        const auto parts = [item, record, result](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            const device::View<double> input{at.rest, record.size},
                output{at.rest + record.size, result.size};
            return std::tuple_cat(
                std::tuple(
                    tasks::copy<double>(input, record),
                    item.kernel("gather lines", GatherLines{item.shape, input.data, at.lines})),
                item.kernels(at, input.data + item.shape.base(), input.data, output.data),
                std::tuple(tasks::copy<double>(result, output)));
        };
        const auto [first, faces] = jumps_at(block);
        if (faces == 0) return submit_item(parts);
        const auto each = CorrectFluxes::values(shape_.block);
        const auto kept = fluxes_.view().part(first * each, faces * each);
        const auto which = on_.faces.data();
        return submit_item([item, parts, kept, which, first](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            // The sub-grid's record is no longer needed.
            const device::View<double> fluxes{at.rest, kept.size};
            return std::tuple_cat(
                parts(scratch),
                std::tuple(
                    Kernel<KeepFluxes>{
                        "keep fluxes", kept.size, {item.shape, which, first, at.flux, fluxes.data}},
                    tasks::copy<double>(kept, fluxes)));
        });
    }

    static std::int64_t scratch_bytes(const SubgridShape& shape) {
        return bytes_of(StageMemory::values(shape) + shape.input_values() + shape.cells_values());
    }

    void finish(std::int64_t block, const Stage& stage) override {
        if (stage.last)
            ends_[block] =
                look_at(gas_, cells_of(stage.output, 0), on_.shape,
                        on_.tree.mesh().inverse_spacings(), block, on_.tree.refinement(block));
    }

    tasks::Future correct(std::int64_t block, const Stage& stage) override {
        const CorrectFluxes fluxes{shape_.block,
                                   on_.jumps.of_block.data(),
                                   on_.jumps.faces.data(),
                                   fluxes_.data(),
                                   cells_of(stage.output, 0),
                                   stage.weight * stage.dt,
                                   on_.tree.mesh().inverse_spacings(),
                                   refined_.data()};
        const auto [first, faces] = jumps_at(block);
        for (auto face = first; face < first + faces; ++face)
            for (int i = 0; i < CorrectFluxes::values(shape_.block); ++i)
                if (on_.jumps.faces[static_cast<std::size_t>(face)].is_to_finer)
                    fluxes.correct(face, i);
        finish(block, stage);
        return {};
    }

    /// Halo cells of the faces at jumps of a sub-grid.
    void find_halos(std::int64_t block, const Stage& stage) {
        const auto [first, faces] = jumps_at(block);
        const HalosAtJumps find{shape_.block,           shape_.halo,
                                on_.jumps.faces.data(), on_.jumps.places.data(),
                                beyond_.data(),         cells_of(stage.input, 0),
                                halos_.data()};
        for (auto face = first; face < first + faces; ++face) {
            double* const patch = patches_.data() + face * FillPatches::values(shape_);
            find.fill(face, 0, 1, patch);
            find.put(face, 0, 1, patch);
        }
    }

    void look_at_end(std::size_t) override {}

    void fill_record(std::int64_t block, const Stage& stage, double* record) {
        const auto& box = shape_.block;
        std::copy_n(cells_of(stage.input, block), shape_.cells_values(), record);
        std::copy_n(cells_of(stage.base, block), shape_.cells_values(), record + shape_.base());
        for (int axis = 0; axis < box.dims; ++axis)
            for (int side = 0; side < 2; ++side)
                for (int depth = 0; depth < shape_.halo; ++depth) {
                    const Layer& layer = on_.layer(block, axis, side, depth);
                    if (layer.jump >= 0) {
                        take_halos(layer.jump, axis, side, depth, record);
                        continue;
                    }
                    const double* const source =
                        cells_of(stage.input, layer.block) + layer.layer * box.stride(axis);
                    for (int f = 0; f < fields; ++f) {
                        const double sign = layer.mirrored && f == 1 + axis ? -1 : 1;
                        double* const place = record + shape_.layer(axis, side, f, 0) + depth;
                        for (int line = 0; line < box.lines(); ++line)
                            place[line * shape_.halo] =
                                sign * source[f * box.cells() + box.line_start(axis, line)];
                    }
                }
    }

    void take_halos(std::int64_t jump, int axis, int side, int depth, double* record) const {
        const auto& box = shape_.block;
        for (int f = 0; f < fields; ++f)
            for (int line = 0; line < box.lines(); ++line)
                record[shape_.layer(axis, side, f, 0) + depth + line * shape_.halo] =
                    halos_[static_cast<std::size_t>(
                        ((jump * fields + f) * box.lines() + line) * shape_.halo + depth)];
    }

    const Ideal gas_;
    const SubgridShape shape_;
    const StageItem item_;
    device::Buffer<double> records_;              ///< of each sub-grid, see SubgridShape
    const std::vector<double> beyond_, refined_;  ///< states_beyond(), refinements()
    std::vector<double> halos_, patches_;         ///< of faces at jumps
    device::Buffer<double> fluxes_;               ///< likewise
};

/// Fields and halos on the device: a task launches five kernels, without copies.
class Aggregate final : public TaskSchedule {
  public:
    Aggregate(device::Device& device, device::Queue& queue, TreeOnDevice& on, const Ideal& gas,
              const Scheme& scheme, const Launching& launching)
        : TaskSchedule(device, queue, on, scheme, launching, device::Resource::pool,
                       bytes_of(StageMemory::values({on.shape, on.halo}) + patch_values(on))),
          queue_(queue),
          gas_(gas),
          shape_{on.shape, on.halo},
          item_(item_of(scheme, shape_, gas)) {
        queue.synchronize();  // executors have queues of their own
    }

    void set(const std::vector<double>& conserved) override {
        device::copy_from_host(queue_, current().view(), conserved.data());
        queue_.synchronize();
    }
    std::vector<double> get() override {
        std::vector<double> all(static_cast<std::size_t>(current().size()));
        device::copy_to_host(queue_, all.data(), current().view());
        return all;
    }

  private:
    tasks::Future submit(std::int64_t block, const Stage& stage) override {
        const StageItem item = item_.of(inverse_spacings(block), stage.dt, stage.weight);
        const double* const base = cells_of(stage.base, block);
        const double* const all = cells_of(stage.input, 0);
        const double* const here = cells_of(stage.input, block);
        double* const output = cells_of(stage.output, block);
        const auto parts = [=, layers = on_.layers_there.data(),
                            halos = on_.halos.data()](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            const GatherFromFields gather{item.shape, block, all, layers, halos, at.lines};
            return std::tuple_cat(std::tuple(item.kernel("gather lines", gather)),
                                  item.kernels(at, base, here, output));
        };
        const auto [first, faces] = jumps_at(block);
        if (faces == 0) return submit_item(parts);
        const auto find = on_.find_halos(all);
        const auto each = CorrectFluxes::values(shape_.block);
        double* const kept = on_.fluxes.data() + first * each;
        return submit_item([item, parts, find, kept, each, first, faces](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            return std::tuple_cat(
                std::tuple(Kernel<FillPatches>{"fill patches",
                                               faces * FillPatches::items(item.shape),
                                               {find, first, at.rest}},
                           Kernel<PutHalos>{"halos at jumps",
                                            faces * PutHalos::items(item.shape),
                                            {find, first, at.rest}}),
                parts(scratch),
                std::tuple(Kernel<KeepFluxes>{
                    "keep fluxes", faces * each, {item.shape, find.faces, first, at.flux, kept}}));
        });
    }

    void finish(std::int64_t, const Stage&) override {}

    tasks::Future correct(std::int64_t block, const Stage& stage) override {
        const auto [first, faces] = jumps_at(block);
        const CorrectCells correct{
            on_.correct_fluxes(cells_of(stage.output, 0), stage.weight * stage.dt), first};
        const auto values = faces * CorrectFluxes::values(shape_.block);
        return submit_item([correct, values](std::byte*) {
            return std::tuple(Kernel<CorrectCells>{"fluxes at jumps", values, correct});
        });
    }

    void look_at_end(std::size_t output) override {
        ends_ = on_.look_at(queue_, gas_, cells_of(output, 0));
    }

    device::Queue& queue_;
    const Ideal gas_;
    const SubgridShape shape_;
    const StageItem item_;
};

}  // namespace

std::unique_ptr<Schedule> make_subgrids(device::Device& device, device::Queue& queue,
                                        TreeOnDevice& on, double gamma, const Scheme& scheme,
                                        const Launching& launching) {
    return std::make_unique<Subgrids>(device, queue, on, Ideal{gamma}, scheme, launching);
}

std::unique_ptr<Schedule> make_aggregate(device::Device& device, device::Queue& queue,
                                         TreeOnDevice& on, double gamma, const Scheme& scheme,
                                         const Launching& launching) {
    return std::make_unique<Aggregate>(device, queue, on, Ideal{gamma}, scheme, launching);
}

}  // namespace aureole::amr
