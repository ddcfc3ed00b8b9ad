// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/pair/tests/leaf_parameters.hpp"
#include "md/pair/tests/tiles.hpp"

// Every kernel of every potential and instruction set against the potential evaluated pair by pair.
namespace aureole::md::testing {
namespace {

class KernelContract : public ::testing::TestWithParam<std::string> {
  protected:
    const Potential& leaf = potential(GetParam());

    template <class T>
    const ClusterKernelTable<T>& table(std::size_t isa) const {
        const auto kernels = leaf.kernels_of_isa[isa]();
        if constexpr (sizeof(T) == 4)
            return *kernels.mixed;
        else
            return *kernels.full;
    }

    template <class T>
    void check(std::size_t isa, EnergyMode mode, int n_types) {
        SCOPED_TRACE(std::string(name_of(device::compiled_isas()[isa])) + ", mode " +
                     name_of(mode) + ", types " + std::to_string(n_types) +
                     (sizeof(T) == 4 ? ", mixed" : ", double"));
        const PairForce force(leaf_spec(leaf, mode, n_types));
        Tiles<T> tiles(n_types, 0.8 * smallest_cut_off(force), 11);
        const auto want = tiles.reference(force);
        // A few tens of roundings of the largest force on a particle; 24 and 53 bits.
        const double rounding = sizeof(T) == 4 ? 4e-6 : 1e-14;
        const auto& kernels =
            table<T>(isa)
                .kernel[static_cast<int>(force.modifier())][static_cast<int>(type_count(n_types))];
        for (int variant = 0; variant < 2; ++variant) {
            const auto got = tiles.run(kernels[variant], device::compiled_isas()[isa], force);
            for (std::size_t k = 0; k < want.force.size(); ++k)
                ASSERT_NEAR(got.force[k], want.force[k], rounding * want.scale);
            if (variant == 0) {
                plain_ = got.force;
                continue;
            }
            EXPECT_EQ(got.force, plain_);  // energies on the side change no bit of the forces
            EXPECT_NEAR(got.total.energy, want.total.energy, rounding * want.energy_scale);
            EXPECT_NEAR(got.total.virial.trace(), want.total.virial.trace(),
                        rounding * want.virial_scale);
            EXPECT_NEAR(got.total.virial.xy, want.total.virial.xy, rounding * want.virial_scale);
            EXPECT_NEAR(got.total.virial.yz, want.total.virial.yz, rounding * want.virial_scale);
        }
    }

  private:
    std::vector<double> plain_;
};

TEST_P(KernelContract, EveryInstructionSetComputesThePotential) {
    int checked = 0;
    for (std::size_t isa = 0; isa < device::compiled_isas().size(); ++isa) {
        if (!processor_has(device::compiled_isas()[isa])) continue;
        for (const auto mode : all_modes)
            for (const int n_types : {1, 3, 6, 12, 17}) {
                check<float>(isa, mode, n_types);
                check<double>(isa, mode, n_types);
            }
        ++checked;
    }
    EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(Leaves, KernelContract, ::testing::ValuesIn(leaf_names()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace aureole::md::testing
