// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"

// What the engine keeps of each particle. Sorting, checkpoints and views walk over all columns;
// none is named there.
namespace aureole::md {

/// What an element of a column is; checkpoints hold the number.
enum class ElementType : std::int32_t { real, vector, integer, integer_vector, tag, flag };

struct ElementShape {
    const char* dtype;  ///< of NumPy
    int width;          ///< numbers per particle; 0: one, without an axis of its own
};
ElementShape element_shape(ElementType type);

struct ColumnSpec {
    std::string name;
    std::string unit = {};       ///< "mass", "length/time", ...; empty: a pure number
    bool in_checkpoints = true;  ///< or derived from what is
    bool optional = false;       ///< some systems do without
    bool on_ghosts = false;      ///< forces read it of both partners
    bool of_user = false;        ///< added from outside the core
};

/// A column of any element type.
class AnyColumn {
  public:
    explicit AnyColumn(ColumnSpec spec) : spec_(std::move(spec)) {}
    virtual ~AnyColumn() = default;

    const ColumnSpec& spec() const { return spec_; }
    virtual ElementType type() const = 0;
    /// Particles it has values of: all, or 0 where the system does without.
    virtual std::int64_t rows() const = 0;
    /// The value of place k becomes that of place order[k]; `order` is [rows], in device memory.
    virtual void permute(device::Queue& queue, const std::int32_t* order) = 0;
    /// Copies from and to host memory, local order; the latter sets the number of rows.
    virtual std::vector<std::byte> bytes(device::Queue& queue) const = 0;
    virtual void set_bytes(device::Queue& queue, std::span<const std::byte> bytes) = 0;
    virtual std::size_t element_size() const = 0;

  private:
    ColumnSpec spec_;
};

template <class T>
struct ElementTypeOf;
template <>
struct ElementTypeOf<double> {
    static constexpr auto value = ElementType::real;
};
template <>
struct ElementTypeOf<core::Vec3d> {
    static constexpr auto value = ElementType::vector;
};
template <>
struct ElementTypeOf<std::int32_t> {
    static constexpr auto value = ElementType::integer;
};
template <>
struct ElementTypeOf<core::Vec3i> {
    static constexpr auto value = ElementType::integer_vector;
};
template <>
struct ElementTypeOf<std::uint32_t> {
    static constexpr auto value = ElementType::tag;
};
template <>
struct ElementTypeOf<std::uint8_t> {
    static constexpr auto value = ElementType::flag;
};

/// A column in device memory, used as the buffer that it is.
template <class T>
class Column final : public AnyColumn, public device::Buffer<T> {
    using Memory = device::Buffer<T>;

  public:
    explicit Column(ColumnSpec spec) : AnyColumn(std::move(spec)) {}
    Column& operator=(Memory&& values) noexcept {
        Memory::operator=(std::move(values));
        return *this;
    }

    ElementType type() const override { return ElementTypeOf<T>::value; }
    std::int64_t rows() const override { return Memory::size(); }
    std::size_t element_size() const override { return sizeof(T); }
    void permute(device::Queue& queue, const std::int32_t* order) override;
    std::vector<std::byte> bytes(device::Queue& queue) const override;
    void set_bytes(device::Queue& queue, std::span<const std::byte> bytes) override;
};

/// An empty column of the user's. Throws core::InputError for types that only the core uses.
std::unique_ptr<AnyColumn> make_column(ElementType type, ColumnSpec spec);

}  // namespace aureole::md
