// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "amr/hydro/leaves.hpp"
#include "amr/step/look.hpp"
#include "amr/step/schedule.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

/// Fields and halos on the host; each sub-grid and stage is one copy up, five kernels and one copy
/// down that is waited for (Daiß et al. 2023, section 4.1.2, without its futures).
template <class Reconstruction, class Riemann, class Gas>
class Subgrids final : public Schedule {
  public:
    Subgrids(device::Queue& queue, const Mesh& mesh, const Gas& gas, const Scheme& scheme)
        : queue_(queue),
          mesh_(mesh),
          gas_(gas),
          cfl_(scheme.cfl),
          weights_(weights(scheme.stages)),
          shape_{mesh.shape(), Reconstruction::halo} {
        const auto values = static_cast<std::size_t>(fields * mesh.cells());
        for (auto* all : {&state_, &first_, &second_}) all->resize(values);
        record_.resize(static_cast<std::size_t>(shape_.input_values()));
        input_ = {queue, shape_.input_values()};
        lines_ = {queue, shape_.line_values(shape_.length())};
        low_ = {queue, shape_.line_values(edge + 2)};
        high_ = {queue, shape_.line_values(edge + 2)};
        flux_ = {queue, shape_.line_values(edge + 1)};
        output_ = {queue, shape_.cells_values()};
    }

    void set(const std::vector<double>& conserved) override { state_ = conserved; }
    std::vector<double> get() override { return state_; }

    void advance(Clock& clock) override {
        for (clock.plan(cfl_); clock.running; clock.plan(cfl_)) {
            const auto& made = make_step(clock.next_dt);
            const auto [rate, bad] = look_at(mesh_, gas_, made.data());
            clock.bad = bad;
            if (bad.block >= 0) continue;
            state_.swap(&made == &first_ ? first_ : second_);
            clock.tick(rate);
        }
    }

  private:
    double* cells_of(std::vector<double>& of, std::int64_t block) const {
        return of.data() + block * shape_.cells_values();
    }
    const double* cells_of(const std::vector<double>& of, std::int64_t block) const {
        return of.data() + block * shape_.cells_values();
    }

    const std::vector<double>& make_step(double dt) {
        const std::vector<double>* from = &state_;
        auto *to = &first_, *other = &second_;
        for (const double weight : weights_) {
            for (std::int64_t block = 0; block < mesh_.blocks(); ++block)
                make_stage(block, *from, *to, dt, weight);
            from = to;
            std::swap(to, other);
        }
        return *from;
    }

    void make_stage(std::int64_t block, const std::vector<double>& from, std::vector<double>& to,
                    double dt, double weight) {
        fill_record(block, from);
        device::copy_from_host(queue_, input_.view(), record_.data());
        launch("gather lines", GatherLines{shape_, input_.data(), lines_.data()});
        launch("lines to primitive", LinesToPrimitive<Gas>{shape_, gas_, lines_.data()});
        launch("reconstruct",
               ReconstructLines<Reconstruction>{shape_, lines_.data(), low_.data(), high_.data()});
        launch("fluxes", LineFluxes<Riemann, Gas>{shape_, gas_, lines_.data(), low_.data(),
                                                  high_.data(), flux_.data()});
        launch("update", UpdateCells{shape_, input_.data(), flux_.data(), dt, weight,
                                     mesh_.inverse_spacings(), output_.data()});
        device::copy_to_host(queue_, cells_of(to, block), output_.view());
    }

    template <class Kernel>
    void launch(const char* name, const Kernel& kernel) {
        device::parallel_for(queue_, name, Kernel::items(shape_), kernel);
    }

    void fill_record(std::int64_t block, const std::vector<double>& from) {
        const auto& box = shape_.block;
        const auto cells = static_cast<std::size_t>(shape_.cells_values());
        std::copy_n(cells_of(from, block), cells, record_.data());
        std::copy_n(cells_of(state_, block), cells, record_.data() + shape_.base());
        for (int axis = 0; axis < box.dims; ++axis)
            for (int side = 0; side < 2; ++side)
                for (int depth = 0; depth < shape_.halo; ++depth) {
                    const auto layer = layer_beyond(mesh_, block, axis, side == 1, depth + 1);
                    const double* const source =
                        cells_of(from, layer.block) + layer.layer * box.stride(axis);
                    for (int f = 0; f < fields; ++f) {
                        const double sign = layer.mirrored && f == 1 + axis ? -1 : 1;
                        double* const place =
                            record_.data() + shape_.layer(axis, side, f, 0) + depth;
                        for (int line = 0; line < box.lines(); ++line)
                            place[line * shape_.halo] =
                                sign * source[f * box.cells() + box.line_start(axis, line)];
                    }
                }
    }

    device::Queue& queue_;
    const Mesh mesh_;
    const Gas gas_;
    const double cfl_;
    const std::vector<double> weights_;
    const SubgridShape shape_;
    std::vector<double> state_, first_, second_;  ///< [block][field][cell]
    std::vector<double> record_;                  ///< see SubgridShape
    device::Buffer<double> input_, lines_, low_, high_, flux_, output_;
};

}  // namespace

std::unique_ptr<Schedule> make_subgrids(device::Queue& queue, const Mesh& mesh, double gamma,
                                        const Scheme& scheme) {
    return with_leaves(scheme,
                       [&]<class Reconstruction, class Riemann>(
                           Reconstruction, Riemann) -> std::unique_ptr<Schedule> {
                           using All = Subgrids<Reconstruction, Riemann, Ideal>;
                           return std::make_unique<All>(queue, mesh, Ideal{gamma}, scheme);
                       });
}

}  // namespace aureole::amr
