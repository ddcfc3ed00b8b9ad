// SPDX-License-Identifier: Apache-2.0
#include <cufft.h>

#include <string>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "fft/filter.kernel.hpp"
#include "fft/vendor_plan.hpp"

namespace aureole::fft {

namespace {

void check(cufftResult result, const char* what) {
    if (result == CUFFT_SUCCESS) return;
    throw core::DeviceError(std::string(what) + " failed on the GPU",
                            "cuFFT's error " + std::to_string(static_cast<int>(result)),
                            "Run `aureole doctor`, or choose device \"host\".");
}

template <class T>
class CufftPlan final : public Plan3<T> {
    static constexpr bool single = sizeof(T) == sizeof(float);

  public:
    CufftPlan(device::Queue& queue, GridSize n)
        : modes_(queue, std::int64_t{n.x} * n.y * (n.z / 2 + 1)) {
        this->real_ = {n, std::int64_t{n.y} * n.z};
        this->spectrum_ = {n, 0};
        check(cufftPlan3d(&forward_, n.x, n.y, n.z, single ? CUFFT_R2C : CUFFT_D2Z), "cufftPlan3d");
        check(cufftPlan3d(&backward_, n.x, n.y, n.z, single ? CUFFT_C2R : CUFFT_Z2D),
              "cufftPlan3d");
    }
    ~CufftPlan() override {
        cufftDestroy(forward_);
        cufftDestroy(backward_);
    }
    CufftPlan(const CufftPlan&) = delete;
    CufftPlan& operator=(const CufftPlan&) = delete;

    void forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) override {
        use(forward_, queue);
        if constexpr (single)
            check(cufftExecR2C(forward_, grid.data, reinterpret_cast<cufftComplex*>(to.data)),
                  "cufftExecR2C");
        else
            check(cufftExecD2Z(forward_, grid.data, reinterpret_cast<cufftDoubleComplex*>(to.data)),
                  "cufftExecD2Z");
    }
    void backward(device::Queue& queue, device::View<Complex<T>> from,
                  device::View<T> grid) override {
        use(backward_, queue);
        if constexpr (single)
            check(cufftExecC2R(backward_, reinterpret_cast<cufftComplex*>(from.data), grid.data),
                  "cufftExecC2R");
        else
            check(cufftExecZ2D(backward_, reinterpret_cast<cufftDoubleComplex*>(from.data),
                               grid.data),
                  "cufftExecZ2D");
    }
    void filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                device::View<T> power) override {
        forward(queue, grid, modes_.view());
        device::parallel_for(queue, "filter", modes_.size(),
                             MultiplyMode<T>{modes_.data(), factor.data, power.data});
        backward(queue, modes_.view(), grid);
    }

  private:
    static void use(cufftHandle plan, device::Queue& queue) {
        check(cufftSetStream(plan, static_cast<cudaStream_t>(queue.state().native())),
              "cufftSetStream");
    }

    cufftHandle forward_ = 0, backward_ = 0;
    device::Buffer<Complex<T>> modes_;
};

}  // namespace

template <class T>
std::unique_ptr<Plan3<T>> make_cufft_plan(device::Queue& queue, GridSize n) {
    queue.state().native();  // makes the queue's device the calling thread's
    return std::make_unique<CufftPlan<T>>(queue, n);
}

template std::unique_ptr<Plan3<float>> make_cufft_plan(device::Queue&, GridSize);
template std::unique_ptr<Plan3<double>> make_cufft_plan(device::Queue&, GridSize);

}  // namespace aureole::fft
