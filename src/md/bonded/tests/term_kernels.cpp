// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/processor/isa.hpp"
#include "md/bonded/tests/terms.hpp"

// Every kernel of processors, in every instruction set, against the leaf evaluated term by term.
namespace aureole::md::testing {
namespace {

class TermKernels : public ::testing::TestWithParam<std::string> {
  protected:
    const Term& kind = term_kind(GetParam());

    /// Forces on slots (particle i is in slot 2 i + 1), energy and virial by a kernel.
    template <class T>
    struct Result {
        std::vector<Vec3d> force;
        EnergyVirial total;
    };
    template <class T>
    Result<T> run(std::size_t isa, bool energy, const BondedTerms& terms, const core::Box& box,
                  const std::vector<Vec3d>& position) const {
        const auto& list = terms.lists()[0];
        const auto k = static_cast<std::size_t>(kind.particles);
        const auto n = static_cast<std::size_t>(list.n), stride = (n + 15) / 16 * 16;
        std::vector<std::int32_t> particle(k * stride), slot(k * stride), row(stride);
        for (std::size_t i = 0; i < stride; ++i) {
            const auto from = std::min(i, n - 1);
            row[i] = list.spec.row[from];
            for (std::size_t p = 0; p < k; ++p) {
                particle[p * stride + i] = list.spec.particles[from * k + p];
                slot[p * stride + i] = 2 * particle[p * stride + i] + 1;
            }
        }
        const std::vector<T> coefficients(list.coefficients.begin(), list.coefficients.end());
        const std::vector<T> maps(terms.map_table().begin(), terms.map_table().end());
        std::vector<T> blocks((position.size() / 2 + 1) * block_size, T(0));
        BlockJob<T> job{{position.data(),
                         box,
                         particle.data(),
                         row.data(),
                         static_cast<std::int64_t>(stride),
                         coefficients.data(),
                         list.coefficients.data(),
                         list.rows,
                         {maps.data()},
                         {}},
                        slot.data(),
                        blocks.data(),
                        0,
                        list.n,
                        {}};
        kind.kernels_of_isa[isa]().template of<T>(energy)(job);
        Result<T> result{{}, job.total};
        for (std::size_t i = 0; i < position.size(); ++i) {
            const auto* at = blocks.data() + block_index(static_cast<std::int64_t>(2 * i + 1), 0);
            result.force.push_back({double(at[0]), double(at[4]), double(at[8])});
        }
        return result;
    }

    template <class T>
    void check(std::size_t isa, const core::Box& box, int chains) const {
        SCOPED_TRACE(std::string(name_of(device::compiled_isas()[isa])) + ", " +
                     std::to_string(chains) + " chains, " + (sizeof(T) == 4 ? "mixed" : "double"));
        const auto made = chains_of(GetParam(), box, chains, 3);
        BondedTerms terms;
        terms.set_constants(test_constants());
        terms.add(made.terms, static_cast<std::int64_t>(made.position.size()));
        const auto want = reference(terms, box, made.position);
        double largest = 0, square = 0, error = 0;
        for (const auto& f : want.force) largest = std::max(largest, size(f));
        const auto got = run<T>(isa, true, terms, box, made.position);
        // Tens of roundings, of 24 or 53 bits, of the largest force; single precision multiplies
        // those of an angle by what steep terms make of it (sixfold dihedrals, 1/sin⁴).
        const double rounding = sizeof(T) == 4 ? 1e-5 : 4e-14;
        for (std::size_t i = 0; i < want.force.size(); ++i) {
            const double off = size(got.force[i] - want.force[i]);
            ASSERT_LT(off, rounding * largest) << "particle " << i;
            square += dot(want.force[i], want.force[i]), error += off * off;
        }
        EXPECT_LT(std::sqrt(error / square), sizeof(T) == 4 ? 2e-6 : 1e-14);
        EXPECT_NEAR(got.total.energy, want.energy, rounding * want.scale);
        for (int k = 0; k < 6; ++k)
            EXPECT_NEAR((&got.total.virial.xx)[k], (&want.virial.xx)[k],
                        rounding * (box.lx * largest + want.scale));
        EXPECT_EQ(run<T>(isa, false, terms, box, made.position).force, got.force);
    }
};
INSTANTIATE_TEST_SUITE_P(Leaves, TermKernels, ::testing::ValuesIn(term_names()),
                         [](const auto& p) { return p.param; });

TEST_P(TermKernels, EveryInstructionSetComputesTheTerm) {
    int checked = 0;
    for (std::size_t isa = 0; isa < device::compiled_isas().size(); ++isa) {
        if (!processor_has(device::compiled_isas()[isa])) continue;
        for (const int chains : {2, 12, 17, 100})
            for (const auto& box :
                 {core::Box{12, 13, 14}, core::Box{13, 12, 15, 0.3, -0.25, 0.4}}) {
                check<float>(isa, box, chains);
                check<double>(isa, box, chains);
            }
        ++checked;
    }
    EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace aureole::md::testing
