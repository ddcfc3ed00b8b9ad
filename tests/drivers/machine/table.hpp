// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace aureole::emulated {

/// Objects that a program knows by a handle. A handle that is not, or no longer, of the table
/// gives nothing, where a real driver might crash.
template <class T>
class HandleTable {
  public:
    void* add(std::shared_ptr<T> object) {
        void* handle = object.get();
        const std::lock_guard lock(mutex_);
        all_[handle] = std::move(object);
        return handle;
    }
    std::shared_ptr<T> find(const void* handle) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(handle);
        return found == all_.end() ? nullptr : found->second;
    }
    std::shared_ptr<T> remove(const void* handle) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(handle);
        if (found == all_.end()) return nullptr;
        auto object = std::move(found->second);
        all_.erase(found);
        return object;
    }

  private:
    std::mutex mutex_;
    std::map<const void*, std::shared_ptr<T>> all_;
};

/// The one table of a type, never destroyed.
template <class T>
HandleTable<T>& table_of();

}  // namespace aureole::emulated
