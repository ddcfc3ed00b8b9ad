// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/cluster_search.kernel.hpp"
#include "md/neighbor/prune.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

SearchKernels search_kernels();
SearchKernels search_kernels() {
    return {&search_clusters, &extend_cluster, &prune_clusters<float>, &prune_clusters<double>};
}

}  // namespace aureole::md::AUREOLE_ISA
