// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <tuple>

#include "amr/hydro/leaves.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "amr/step/task_schedule.hpp"
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
template <class Reconstruction, class Riemann, class Gas>
struct StageItem {
    SubgridShape shape;
    Gas gas;
    std::array<double, 3> inverse_spacing;
    double dt, weight;

    template <class F>
    Kernel<F> kernel(const char* name, const F& f) const {
        return {name, F::items(shape), f};
    }
    auto kernels(const StageMemory& at, const double* base, const double* input,
                 double* output) const {
        return std::tuple(
            kernel("lines to primitive", LinesToPrimitive<Gas>{shape, gas, at.lines}),
            kernel("reconstruct",
                   ReconstructLines<Reconstruction>{shape, at.lines, at.low, at.high}),
            kernel("fluxes",
                   LineFluxes<Riemann, Gas>{shape, gas, at.lines, at.low, at.high, at.flux}),
            kernel("update",
                   UpdateCells{shape, base, input, at.flux, dt, weight, inverse_spacing, output}));
    }
};

/// Fields and halos on the host: a task gathers the halo; a copy up, five kernels and a copy down
/// (Daiß et al. 2023, section 4.1.2).
template <class Reconstruction, class Riemann, class Gas>
class Subgrids final : public TaskSchedule {
    using Item = StageItem<Reconstruction, Riemann, Gas>;

  public:
    Subgrids(device::Device& device, device::Queue& queue, const Mesh& mesh, const Gas& gas,
             const Scheme& scheme, const Launching& launching)
        : TaskSchedule(device, queue, mesh, Reconstruction::halo, scheme, launching,
                       device::Resource::pinned,
                       scratch_bytes({mesh.shape(), Reconstruction::halo})),
          gas_(gas),
          shape_{mesh.shape(), Reconstruction::halo},
          records_(queue, shape_.input_values() * mesh.blocks(), device::Resource::pinned) {}

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
        fill_record(block, stage, record.data);
        const Item item{shape_, gas_, mesh_.inverse_spacings(), stage.dt, stage.weight};
        const device::View<double> result{cells_of(stage.output, block), shape_.cells_values()};
        return submit_item([item, record, result](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            const device::View<double> input{at.rest, record.size},
                output{at.rest + record.size, result.size};
            return std::tuple_cat(
                std::tuple(
                    tasks::copy<double>(input, record),
                    item.kernel("gather lines", GatherLines{item.shape, input.data, at.lines})),
                item.kernels(at, input.data + item.shape.base(), input.data, output.data),
                std::tuple(tasks::copy<double>(result, output)));
        });
    }

    static std::int64_t scratch_bytes(const SubgridShape& shape) {
        return bytes_of(StageMemory::values(shape) + shape.input_values() + shape.cells_values());
    }

    void finish(std::int64_t block, const Stage& stage) override {
        if (stage.last)
            ends_[block] = look_at(gas_, cells_of(stage.output, 0), mesh_.shape(),
                                   mesh_.inverse_spacings(), block);
    }

    void look_at_end(std::size_t) override {}

    void fill_record(std::int64_t block, const Stage& stage, double* record) {
        const auto& box = shape_.block;
        std::copy_n(cells_of(stage.input, block), shape_.cells_values(), record);
        std::copy_n(cells_of(stage.base, block), shape_.cells_values(), record + shape_.base());
        for (int axis = 0; axis < box.dims; ++axis)
            for (int side = 0; side < 2; ++side)
                for (int depth = 0; depth < shape_.halo; ++depth) {
                    const Layer& layer =
                        layers_beyond_[layer_place(box.dims, halo_, block, axis, side, depth)];
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

    const Gas gas_;
    const SubgridShape shape_;
    device::Buffer<double> records_;  ///< of each sub-grid, see SubgridShape
};

/// Fields and halos on the device: a task launches five kernels, without copies.
template <class Reconstruction, class Riemann, class Gas>
class Aggregate final : public TaskSchedule {
    using Item = StageItem<Reconstruction, Riemann, Gas>;

  public:
    Aggregate(device::Device& device, device::Queue& queue, const Mesh& mesh, const Gas& gas,
              const Scheme& scheme, const Launching& launching)
        : TaskSchedule(device, queue, mesh, Reconstruction::halo, scheme, launching,
                       device::Resource::pool,
                       bytes_of(StageMemory::values({mesh.shape(), Reconstruction::halo}))),
          queue_(queue),
          gas_(gas),
          shape_{mesh.shape(), Reconstruction::halo},
          layers_(queue, static_cast<std::int64_t>(layers_beyond_.size())),
          ends_there_(queue, mesh.blocks()) {
        device::copy_from_host(queue, layers_.view(), layers_beyond_.data());
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
        const Item item{shape_, gas_, mesh_.inverse_spacings(), stage.dt, stage.weight};
        const double* const base = cells_of(stage.base, block);
        const double* const all = cells_of(stage.input, 0);
        const double* const here = cells_of(stage.input, block);
        double* const output = cells_of(stage.output, block);
        return submit_item([=, layers = layers_.data()](std::byte* scratch) {
            const StageMemory at(item.shape, scratch);
            const GatherFromFields gather{item.shape, block, all, layers, at.lines};
            return std::tuple_cat(std::tuple(item.kernel("gather lines", gather)),
                                  item.kernels(at, base, here, output));
        });
    }

    void finish(std::int64_t, const Stage&) override {}

    void look_at_end(std::size_t output) override {
        device::team_for(queue_, "look at cells", {mesh_.blocks(), 32},
                         LookAtCells<Gas>{mesh_.shape(), gas_, mesh_.inverse_spacings(),
                                          cells_of(output, 0), ends_there_.data()});
        device::copy_to_host(queue_, ends_.data(), ends_there_.view());
    }

    device::Queue& queue_;
    const Gas gas_;
    const SubgridShape shape_;
    device::Buffer<Layer> layers_;
    device::Buffer<Look> ends_there_;
};

template <template <class, class, class> class Way>
std::unique_ptr<Schedule> make(device::Device& device, device::Queue& queue, const Mesh& mesh,
                               double gamma, const Scheme& scheme, const Launching& launching) {
    return with_leaves(scheme,
                       [&]<class Reconstruction, class Riemann>(
                           Reconstruction, Riemann) -> std::unique_ptr<Schedule> {
                           return std::make_unique<Way<Reconstruction, Riemann, Ideal>>(
                               device, queue, mesh, Ideal{gamma}, scheme, launching);
                       });
}

}  // namespace

std::unique_ptr<Schedule> make_subgrids(device::Device& device, device::Queue& queue,
                                        const Mesh& mesh, double gamma, const Scheme& scheme,
                                        const Launching& launching) {
    return make<Subgrids>(device, queue, mesh, gamma, scheme, launching);
}

std::unique_ptr<Schedule> make_aggregate(device::Device& device, device::Queue& queue,
                                         const Mesh& mesh, double gamma, const Scheme& scheme,
                                         const Launching& launching) {
    return make<Aggregate>(device, queue, mesh, gamma, scheme, launching);
}

}  // namespace aureole::amr
