// SPDX-License-Identifier: Apache-2.0
#include "python/trajectories.hpp"

#include <algorithm>
#include <span>

#include "io/xtc.hpp"
#include "io/xtc_encoder.hpp"
#include "python/convert.hpp"

namespace aureole::python {

namespace {

nb::bytes encoded(io::XtcEncoder& encoder, std::int32_t step, double time,
                  const In<double, nb::shape<3, 3>>& box,
                  const In<double, nb::shape<-1, 3>>& positions) {
    io::XtcHead head{step, static_cast<float>(time), {}};
    std::transform(box.data(), box.data() + 9, head.box.begin(),
                   [](double x) { return static_cast<float>(x); });
    const std::span<const double> values(positions.data(), positions.size());
    const auto frame = [&] {
        const nb::gil_scoped_release released;
        return encoder.encode(head, values);
    }();
    return nb::bytes(frame.data(), frame.size());
}

}  // namespace

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
    nb::class_<io::XtcEncoder>(m, "XtcEncoder")
        .def(nb::init<std::size_t, double>(), nb::arg("particles"), nb::arg("precision"))
        .def("frame", encoded, nb::arg("step"), nb::arg("time"), nb::arg("box"),
             nb::arg("positions"), "One whole frame of an .xtc file.");
}

}  // namespace aureole::python
