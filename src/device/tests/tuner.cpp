// SPDX-License-Identifier: Apache-2.0
#include "device/tuner.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "device/launch.hpp"

namespace aureole::device {
namespace {

/// Launches that take as long as a table says, with a hiccup now and then.
class Tuning : public ::testing::Test {
  protected:
    void run(Tuner& tuner, int launches) {
        for (int i = 0; i < launches; ++i) {
            const Tuner::Choice choice = tuner.next();
            ++launched[choice.value];
            if (choice.timed)
                tuner.report(choice.candidate,
                             seconds.at(choice.value) + (i % 7 == 1 ? 100.0 : 0.0));
        }
    }

    std::map<int, double> seconds{{1, 3.0}, {2, 1.0}, {4, 2.0}};
    std::map<int, int> launched;
};

TEST_F(Tuning, FindsTheFastestAndKeepsIt) {
    Tuner tuner({1, 2, 4});
    EXPECT_FALSE(tuner.settled());
    EXPECT_EQ(tuner.best(), 1);
    run(tuner, 15);
    EXPECT_EQ(launched, (std::map<int, int>{{1, 5}, {2, 5}, {4, 5}}));
    EXPECT_TRUE(tuner.settled());
    EXPECT_EQ(tuner.best(), 2);
    run(tuner, 10);
    EXPECT_EQ(launched, (std::map<int, int>{{1, 5}, {2, 15}, {4, 5}}));
}

TEST_F(Tuning, LooksAgainAndFollowsTheDrift) {
    Tuner tuner({1, 2, 4}, {.samples = 5, .rescan_after = 10});
    run(tuner, 15);
    ASSERT_EQ(tuner.best(), 2);
    seconds = {{1, 3.0}, {2, 2.0}, {4, 1.0}};
    run(tuner, 10);
    EXPECT_TRUE(tuner.settled());
    run(tuner, 14);
    EXPECT_FALSE(tuner.settled());
    EXPECT_EQ(tuner.best(), 2);
    run(tuner, 1);
    EXPECT_TRUE(tuner.settled());
    EXPECT_EQ(tuner.best(), 4);
}

TEST_F(Tuning, UsesTheBestWhileTimesAreAwaited) {
    Tuner tuner({1, 2}, {.samples = 1});
    const Tuner::Choice first = tuner.next(), second = tuner.next(), third = tuner.next();
    EXPECT_TRUE(first.timed && second.timed);
    EXPECT_FALSE(third.timed);
    EXPECT_EQ(third.value, 1);
    tuner.report(second.candidate, 1);
    EXPECT_FALSE(tuner.settled());
    tuner.report(first.candidate, 2);
    EXPECT_EQ(tuner.next().value, 2);
}

TEST_F(Tuning, MeasuresLaunchesOnAQueue) {
    for (const bool hostile : {false, true}) {
        Device device = Device::host({.threads = 1, .hostile = hostile});
        Queue queue(device);
        Tuner tuner({1, 2, 4}, {.samples = 2});
        int calls = 0;
        const auto launch = [&](int value) {
            ++calls;
            host_task(queue, "work", [value](ThreadPool&) { ASSERT_GT(value, 0); });
        };
        for (int i = 0; i < 6; ++i) tuner.launch(queue, launch);
        queue.synchronize();
        tuner.launch(queue, launch);
        EXPECT_TRUE(tuner.settled());
        EXPECT_EQ(calls, 7);
    }
}

TEST_F(Tuning, FixedOnesNeverMeasure) {
    Tuner tuner({1, 2, 4});
    tuner.fix(4);
    run(tuner, 50);
    EXPECT_EQ(launched, (std::map<int, int>{{4, 50}}));
    EXPECT_EQ(tuner.best(), 4);
    EXPECT_THROW(tuner.fix(3), std::logic_error);
    EXPECT_THROW(Tuner({}), std::logic_error);
    EXPECT_TRUE(Tuner({8}).settled());
}

TEST_F(Tuning, RecallsOnlyCandidates) {
    Tuner tuner({1, 2, 4});
    tuner.recall(3);
    EXPECT_FALSE(tuner.settled());
    tuner.recall(2);
    EXPECT_TRUE(tuner.settled());
    EXPECT_EQ(tuner.best(), 2);
}

class Cache : public ::testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("aureole_tuner_" + std::to_string(getpid()) + "_" +
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
        file = folder / "below" / "tuning";
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder, file;
};

TEST_F(Cache, RemembersAcrossObjects) {
    TuningCache first(file), second(file);
    EXPECT_FALSE(first.find("pair force, 64k").has_value());
    EXPECT_TRUE(first.store("pair force, 64k", 8));
    EXPECT_TRUE(second.store("search", 4));  // joins what the other has stored
    EXPECT_TRUE(second.store("search", 2));
    const TuningCache later(file);
    EXPECT_EQ(later.find("pair force, 64k"), 8);
    EXPECT_EQ(later.find("search"), 2);
    int files = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(file.parent_path()))
        ++files;
    EXPECT_EQ(files, 1) << "litter";
}

TEST_F(Cache, DamageIsPassedOver) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "\n4\n4 \nfour search\n99999999999999 search\n7 pair\n\xff\xfe";
    const TuningCache cache(file);
    EXPECT_FALSE(cache.find("search").has_value());
    EXPECT_EQ(cache.find("pair"), 7);
}

TEST_F(Cache, AFileThatCannotBeWrittenIsNoError) {
    std::filesystem::create_directories(file);  // a folder in its place
    TuningCache cache(file);
    EXPECT_FALSE(cache.store("pair", 1));
    EXPECT_EQ(cache.find("pair"), 1);
}

}  // namespace
}  // namespace aureole::device
