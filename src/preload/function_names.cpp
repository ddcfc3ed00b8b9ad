// SPDX-License-Identifier: Apache-2.0
#include "preload/function_names.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>

namespace aureole::preload {

namespace {

/// A file in memory, to be read.
class Mapped {
  public:
    explicit Mapped(const char* path) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        const auto size = ::lseek(file, 0, SEEK_END);
        if (size > 0) {
            const auto n = static_cast<std::size_t>(size);
            void* const at = ::mmap(nullptr, n, PROT_READ, MAP_PRIVATE, file, 0);
            if (at != MAP_FAILED) data_ = static_cast<const char*>(at), size_ = n;
        }
        ::close(file);
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    ~Mapped() {
        if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
    }
    /// n of a type at an offset; null if the file ends before.
    template <class T>
    const T* at(std::size_t offset, std::size_t n = 1) const {
        if (offset > size_ || n > (size_ - offset) / sizeof(T)) return nullptr;
        return reinterpret_cast<const T*>(data_ + offset);
    }

  private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace

std::string path_of(const char* file) {
    char path[PATH_MAX];
    return ::realpath(file, path) != nullptr ? path : file;
}

std::string function_at(const std::string& path, std::uintptr_t offset) {
    const Mapped file(path.c_str());
    const auto* const head = file.at<Elf64_Ehdr>(0);
    if (head == nullptr || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return {};
    const auto* const sections = file.at<Elf64_Shdr>(head->e_shoff, head->e_shnum);
    for (int k = 0; sections != nullptr && k < head->e_shnum; ++k) {
        const Elf64_Shdr& table = sections[k];
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= head->e_shnum) continue;
        const std::size_t n = table.sh_size / sizeof(Elf64_Sym);
        const auto* const symbols = file.at<Elf64_Sym>(table.sh_offset, n);
        const Elf64_Shdr& texts = sections[table.sh_link];
        const char* const names = file.at<char>(texts.sh_offset, texts.sh_size);
        if (symbols == nullptr || names == nullptr) continue;
        for (std::size_t s = 0; s < n; ++s) {
            const Elf64_Sym& one = symbols[s];
            if (ELF64_ST_TYPE(one.st_info) != STT_FUNC || one.st_name >= texts.sh_size) continue;
            if (offset < one.st_value || offset >= one.st_value + one.st_size) continue;
            const char* const name = names + one.st_name;
            return {name, ::strnlen(name, texts.sh_size - one.st_name)};
        }
    }
    return {};
}

}  // namespace aureole::preload
