// SPDX-License-Identifier: Apache-2.0
#include "python/leaves.hpp"

#include <cmath>

#include "md/external/registry.hpp"
#include "md/stages/registry.hpp"

namespace aureole::python {

namespace {

/// Schema of a leaf file, in the form that all kinds share.
nb::dict schema_of(const char* name, const char* words, std::span<const md::Parameter> parameters,
                   std::span<const md::ColumnUse> columns) {
    nb::dict d;
    d["name"] = name, d["doc"] = words;
    nb::list all;
    for (const auto& parameter : parameters) {
        nb::dict p;
        p["name"] = parameter.name, p["unit"] = parameter.unit, p["doc"] = parameter.words;
        p["default"] = nb::none();
        if (!std::isnan(parameter.usual)) p["default"] = parameter.usual;
        all.append(p);
    }
    d["parameters"] = all;
    nb::list used;
    for (const auto& column : columns) {
        nb::dict c;
        c["name"] = column.name, c["unit"] = column.unit;
        c["written"] = column.written, c["made"] = column.made;
        used.append(c);
    }
    d["columns"] = used;
    return d;
}

nb::list externals() {
    nb::list all;
    for (const auto& kind : md::external_kinds())
        all.append(schema_of(kind.name, kind.words, kind.parameters, kind.columns));
    return all;
}

nb::list stages() {
    nb::list all;
    for (const auto& kind : md::stage_kinds()) {
        auto schema = schema_of(kind.name, kind.words, kind.parameters, kind.columns);
        schema["formula"] = kind.formula;
        all.append(schema);
    }
    return all;
}

std::vector<std::uint8_t> group_of(const nb::object& group) {
    if (group.is_none()) return {};
    return rows<std::uint8_t>(nb::cast<In<std::uint8_t>>(group), "group", 0);
}

void add_external(PySimulation& self, const std::string& name, std::vector<double> parameters,
                  const nb::object& group) {
    self.moving().add_external({name, std::move(parameters), group_of(group)});
}

void add_stage(PySimulation& self, const std::string& name, std::vector<double> parameters,
               int every, const nb::object& group) {
    self.moving().add_stage({name, std::move(parameters), every, group_of(group)});
}

}  // namespace

void bind_leaves(nb::module_& m, nb::class_<PySimulation>& c) {
    m.def("externals", &externals, "Schemas of the external forces.");
    m.def("stages", &stages, "Schemas of the stages.");
    c.def("add_external", &add_external, nb::arg("name"), nb::arg("parameters"),
          nb::arg("group").none() = nb::none());
    c.def("add_stage", &add_stage, nb::arg("name"), nb::arg("parameters"), nb::arg("every") = 1,
          nb::arg("group").none() = nb::none());
}

}  // namespace aureole::python
