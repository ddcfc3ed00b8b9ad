// SPDX-License-Identifier: Apache-2.0
#include <cufft.h>

#include <string>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "device/processor/shared_library.hpp"
#include "fft/filter.kernel.hpp"
#include "fft/vendor_plan.hpp"

namespace aureole::fft {

namespace {

/// cuFFT, opened when the first plan is made: what does not use a mesh runs without it.
struct Cufft {
    decltype(cufftPlan3d)* plan3d = nullptr;
    decltype(cufftDestroy)* destroy = nullptr;
    decltype(cufftSetStream)* set_stream = nullptr;
    decltype(cufftExecR2C)* r2c = nullptr;
    decltype(cufftExecC2R)* c2r = nullptr;
    decltype(cufftExecD2Z)* d2z = nullptr;
    decltype(cufftExecZ2D)* z2d = nullptr;

    Cufft() {
        const device::SharedLibrary library(
            "libcufft.so." + std::to_string(CUFFT_VER_MAJOR),
            device::cuda_folders(device::own_file()),
            "Install CUDA's run-time libraries or `pip install nvidia-cufft`, name their folder "
            "in AUREOLE_CUDA_LIBRARIES, or choose device \"host\".");
        library.find(plan3d, "cufftPlan3d"), library.find(destroy, "cufftDestroy");
        library.find(set_stream, "cufftSetStream");
        library.find(r2c, "cufftExecR2C"), library.find(c2r, "cufftExecC2R");
        library.find(d2z, "cufftExecD2Z"), library.find(z2d, "cufftExecZ2D");
    }
    static const Cufft& get() {
        static const Cufft functions;
        return functions;
    }
};

void check(cufftResult result, const char* what) {
    if (result == CUFFT_SUCCESS) return;
    throw core::DeviceError(std::string(what) + " failed on the GPU",
                            "cuFFT error " + std::to_string(static_cast<int>(result)),
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
        check(cufft_.plan3d(&forward_, n.x, n.y, n.z, single ? CUFFT_R2C : CUFFT_D2Z),
              "cufftPlan3d");
        check(cufft_.plan3d(&backward_, n.x, n.y, n.z, single ? CUFFT_C2R : CUFFT_Z2D),
              "cufftPlan3d");
    }
    ~CufftPlan() override {
        cufft_.destroy(forward_);
        cufft_.destroy(backward_);
    }
    CufftPlan(const CufftPlan&) = delete;
    CufftPlan& operator=(const CufftPlan&) = delete;

    void forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) override {
        use(forward_, queue);
        if constexpr (single)
            check(cufft_.r2c(forward_, grid.data, reinterpret_cast<cufftComplex*>(to.data)),
                  "cufftExecR2C");
        else
            check(cufft_.d2z(forward_, grid.data, reinterpret_cast<cufftDoubleComplex*>(to.data)),
                  "cufftExecD2Z");
    }
    void backward(device::Queue& queue, device::View<Complex<T>> from,
                  device::View<T> grid) override {
        use(backward_, queue);
        if constexpr (single)
            check(cufft_.c2r(backward_, reinterpret_cast<cufftComplex*>(from.data), grid.data),
                  "cufftExecC2R");
        else
            check(
                cufft_.z2d(backward_, reinterpret_cast<cufftDoubleComplex*>(from.data), grid.data),
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
    void use(cufftHandle plan, device::Queue& queue) const {
        check(cufft_.set_stream(plan, static_cast<cudaStream_t>(queue.state().native())),
              "cufftSetStream");
    }

    const Cufft& cufft_ = Cufft::get();
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
