// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "fft/filter.kernel.hpp"
#include "fft/vendor_plan.hpp"

// FFTW is looked up at run time and neither linked nor shipped: its licence is not ours. The
// declarations below are its documented C interface (fftw.org/fftw3_doc, "Advanced Real-data DFTs"
// and "New-array Execute Functions").
namespace aureole::fft {

namespace {

constexpr unsigned measure = 0, unaligned = 2;
constexpr int forward_sign = -1, backward_sign = 1;

template <class T>
struct Fftw {
    using Plan = void*;
    Plan (*r2c)(int, const int*, int, T*, const int*, int, int, Complex<T>*, const int*, int, int,
                unsigned) = nullptr;
    Plan (*c2r)(int, const int*, int, Complex<T>*, const int*, int, int, T*, const int*, int, int,
                unsigned) = nullptr;
    Plan (*c2c)(int, const int*, int, Complex<T>*, const int*, int, int, Complex<T>*, const int*,
                int, int, int, unsigned) = nullptr;
    void (*run_r2c)(Plan, T*, Complex<T>*) = nullptr;
    void (*run_c2r)(Plan, Complex<T>*, T*) = nullptr;
    void (*run_c2c)(Plan, Complex<T>*, Complex<T>*) = nullptr;
    void (*destroy)(Plan) = nullptr;
    bool complete = false;

    Fftw() {
        constexpr bool single = sizeof(T) == sizeof(float);
        void* library = dlopen(single ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return;
        complete = true;
        const auto find = [&](auto& function, const char* name) {
            const std::string symbol = std::string(single ? "fftwf_" : "fftw_") + name;
            void* address = dlsym(library, symbol.c_str());
            if (address == nullptr) complete = false;
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
        };
        find(r2c, "plan_many_dft_r2c"), find(c2r, "plan_many_dft_c2r");
        find(c2c, "plan_many_dft"), find(destroy, "destroy_plan");
        find(run_r2c, "execute_dft_r2c"), find(run_c2r, "execute_dft_c2r");
        find(run_c2c, "execute_dft");
    }
    static const Fftw& get() {
        static const Fftw functions;
        return functions;
    }
};

/// FFTW's plans of one plane's lines along z and y, and of one row's lines along x; made once and
/// run by the pool's threads on different planes and rows, which FFTW allows.
template <class T>
struct Plans {
    const Fftw<T>& fftw = Fftw<T>::get();
    typename Fftw<T>::Plan plane = nullptr, plane_back = nullptr, row = nullptr, row_back = nullptr;

    Plans(GridSize n, T* grid, Complex<T>* modes) {
        const int yz[] = {n.y, n.z}, x[] = {n.x};
        const int half = n.z / 2 + 1, stride = n.y * half;
        const unsigned flags = measure | unaligned;
        plane = fftw.r2c(2, yz, 1, grid, nullptr, 1, 0, modes, nullptr, 1, 0, flags);
        plane_back = fftw.c2r(2, yz, 1, modes, nullptr, 1, 0, grid, nullptr, 1, 0, flags);
        const auto along_x = [&](int sign) {
            return fftw.c2c(1, x, half, modes, nullptr, stride, 1, modes, nullptr, stride, 1, sign,
                            flags);
        };
        row = along_x(forward_sign), row_back = along_x(backward_sign);
    }
    ~Plans() {
        for (auto plan : {plane, plane_back, row, row_back})
            if (plan != nullptr) fftw.destroy(plan);
    }
    Plans(const Plans&) = delete;
    Plans& operator=(const Plans&) = delete;
    bool complete() const { return plane && plane_back && row && row_back; }
};

/// One transform, for the threads of a pool.
template <class T>
struct Job {
    std::shared_ptr<const Plans<T>> plans;
    GridSize n;
    T* grid;
    Complex<T>* modes;

    void planes(device::ThreadPool& pool, bool forward) const {
        const std::int64_t real = std::int64_t{n.y} * n.z, half = std::int64_t{n.y} * (n.z / 2 + 1);
        pool.run([&](int rank) {
            const auto part = device::part_of(n.x, rank, pool.size());
            for (auto x = part.begin; x < part.end; ++x)
                if (forward)
                    plans->fftw.run_r2c(plans->plane, grid + x * real, modes + x * half);
                else
                    plans->fftw.run_c2r(plans->plane_back, modes + x * half, grid + x * real);
        });
    }
    void rows(device::ThreadPool& pool, bool forward) const {
        pool.run([&](int rank) {
            const auto part = device::part_of(n.y, rank, pool.size());
            for (auto y = part.begin; y < part.end; ++y) {
                Complex<T>* at = modes + y * (n.z / 2 + 1);
                plans->fftw.run_c2c(forward ? plans->row : plans->row_back, at, at);
            }
        });
    }
};

template <class T>
class FftwPlan final : public Plan3<T> {
  public:
    FftwPlan(device::Queue& queue, GridSize n)
        : modes_(queue, std::int64_t{n.x} * n.y * (n.z / 2 + 1)) {
        this->real_ = {n, std::int64_t{n.y} * n.z};
        this->spectrum_ = {n, 0};
        // Measuring overwrites the arrays.
        std::vector<T> grid(static_cast<std::size_t>(n.points()));
        std::vector<Complex<T>> modes(static_cast<std::size_t>(this->spectrum_.size()));
        plans_ = std::make_shared<const Plans<T>>(n, grid.data(), modes.data());
        if (!plans_->complete())
            throw core::DeviceError("FFTW cannot plan a transform of this grid",
                                    "it returned no plan", "Use Aureole's own transforms.");
    }

    void forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) override {
        device::host_task(queue, "FFTW", [job = job(grid.data, to.data)](device::ThreadPool& pool) {
            job.planes(pool, true);
            job.rows(pool, true);
        });
    }
    void backward(device::Queue& queue, device::View<Complex<T>> from,
                  device::View<T> grid) override {
        device::host_task(queue, "FFTW",
                          [job = job(grid.data, from.data)](device::ThreadPool& pool) {
                              job.rows(pool, false);
                              job.planes(pool, false);
                          });
    }
    void filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                device::View<T> power) override {
        forward(queue, grid, modes_.view());
        device::parallel_for(queue, "filter", modes_.size(),
                             MultiplyMode<T>{modes_.data(), factor.data, power.data});
        backward(queue, modes_.view(), grid);
    }

  private:
    Job<T> job(T* grid, Complex<T>* modes) const { return {plans_, this->real_.n, grid, modes}; }

    std::shared_ptr<const Plans<T>> plans_;
    device::Buffer<Complex<T>> modes_;
};

}  // namespace

bool fftw_available() { return Fftw<float>::get().complete && Fftw<double>::get().complete; }

template <class T>
std::unique_ptr<Plan3<T>> make_fftw_plan(device::Queue& queue, GridSize n) {
    if (!Fftw<T>::get().complete)
        throw core::DeviceError(
            "FFTW cannot be used", "its library was not found",
            "Install libfftw3-single3 and libfftw3-double3, or use Aureole's own transforms.");
    return std::make_unique<FftwPlan<T>>(queue, n);
}

template std::unique_ptr<Plan3<float>> make_fftw_plan(device::Queue&, GridSize);
template std::unique_ptr<Plan3<double>> make_fftw_plan(device::Queue&, GridSize);

}  // namespace aureole::fft
