// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "md/longrange/tests/pme_runs.hpp"

namespace aureole::md::testing {
namespace {

// tools/compare_pme.py writes the file: box, mesh, order, β, coulomb, energy, then a line per
// particle: charge, position, mesh force.
TEST(PmeGromacs, DISABLED_File) {
    const char* name = std::getenv("AUREOLE_PME_FILE");
    if (name == nullptr) GTEST_SKIP() << "AUREOLE_PME_FILE is not set";
    std::ifstream file(name);
    Charges c;
    PmeSpec spec;
    double want = 0;
    std::size_t n = 0;
    file >> c.box.lx >> c.box.ly >> c.box.lz >> spec.grid.x >> spec.grid.y >> spec.grid.z >>
        spec.order >> spec.beta >> spec.coulomb >> want >> n;
    c.position.resize(n), c.charge.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto& r = c.position[i];
        file >> c.charge[i] >> r.x >> r.y >> r.z;
        r -= 0.5 * Vec3d{c.box.lx, c.box.ly, c.box.lz};
    }
    ASSERT_TRUE(file.good());
    const auto got = run_pme(c, spec);
    const double mesh = got.total.energy - self_energy(spec.coulomb, spec.beta, sums_of(c));
    std::printf("mesh %.9f, with self energy %.9f, GROMACS %.9f, relative %.2e\n", mesh,
                got.total.energy, want, mesh / want - 1);
    const auto single = run_pme<float>(c, spec);
    std::printf("single precision: relative force error %.2e\n",
                rms_difference(single, got) / rms_force(got));
}

}  // namespace
}  // namespace aureole::md::testing
