// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "comm/common.hpp"
#include "device/buffer.hpp"
#include "device/queue.hpp"
#include "fft/spectrum.hpp"

namespace aureole::fft {

/// Whose transforms. `best`: the vendor's on a GPU, ours on hosts.
enum class Library { best, own, fftw };

/// Whether the library can be used here; FFTW is looked for at run time (libfftw3f.so.3,
/// libfftw3.so.3) and never linked.
bool available(Library library);

/// Transforms of a three-dimensional real grid on one device, neither direction normalised:
/// forward is Σ a exp(−2πi k·x/n), and backward after forward multiplies by the number of points.
/// Everything is enqueued; nothing is allocated after construction.
template <class T>
class Plan3 {
  public:
    virtual ~Plan3() = default;

    const RealLayout& real() const { return real_; }
    const SpectrumLayout& spectrum() const { return spectrum_; }

    /// real() to spectrum(). The grid is left undefined.
    virtual void forward(device::Queue& queue, device::View<T> grid,
                         device::View<Complex<T>> to) = 0;
    /// spectrum() to real(). The spectrum is left undefined.
    virtual void backward(device::Queue& queue, device::View<Complex<T>> from,
                          device::View<T> grid) = 0;
    /// Forward, every mode times its factor [spectrum().size()], backward; in place. Where `power`
    /// is not empty it gets the square of each mode's magnitude before the multiplication.
    virtual void filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                        device::View<T> power) = 0;

  protected:
    RealLayout real_;
    SpectrumLayout spectrum_;
};

/// Throws core::InputError for sizes below 1, and core::DeviceError where the library is absent.
/// `ranks`: those that share the grid, which is in their common memory, all of which make the plan
/// and the same calls; null: one. Of the spectrum each has its planes alone (part_of() their
/// number).
template <class T>
std::unique_ptr<Plan3<T>> make_plan(device::Queue& queue, GridSize n,
                                    Library library = Library::best,
                                    comm::CommonMemory* ranks = nullptr);

}  // namespace aureole::fft
