// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/simulation/tests/rigid_systems.hpp"

// One leap-frog step of 2 fs without forces as GROMACS 2022.5 made it in double precision (gmx_d
// mdrun; integrator md, continuation yes, comm-mode none): SPC/E water by SETTLE, ethanol by LINCS
// with constraints h-bonds and all-bonds, each with lincs-order and lincs-iter as in the names.
namespace aureole::md::testing {
namespace {

const std::vector<Vec3d> water{
    {1.2, 1.2, 1.2},
    {1.1817639135418, 1.2522145931364, 1.1166868472911},
    {1.2180769543579, 1.2629919776007, 1.2755330025823},
};
const std::vector<Vec3d> water_velocity{
    {-0.24526883813331, 0.19363070214867, 0.14107462181257},
    {0.16601183779231, -1.4653494340419, -0.04606729025788},
    {1.0949996061461, -2.1169389290664, -0.72067708317618},
};
const std::vector<Vec3d> water_after{
    {1.1994877377463, 1.1999499144841, 1.2002136033448},
    {1.1821611222173, 1.2521607478799, 1.1167042190193},
    {1.2205465902016, 1.2628230004111, 1.2750701314455},
};
const std::vector<Vec3d> ethanol{
    {1.2, 1.2, 1.2},
    {1.1246986158029, 1.2686794089267, 1.1613497693736},
    {1.2613738371915, 1.1633257712788, 1.1177245294386},
    {1.2631211358737, 1.2520683555735, 1.2720111696466},
    {1.1309935803859, 1.0820656548568, 1.2686149713086},
    {1.2062949645831, 1.0133862459301, 1.307265201935},
    {1.0696197431944, 1.1187398835779, 1.35089044187},
    {1.0493414688428, 1.0147111765461, 1.1754629078207},
    {1.0066919812461, 0.9418217349762, 1.2178704603954},
};
const std::vector<Vec3d> ethanol_velocity{
    {-0.2457659252722, -0.0221274121396, 0.05169455175939},
    {-2.4097373260076, -0.75239068835249, -1.5410226986131},
    {-1.2737989206239, 1.6707582879347, -1.2717475749937},
    {-0.05121687112956, 1.3927831256674, -0.91908429170741},
    {-0.05096137930521, 0.05039665936645, 0.02909892980983},
    {-1.9292815826619, 0.11990959187186, 2.1399457437964},
    {-2.4365238455744, 1.3534005199639, 0.18796492259974},
    {-0.25356819156625, 0.79074889612203, 0.30131525706052},
    {-1.8887024911251, 0.11735202974267, 0.90820072742422},
};
const std::vector<Vec3d> after_h_bonds_4_1{
    {1.1993461331059, 1.2001355249352, 1.2000408185584},
    {1.1219849959115, 1.2652539608613, 1.1593486041359},
    {1.2588825096147, 1.1666336632902, 1.1151056004768},
    {1.2627909086622, 1.2546660159643, 1.2699131249705},
    {1.1306727055118, 1.0823134226409, 1.2688715601581},
    {1.2030478440398, 1.0130683925249, 1.3118589309252},
    {1.0667442150435, 1.1202530573029, 1.3485885717331},
    {1.0487518423505, 1.0161516959039, 1.1761475605076},
    {1.0042238939743, 0.94429410804718, 1.2183849714227},
};
const std::vector<Vec3d> after_h_bonds_12_8{
    {1.199346109836, 1.2001355255667, 1.2000408208041},
    {1.1219850246487, 1.2652539346512, 1.1593486188859},
    {1.2588826406099, 1.1666335850133, 1.1151054248695},
    {1.2627910262059, 1.2546661129256, 1.2699132590692},
    {1.1306726796729, 1.0823134419089, 1.2688715722334},
    {1.2030479890676, 1.0130682602509, 1.3118590053641},
    {1.0667443779035, 1.1202529599851, 1.3485883534091},
    {1.0487518423505, 1.0161516959039, 1.1761475605076},
    {1.0042238939743, 0.94429410804718, 1.2183849714227},
};
const std::vector<Vec3d> after_all_bonds_4_1{
    {1.1994105588385, 1.2002467028187, 1.1999761238736},
    {1.1219541678085, 1.2652820779525, 1.1593327808771},
    {1.258911572392, 1.1666162966892, 1.1150666400046},
    {1.2628209290309, 1.2546907796383, 1.2699473734331},
    {1.1308524354239, 1.0824101617239, 1.2692059420234},
    {1.2031789530616, 1.012948813181, 1.3119262257562},
    {1.0666472661466, 1.120310989578, 1.3487185377981},
    {1.0485675549549, 1.0160022741773, 1.1759310482736},
    {1.004177286653, 0.94421445453165, 1.2184313143576},
};
const std::vector<Vec3d> after_all_bonds_12_8{
    {1.1994105435641, 1.2002466605838, 1.1999761525833},
    {1.1219541022172, 1.2652821377758, 1.1593327472108},
    {1.2589115746316, 1.1666162953509, 1.1150666370022},
    {1.2628209002452, 1.2546907558931, 1.2699473405932},
    {1.1308524333549, 1.0824101759649, 1.2692059035377},
    {1.2031788505813, 1.0129489066492, 1.3119261731558},
    {1.0666473544815, 1.120310936793, 1.3487184193796},
    {1.048567573006, 1.0160022875957, 1.1759310724218},
    {1.0041773130772, 0.94421449969155, 1.2184312880833},
};

std::vector<Vec3d> step(Rigid& rigid, const std::vector<Vec3d>& velocity) {
    rigid.box = {3, 3, 3};
    auto r = rigid.position;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] += 0.002 * velocity[i];
    Bench bench(rigid, {1, Constraints::Path::packs});
    bench.move(rigid.position, r, nullptr, 500);
    return r;
}

TEST(ConstraintsOfGromacs, Water) {
    Rigid rigid;
    rigid.position = water, rigid.spec.mass = {15.9994, 1.008, 1.008};
    rigid.spec.settle = {{0, 1, 2}, {0}, {0.1, 0.1633}};
    EXPECT_GT(largest_difference(water, water_after), 1e-3);
    EXPECT_LT(largest_difference(step(rigid, water_velocity), water_after),
              2e-13);  // of 14 digits of positions near 1
}

Rigid molecule(bool all) {
    Rigid rigid;
    rigid.position = ethanol;
    rigid.spec.mass = {12.011, 1.008, 1.008, 1.008, 12.011, 1.008, 1.008, 15.9994, 1.008};
    rigid.spec.constraint.particles = {0, 1, 0, 2, 0, 3, 4, 5, 4, 6, 7, 8};
    rigid.spec.constraint.row = {0, 0, 0, 0, 0, 1};
    rigid.spec.constraint.parameters = {0.109, 0.0945, 0.1529, 0.141};
    if (!all) return rigid;
    for (const std::int32_t tag : {0, 4, 4, 7}) rigid.spec.constraint.particles.push_back(tag);
    rigid.spec.constraint.row.push_back(2), rigid.spec.constraint.row.push_back(3);
    return rigid;
}

TEST(ConstraintsOfGromacs, Ethanol) {
    for (const bool all : {false, true}) {
        Rigid rigid = molecule(all);
        // The same expansion leaves the same error; small groups, exact here, differ by less.
        EXPECT_LT(largest_difference(step(rigid, ethanol_velocity),
                                     all ? after_all_bonds_4_1 : after_h_bonds_4_1),
                  1e-9);
        rigid.spec.order = 12, rigid.spec.iterations = 8;
        EXPECT_LT(largest_difference(step(rigid, ethanol_velocity),
                                     all ? after_all_bonds_12_8 : after_h_bonds_12_8),
                  2e-13);
    }
}

}  // namespace
}  // namespace aureole::md::testing
