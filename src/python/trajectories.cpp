// SPDX-License-Identifier: Apache-2.0
#include "python/trajectories.hpp"

#include <span>

#include "io/xtc.hpp"

namespace aureole::python {

namespace nb = nanobind;

void bind_trajectories(nb::module_& m) {
    m.def(
        "decode_xtc",
        [](const nb::bytes& frame) {
            const auto bytes =
                std::as_bytes(std::span(static_cast<const char*>(frame.data()), frame.size()));
            const auto values = io::decode_xtc(bytes);
            return nb::bytes(values.data(), values.size() * sizeof(float));
        },
        "Positions of one whole frame of an .xtc file, as single-precision numbers.");
}

}  // namespace aureole::python
