// SPDX-License-Identifier: Apache-2.0
#include "tasks/bench/peer.hpp"

#include <tbb/flow_graph.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <deque>

namespace aureole::tasks::bench {

namespace {

class Tbb final : public Peer {
  public:
    double spawn_and_join(int threads, int batch, int batches) override {
        double ns = 0;
        tbb::task_arena arena(threads);
        arena.execute([&] {
            tbb::task_group group;
            ns = ns_per(std::int64_t{batch} * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i) group.run([] {});
                    group.wait();
                }
            });
        });
        return ns;
    }

    double chain(int threads, int batch, int batches) override {
        double ns = 0;
        long touched = 0;
        tbb::task_arena arena(threads);
        arena.execute([&] {
            using tbb::flow::continue_msg;
            tbb::flow::graph graph;
            std::deque<tbb::flow::continue_node<continue_msg>> nodes;
            for (int i = 0; i < batch; ++i) {
                nodes.emplace_back(graph, [&](const continue_msg&) { ++touched; });
                if (i > 0) tbb::flow::make_edge(nodes[i - 1], nodes[i]);
            }
            ns = ns_per(std::int64_t{batch} * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    nodes[0].try_put(continue_msg());
                    graph.wait_for_all();
                }
            });
        });
        return ns;
    }
};

}  // namespace

std::unique_ptr<Peer> make_peer() { return std::make_unique<Tbb>(); }

}  // namespace aureole::tasks::bench
