// SPDX-License-Identifier: Apache-2.0
#include "machine/status.hpp"
#include "machine/stream_state.hpp"

namespace aureole::emulated {

int begin_capture(const StreamPtr& stream) {
    const std::lock_guard lock(progress().mutex);
    if (stream->first) return capture_unsupported;
    if (stream->graph) return illegal_state;
    stream->graph = std::make_shared<Graph>();
    stream->capture_id = ++progress().captures;
    stream->capture = true;
    return success;
}

int end_capture(const StreamPtr& stream, GraphPtr& out) {
    const std::lock_guard lock(progress().mutex);
    if (!stream->graph) return capture_unmatched;
    out = std::move(stream->graph);
    stream->graph = nullptr;
    stream->capture = false;
    return success;
}

bool is_capturing(const StreamPtr& stream, std::uint64_t* id) {
    if (!stream->capture) return false;
    const std::lock_guard lock(progress().mutex);
    if (id) *id = stream->capture_id;
    return stream->graph != nullptr;
}

int launch_graph(const GraphPtr& graph, const StreamPtr& stream) {
    for (const auto& work : graph->work)
        if (const int status = give(stream, work)) return status;
    return success;
}

GraphPtr copy_graph(const Graph& graph) { return std::make_shared<Graph>(graph); }

std::size_t nodes_of(const Graph& graph) { return graph.work.size(); }

}  // namespace aureole::emulated
