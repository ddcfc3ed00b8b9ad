// SPDX-License-Identifier: Apache-2.0
#include "md/particles/columns.hpp"

#include "device/launch.hpp"
#include "md/particles/columns.kernel.hpp"

namespace aureole::md {

template <class T>
void Column<T>::permute(device::Queue& queue, const std::int32_t* order,
                        device::Buffer<std::byte>& room) {
    const auto n = Memory::size();
    if (n == 0) return;
    room.resize(queue, n * static_cast<std::int64_t>(sizeof(T)));
    auto* const sorted = reinterpret_cast<T*>(room.data());
    device::parallel_for(queue, "permute", n, Gather<T>{order, Memory::data(), sorted});
    device::copy(queue, Memory::view(), device::View<const T>{sorted, n});
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
    const auto n = static_cast<std::int64_t>(bytes.size() / sizeof(T));
    // A rank that was set up with all particles keeps memory for its own.
    if (n < Memory::capacity() / 2) Memory(queue, n, Memory::resource()).swap(*this);
    Memory::resize(queue, n);
    ghosts_ = 0;
    device::copy_from_host(queue, Memory::view(), reinterpret_cast<const T*>(bytes.data()));
}

template <class T>
void Column<T>::set_ghosts(device::Queue& queue, std::int64_t ghosts) {
    const auto n = Memory::size();
    Memory::resize(queue, n + ghosts_);  // which are kept as well
    Memory::resize(queue, n + ghosts, device::Keep::yes);
    Memory::resize(queue, n);
    ghosts_ = ghosts;
}

template <class T>
void Column<T>::pack(device::Queue& queue, device::View<const std::int32_t> index,
                     std::byte* to) const {
    device::parallel_for(queue, "pack", index.size, PackRows<T>{index.data, Memory::data(), to});
}

template <class T>
void Column<T>::unpack(device::Queue& queue, const std::byte* from, std::int64_t first,
                       std::int64_t count) {
    device::copy(queue, all().part(Memory::size() + first, count),
                 device::View<const T>{reinterpret_cast<const T*>(from), count});
}

template <class T>
void Column<T>::set_rows(device::Queue& queue, std::int64_t rows) {
    Memory::resize(queue, rows, device::Keep::yes);
    ghosts_ = 0;
}

template <class T>
void Column<T>::scatter(device::Queue& queue, device::View<const std::int32_t> index,
                        const std::byte* from) {
    device::parallel_for(queue, "scatter", index.size,
                         UnpackRows<T>{index.data, from, Memory::data()});
}

template class Column<double>;
template class Column<core::Vec3d>;
template class Column<std::int32_t>;
template class Column<core::Vec3i>;
template class Column<Tag>;
template class Column<std::uint8_t>;

std::unique_ptr<AnyColumn> make_column(ElementType type, ColumnSpec spec) {
    return with_element(type, [&]<class E>(const E& element) -> std::unique_ptr<AnyColumn> {
        if (!element.for_users)
            throw core::InputError(
                "column '" + spec.name + "' cannot be created",
                "its type is reserved for the engine",
                "Give real numbers or 32-bit integers, one or three per particle.");
        return std::make_unique<Column<typename E::Type>>(std::move(spec));
    });
}

}  // namespace aureole::md
