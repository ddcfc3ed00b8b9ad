// SPDX-License-Identifier: Apache-2.0
#include "python/errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "core/error.hpp"

namespace nb = nanobind;

namespace aureole::python {

namespace {

/// Python's exception classes; they live as long as the module.
struct Classes {
    PyObject *base, *input, *file, *device, *rank, *blow_up;
};
Classes classes;

PyObject* make(nb::module_& m, const char* name, PyObject* bases, const char* doc) {
    const std::string full = std::string("aureole.") + name;
    PyObject* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases, nullptr);
    if (type == nullptr) nb::raise_python_error();
    m.attr(name) = nb::borrow(type);
    return type;
}

/// Names out of files may hold bytes that are no text.
void raise(PyObject* type, const char* text) {
    const auto length = static_cast<Py_ssize_t>(std::strlen(text));
    PyObject* message = PyUnicode_DecodeUTF8(text, length, "backslashreplace");
    if (message == nullptr) return;
    PyErr_SetObject(type, message);
    Py_DECREF(message);
}

void raise_blow_up(const core::BlowUpError& error) {
    const auto& w = error.what_happened;
    nb::object instance = nb::borrow(classes.blow_up)(error.what());
    instance.attr("step") = w.step;
    instance.attr("particle") = w.tag;
    instance.attr("partner") = w.partner < 0 ? nb::object(nb::none()) : nb::cast(w.partner);
    instance.attr("force") = w.force;
    instance.attr("value") = w.value;
    instance.attr("place") = w.place;
    PyErr_SetObject(classes.blow_up, instance.ptr());
}

}  // namespace

void bind_errors(nb::module_& m) {
    classes.base = make(m, "Error", PyExc_RuntimeError, "Base class of Aureole's errors.");
    const auto with = [](PyObject* other) {
        return nb::make_tuple(nb::borrow(classes.base), nb::borrow(other));
    };
    classes.input =
        make(m, "InputError", with(PyExc_ValueError).ptr(), "Input that cannot be simulated.");
    classes.file =
        make(m, "FileError", with(PyExc_OSError).ptr(), "A file that cannot be read or written.");
    classes.device = make(m, "DeviceError", classes.base, "A device that is absent or failing.");
    classes.rank = make(m, "RankError", classes.base,
                        "Another rank of the simulation failed, died or cannot be reached.");
    classes.blow_up = make(
        m, "BlowUpError", with(PyExc_ArithmeticError).ptr(),
        "A simulation that became unstable; has step, particle, partner, force and value; of a "
        "fluid step, force (the field), value and place.");
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const core::BlowUpError& e) {
            raise_blow_up(e);
        } catch (const core::InputError& e) {
            raise(classes.input, e.what());
        } catch (const core::FileError& e) {
            raise(classes.file, e.what());
        } catch (const core::DeviceError& e) {
            raise(classes.device, e.what());
        } catch (const core::RankError& e) {
            raise(classes.rank, e.what());
        } catch (const core::Error& e) {
            raise(classes.base, e.what());
        }
    });
}

}  // namespace aureole::python
