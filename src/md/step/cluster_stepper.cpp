// SPDX-License-Identifier: Apache-2.0
#include "md/lists/cluster_lists.hpp"
#include "md/step/stepper_couplings.hpp"
#include "md/step/stepper_descent.hpp"
#include "md/step/stepper_fire.hpp"
#include "md/step/stepper_forces.hpp"
#include "md/step/stepper_stages.hpp"
#include "md/step/stepper_state.hpp"
#include "md/step/stepper_steps.hpp"

namespace aureole::md {

template <class T>
std::unique_ptr<Engine> make_cluster_engine(device::Queue& queue, System& system) {
    return std::make_unique<Stepper<ClusterLists<T>>>(queue, system);
}
template std::unique_ptr<Engine> make_cluster_engine<float>(device::Queue&, System&);
template std::unique_ptr<Engine> make_cluster_engine<double>(device::Queue&, System&);

}  // namespace aureole::md
