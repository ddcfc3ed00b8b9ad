// SPDX-License-Identifier: Apache-2.0
#include "md/columns.hpp"

#include "core/error.hpp"
#include "device/launch.hpp"
#include "md/neighbor/lane_list.kernel.hpp"

namespace aureole::md {

ElementShape element_shape(ElementType type) {
    switch (type) {
        case ElementType::real:
            return {"<f8", 0};
        case ElementType::vector:
            return {"<f8", 3};
        case ElementType::integer:
            return {"<i4", 0};
        case ElementType::integer_vector:
            return {"<i4", 3};
        case ElementType::tag:
            return {"<u4", 0};
        case ElementType::flag:
            return {"<u1", 0};
    }
    throw core::Error("a column has no type", "its number is " + std::to_string(int(type)),
                      "Please report this.");
}

template <class T>
void Column<T>::permute(device::Queue& queue, const std::int32_t* order) {
    const auto n = Memory::size();
    if (n == 0) return;
    Memory sorted(queue, n, Memory::resource());
    device::parallel_for(queue, "permute", n, Gather<T>{order, Memory::data(), sorted.data()});
    Memory::operator=(std::move(sorted));
}

template <class T>
std::vector<std::byte> Column<T>::bytes(device::Queue& queue) const {
    std::vector<std::byte> out(static_cast<std::size_t>(rows()) * sizeof(T));
    device::copy_to_host(queue, reinterpret_cast<T*>(out.data()), Memory::view());
    return out;
}

template <class T>
void Column<T>::set_bytes(device::Queue& queue, std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    Memory::resize(queue, static_cast<std::int64_t>(bytes.size() / sizeof(T)));
    device::copy_from_host(queue, Memory::view(), reinterpret_cast<const T*>(bytes.data()));
}

template class Column<double>;
template class Column<core::Vec3d>;
template class Column<std::int32_t>;
template class Column<core::Vec3i>;
template class Column<std::uint32_t>;
template class Column<std::uint8_t>;

std::unique_ptr<AnyColumn> make_column(ElementType type, ColumnSpec spec) {
    switch (type) {
        case ElementType::real:
            return std::make_unique<Column<double>>(std::move(spec));
        case ElementType::vector:
            return std::make_unique<Column<core::Vec3d>>(std::move(spec));
        case ElementType::integer:
            return std::make_unique<Column<std::int32_t>>(std::move(spec));
        case ElementType::integer_vector:
            return std::make_unique<Column<core::Vec3i>>(std::move(spec));
        default:
            throw core::InputError("column '" + spec.name + "' cannot be made",
                                   "its type is one that only the engine uses",
                                   "Give real or 32-bit integer numbers or rows of three.");
    }
}

}  // namespace aureole::md
