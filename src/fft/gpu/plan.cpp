// SPDX-License-Identifier: Apache-2.0
#include "fft/gpu/library.hpp"

#include "core/error.hpp"
#include "device/launch.hpp"
#include "fft/filter.kernel.hpp"
#include "fft/vendor_plan.hpp"

namespace aureole::fft {

namespace {

void check(vendor::Result result, const char* what) {
    if (result == vendor::success) return;
    throw core::DeviceError(std::string(what) + " failed on the GPU",
                            vendor::name + (" error " + std::to_string(static_cast<int>(result))),
                            "Run `aureole doctor`, or choose device \"host\".");
}

template <class T>
class GpuPlan final : public Plan3<T> {
    static constexpr bool single = sizeof(T) == sizeof(float);

  public:
    GpuPlan(device::Queue& queue, GridSize n)
        : modes_(queue, std::int64_t{n.x} * n.y * (n.z / 2 + 1)) {
        this->real_ = {n, std::int64_t{n.y} * n.z};
        this->spectrum_ = {n, 0};
        check(library_.plan3d(&forward_, n.x, n.y, n.z, single ? vendor::r2c : vendor::d2z),
              "planning a transform");
        check(library_.plan3d(&backward_, n.x, n.y, n.z, single ? vendor::c2r : vendor::z2d),
              "planning a transform");
    }
    ~GpuPlan() override {
        library_.destroy(forward_);
        library_.destroy(backward_);
    }
    GpuPlan(const GpuPlan&) = delete;
    GpuPlan& operator=(const GpuPlan&) = delete;

    void forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) override {
        use(forward_, queue);
        if constexpr (single)
            check(library_.r2c(forward_, grid.data, vendor::modes(to.data)), "a transform");
        else
            check(library_.d2z(forward_, grid.data, vendor::modes(to.data)), "a transform");
    }
    void backward(device::Queue& queue, device::View<Complex<T>> from,
                  device::View<T> grid) override {
        use(backward_, queue);
        if constexpr (single)
            check(library_.c2r(backward_, vendor::modes(from.data), grid.data), "a transform");
        else
            check(library_.z2d(backward_, vendor::modes(from.data), grid.data), "a transform");
    }
    void filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                device::View<T> power) override {
        forward(queue, grid, modes_.view());
        device::parallel_for(queue, "filter", modes_.size(),
                             MultiplyMode<T>{modes_.data(), factor.data, power.data});
        backward(queue, modes_.view(), grid);
    }

  private:
    void use(vendor::Plan plan, device::Queue& queue) const {
        check(library_.set_stream(plan, static_cast<vendor::Stream>(queue.state().native())),
              "choosing a transform's stream");
    }

    const vendor::Library& library_ = vendor::Library::get();
    vendor::Plan forward_{}, backward_{};
    device::Buffer<Complex<T>> modes_;
};

}  // namespace

template <class T>
std::unique_ptr<Plan3<T>> make_gpu_plan(device::Queue& queue, GridSize n) {
    queue.state().native();  // makes the queue's device the calling thread's
    return std::make_unique<GpuPlan<T>>(queue, n);
}

template std::unique_ptr<Plan3<float>> make_gpu_plan(device::Queue&, GridSize);
template std::unique_ptr<Plan3<double>> make_gpu_plan(device::Queue&, GridSize);

}  // namespace aureole::fft
