// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "comm/mpi/library.hpp"
#include "comm/transport.hpp"

namespace aureole::comm {

/// Packets by MPI. All of its ranks take part; no other thread may call MPI meanwhile.
class MpiPackets final : public Transport {
  public:
    explicit MpiPackets(std::shared_ptr<MpiLibrary> mpi) : mpi_(std::move(mpi)) {}
    ~MpiPackets() override;

    int rank() const override { return mpi_->rank(); }
    int size() const override { return mpi_->size(); }
    void send(int to, Bytes packet) override { mpi_->begin_sending(to, std::move(packet)); }
    std::optional<Parcel> receive() override;
    void sleep(std::chrono::nanoseconds time) override;

  private:
    std::shared_ptr<MpiLibrary> mpi_;
    int next_ = 0;  ///< the rank that is looked at first
};

}  // namespace aureole::comm
