// SPDX-License-Identifier: Apache-2.0
#include "fft/plan.hpp"

#include <string>

#include "core/error.hpp"
#include "fft/host_plan.hpp"
#include "fft/vendor_plan.hpp"

namespace aureole::fft {

bool available(Library library) { return library != Library::fftw || fftw_available(); }

template <class T>
std::unique_ptr<Plan3<T>> make_plan(device::Queue& queue, GridSize n, Library library,
                                    comm::CommonMemory* ranks) {
    if (n.x < 2 || n.y < 2 || n.z < 2)
        throw core::InputError("a grid of " + std::to_string(n.x) + " × " + std::to_string(n.y) +
                                   " × " + std::to_string(n.z) + " points cannot be transformed",
                               "every axis needs at least 2 points", "Use a finer spacing.");
    if (ranks != nullptr && (queue.backend() != device::Backend::host || library == Library::fftw))
        throw core::InputError("this transform cannot be divided among ranks",
                               "only Aureole's own transforms on CPUs can",
                               "Choose Library::best.");
    if (queue.backend() != device::Backend::host) return make_gpu_plan<T>(queue, n);
    if (library == Library::fftw) return make_fftw_plan<T>(queue, n);
    return std::make_unique<HostPlan<T>>(queue, n, ranks);
}

template std::unique_ptr<Plan3<float>> make_plan(device::Queue&, GridSize, Library,
                                                 comm::CommonMemory*);
template std::unique_ptr<Plan3<double>> make_plan(device::Queue&, GridSize, Library,
                                                  comm::CommonMemory*);

}  // namespace aureole::fft
