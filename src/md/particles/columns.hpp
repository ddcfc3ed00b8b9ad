// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "md/particles/tag.hpp"

// The data of each particle. Sorting, checkpoints and views iterate over all columns
// without naming them.
namespace aureole::md {

/// Type of a column's elements; checkpoints hold the number.
enum class ElementType : std::int32_t { real, vector, integer, integer_vector, tag, flag };

/// One type of elements: `Number`s, one or several, as NumPy and checkpoints have them.
template <class T, class Number_, ElementType type_>
struct ColumnElement {
    using Type = T;
    using Number = Number_;
    static constexpr ElementType type = type_;
    /// Numbers per particle; 0: one, without an axis of its own.
    static constexpr int width = std::is_same_v<T, Number> ? 0 : sizeof(T) / sizeof(Number);
    const char* dtype;  ///< of NumPy
    bool for_users;     ///< otherwise internal
};

/// All types of elements; no other code lists them.
inline constexpr std::tuple element_list{
    ColumnElement<double, double, ElementType::real>{"<f8", true},
    ColumnElement<core::Vec3d, double, ElementType::vector>{"<f8", true},
    ColumnElement<std::int32_t, std::int32_t, ElementType::integer>{"<i4", true},
    ColumnElement<core::Vec3i, std::int32_t, ElementType::integer_vector>{"<i4", true},
    ColumnElement<Tag, Tag, ElementType::tag>{"<i8", false},
    ColumnElement<std::uint8_t, std::uint8_t, ElementType::flag>{"<u1", false},
};

/// f(element) for the one of that type.
template <std::size_t k = 0, class F>
auto with_element(ElementType type, F&& f) {
    const auto& element = std::get<k>(element_list);
    if (element.type == type) return f(element);
    if constexpr (k + 1 < std::tuple_size_v<decltype(element_list)>)
        return with_element<k + 1>(type, std::forward<F>(f));
    else
        throw core::Error("a column has an unknown type",
                          "its number is " + std::to_string(int(type)), "Please report this.");
}

template <class T>
constexpr ElementType element_type_of() {
    ElementType found{};
    std::apply(
        [&]<class... E>(const E&...) {
            static_assert((std::is_same_v<typename E::Type, T> || ...), "an element of no type");
            ((std::is_same_v<typename E::Type, T> ? void(found = E::type) : void()), ...);
        },
        element_list);
    return found;
}

struct ElementShape {
    const char* dtype;
    int width;
};
inline ElementShape element_shape(ElementType type) {
    return with_element(type, [](const auto& element) {
        return ElementShape{element.dtype, element.width};
    });
}

struct ColumnSpec {
    std::string name;
    std::string unit = {};       ///< "mass", "length/time", ...; empty: a pure number
    bool in_checkpoints = true;  ///< otherwise derived
    bool optional = false;       ///< absent in some systems
    bool on_ghosts = false;      ///< forces read it for both partners
    bool of_user = false;        ///< added from outside the core
};

/// Whether users may have columns of that type; of any number.
inline bool may_be_of_user(ElementType type) {
    return std::apply(
        [&](const auto&... element) {
            return ((element.type == type && element.for_users) || ...);
        },
        element_list);
}

/// A column of any element type.
class AnyColumn {
  public:
    explicit AnyColumn(ColumnSpec spec) : spec_(std::move(spec)) {}
    virtual ~AnyColumn() = default;

    const ColumnSpec& spec() const { return spec_; }
    /// Whether particles of any rank have values.
    bool in_use() const { return rows() > 0 || in_use_elsewhere_; }
    void set_in_use_elsewhere(bool is) { in_use_elsewhere_ = is; }
    /// Ghosts have values from the next time on that there are any.
    void put_on_ghosts() { spec_.on_ghosts = true; }
    virtual ElementType type() const = 0;
    /// Number of owned particles with values: all, or 0 if the column is absent.
    virtual std::int64_t rows() const = 0;
    /// Row k gets the value of row order[k]; `order` is [rows], in device memory, and `room`
    /// working memory, enlarged where it is too small. Ghosts and the address stay as they are.
    virtual void permute(device::Queue& queue, const std::int32_t* order,
                         device::Buffer<std::byte>& room) = 0;
    /// Copies from and to host memory, local order, without ghosts; the latter sets the number of
    /// rows.
    virtual std::vector<std::byte> bytes(device::Queue& queue) const = 0;
    virtual void set_bytes(device::Queue& queue, std::span<const std::byte> bytes) = 0;
    virtual std::size_t element_size() const = 0;
    /// Its rows in device memory.
    virtual std::byte* memory() = 0;
    /// Makes room for ghosts behind the rows, and keeps the values of these and of ghosts.
    virtual void set_ghosts(device::Queue& queue, std::int64_t ghosts) = 0;
    virtual std::int64_t ghosts() const = 0;
    /// Rows it has memory for.
    virtual std::int64_t room() const = 0;
    /// Copies the rows `index` to `to`, and from `from` to ghosts [first, first +
    /// count); all in device memory.
    virtual void pack(device::Queue& queue, device::View<const std::int32_t> index,
                      std::byte* to) const = 0;
    virtual void unpack(device::Queue& queue, const std::byte* from, std::int64_t first,
                        std::int64_t count) = 0;
    /// Sets the number of rows, without ghosts; those that are left keep their values.
    virtual void set_rows(device::Queue& queue, std::int64_t rows) = 0;
    /// Row index[k] gets the k-th value of `from`.
    virtual void scatter(device::Queue& queue, device::View<const std::int32_t> index,
                         const std::byte* from) = 0;

  private:
    ColumnSpec spec_;
    bool in_use_elsewhere_ = false;
};

/// A column in device memory, used as the buffer that it is: of the particles that are owned here.
/// The values of ghosts lie behind them, within its capacity.
template <class T>
class Column final : public AnyColumn, public device::Buffer<T> {
    using Memory = device::Buffer<T>;

  public:
    explicit Column(ColumnSpec spec) : AnyColumn(std::move(spec)) {}
    /// Assigned values are those of owned particles.
    Column& operator=(Memory&& values) noexcept {
        Memory::operator=(std::move(values));
        ghosts_ = 0;
        return *this;
    }
    /// Owned particles, then ghosts.
    device::View<T> all() { return {Memory::data(), Memory::size() + ghosts_}; }
    device::View<const T> all() const { return {Memory::data(), Memory::size() + ghosts_}; }

    ElementType type() const override { return element_type_of<T>(); }
    std::int64_t rows() const override { return Memory::size(); }
    std::size_t element_size() const override { return sizeof(T); }
    std::byte* memory() override { return reinterpret_cast<std::byte*>(Memory::data()); }
    void permute(device::Queue& queue, const std::int32_t* order,
                 device::Buffer<std::byte>& room) override;
    std::vector<std::byte> bytes(device::Queue& queue) const override;
    void set_bytes(device::Queue& queue, std::span<const std::byte> bytes) override;
    void set_ghosts(device::Queue& queue, std::int64_t ghosts) override;
    std::int64_t ghosts() const override { return ghosts_; }
    std::int64_t room() const override { return Memory::capacity(); }
    void pack(device::Queue& queue, device::View<const std::int32_t> index,
              std::byte* to) const override;
    void unpack(device::Queue& queue, const std::byte* from, std::int64_t first,
                std::int64_t count) override;
    void set_rows(device::Queue& queue, std::int64_t rows) override;
    void scatter(device::Queue& queue, device::View<const std::int32_t> index,
                 const std::byte* from) override;

  private:
    std::int64_t ghosts_ = 0;
};

/// An empty column of the user's. Throws core::InputError for types that only the core uses.
std::unique_ptr<AnyColumn> make_column(ElementType type, ColumnSpec spec);

}  // namespace aureole::md
