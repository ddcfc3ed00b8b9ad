// SPDX-License-Identifier: Apache-2.0
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace aureole::core {
namespace {

TEST(Error, ReadsAsProblemReasonAndSuggestion) {
    const InputError error("cut-off 1.4 exceeds half the box 1.2", "minimum image fails",
                           "Enlarge the box or shorten the cut-off.");
    EXPECT_STREQ(error.what(),
                 "cut-off 1.4 exceeds half the box 1.2 (minimum image fails). Enlarge the box or "
                 "shorten the cut-off.");
}

TEST(Error, LeavesOutWhatIsNotSaid) {
    EXPECT_STREQ(Error("no", "", "").what(), "no");
    EXPECT_STREQ(Error("no", "why", "").what(), "no (why)");
    EXPECT_STREQ(Error("no", "", "Do it.").what(), "no. Do it.");
    EXPECT_STREQ(Error("a whole text").what(), "a whole text");
}

TEST(Error, KindsCanBeToldApartAndCaughtTogether) {
    EXPECT_THROW(throw FileError("a", "b", "c"), Error);
    EXPECT_THROW(throw DeviceError("a", "b", "c"), std::runtime_error);
    EXPECT_THROW(throw InputError("a", "b", "c"), InputError);
}

TEST(Error, ABlowUpCarriesItsDiagnosis) {
    const BlowUpError error("p", "w", "s", {42, 7, 9, "LennardJones", 1e30});
    EXPECT_EQ(error.what_happened.step, 42);
    EXPECT_EQ(error.what_happened.tag, 7);
    EXPECT_EQ(error.what_happened.partner, 9);
    EXPECT_EQ(error.what_happened.force, "LennardJones");
    EXPECT_STREQ(error.what(), "p (w). s");
}

}  // namespace
}  // namespace aureole::core
