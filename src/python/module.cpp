// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/bulk.hpp"
#include "core/error.hpp"
#include "core/platform.hpp"
#include "device/config.hpp"
#include "device/device.hpp"
#include "device/processor/isa.hpp"
#include "device/processor/multiply_adds.hpp"
#include "device/threads/thread_pool.hpp"
#include "io/checkpoint.hpp"
#include "md/bonded/registry.hpp"
#include "md/pair/registry.hpp"
#include "python/comm.hpp"
#include "python/defaults.hpp"
#include "python/errors.hpp"
#include "python/fluid.hpp"
#include "python/mesh_errors.hpp"
#include "python/pair_search.hpp"
#include "python/trajectories.hpp"

namespace nb = nanobind;

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

/// The leaf files as JSON; Python's classes, the documentation and the input schema come from it.
std::string potentials_json() {
    std::ostringstream out;
    const char* comma = "";
    out << "[";
    for (const auto& p : aureole::md::potentials()) {
        out << comma << "{\"name\":" << quoted(p.name) << ",\"doc\":" << quoted(p.words)
            << ",\"parameters\":[";
        const char* inner = "";
        for (const auto& q : p.parameters) {
            out << inner << "{\"name\":" << quoted(q.name) << ",\"unit\":" << quoted(q.unit)
                << ",\"doc\":" << quoted(q.words) << ",\"default\":null}";
            inner = ",";
        }
        out << "],\"reads\":[";
        inner = "";
        for (const auto& column : p.reads) {
            out << inner << "{\"name\":" << quoted(column.name)
                << ",\"unit\":" << quoted(column.unit) << "}";
            inner = ",";
        }
        out << "],\"natural_cutoff\":" << (p.natural_cutoff != nullptr ? "true" : "false") << "}";
        comma = ",";
    }
    out << "]";
    return out.str();
}

/// The leaf files of bonded terms, likewise.
std::string bonded_terms_json() {
    std::ostringstream out;
    const char* comma = "";
    out << "[";
    for (const auto& t : aureole::md::term_kinds()) {
        out << comma << "{\"name\":" << quoted(t.name) << ",\"doc\":" << quoted(t.words)
            << ",\"particles\":" << t.particles << ",\"apart\":" << t.apart << ",\"parameters\":[";
        const char* inner = "";
        for (const auto& q : t.parameters) {
            out << inner << "{\"name\":" << quoted(q.name) << ",\"unit\":" << quoted(q.unit)
                << ",\"doc\":" << quoted(q.words) << "}";
            inner = ",";
        }
        out << "]}";
        comma = ",";
    }
    out << "]";
    return out.str();
}

double natural_cutoff(const std::string& name, nb::list parameters) {
    const auto& p = aureole::md::potential(name);
    std::vector<double> values;
    for (auto v : parameters) values.push_back(nb::cast<double>(v));
    if (p.natural_cutoff == nullptr || values.size() != p.parameters.size())
        throw aureole::core::InputError(name + " has no natural cut-off", "its range is infinite",
                                        "Give r_cut.");
    return p.natural_cutoff(values.data());
}

std::string processor_model() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

nb::dict build_info() {
    nb::dict d;
    d["version"] = AUREOLE_VERSION;
    d["compiler"] = aureole::core::compiler;
    nb::list isas;
    for (const auto isa : aureole::device::compiled_isas())
        isas.append(aureole::device::name_of(isa));
    d["simd"] = isas;
    d["gpu"] = std::string(aureole::device::gpu_vendor);
    d["gpu_code"] = std::string(aureole::device::gpu_code);
    d["build_type"] = aureole::core::release_build ? "release" : "debug";
    return d;
}

/// Empty where this build has none that the processor can run: `doctor` tells that too.
std::string instructions_in_use() {
    for (const auto isa : aureole::device::compiled_isas())
        if (aureole::device::processor_has(isa))
            return aureole::device::name_of(aureole::device::isa_in_use());
    return "";
}

nb::dict cpu_info() {
    nb::dict d;
    d["model"] = processor_model();
    d["isa"] = instructions_in_use();
    d["usable_threads"] = aureole::device::Device::host().threads().size();
    return d;
}

nb::list devices() {
    nb::list list;
    for (const auto& info : aureole::device::list_devices()) {
        nb::dict d;
        d["name"] = info.name, d["description"] = info.description;
        d["available"] = info.available, d["why"] = info.why;
        list.append(d);
    }
    return list;
}

nb::bytes read_extra(const std::filesystem::path& path) {
    const aureole::io::Checkpoint file(path);
    const auto bytes = file.block("extra");
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Aureole's compiled core; use the package aureole instead.";
    // Arrays that a script still holds when Python ends are no leak worth a page of words.
    nb::set_leak_warnings(false);
    aureole::core::return_freed_memory();  // Python's arrays come from malloc
    aureole::python::bind_errors(m);
    m.def("build_info", &build_info);
    m.def("cpu_info", &cpu_info);
    m.def("spec_defaults", &aureole::python::spec_defaults);
    m.def("limits", &aureole::python::limits);
    m.def("devices", &devices);
    m.def("multiply_adds_per_second", &aureole::device::multiply_adds_per_second,
          nb::arg("threads"), nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>());
    m.def("potentials", &potentials_json);
    m.def("bonded_terms", &bonded_terms_json);
    m.def("natural_cutoff", &natural_cutoff);
    m.def("read_extra", &read_extra, "The caller's part of a checkpoint, verified.");
    aureole::python::bind_comm(m);
    aureole::python::bind_mesh_errors(m);
    aureole::python::bind_pair_search(m);
    aureole::python::bind_trajectories(m);
    aureole::python::bind_simulation(m);
    aureole::python::bind_fluid(m);
}
