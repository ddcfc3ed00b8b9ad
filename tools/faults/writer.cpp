// SPDX-License-Identifier: Apache-2.0
// Writes generations FIRST to LAST of a checkpoint at PATH, to be run under the fault injector.
// Exit status: 0 all written, 3 refused with the reason on standard error.
#include <cstdlib>
#include <iostream>

#include "core/error.hpp"
#include "generation.hpp"

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: faults_writer PATH FIRST LAST\n";
        return 2;
    }
    try {
        for (int generation = std::atoi(argv[2]); generation <= std::atoi(argv[3]); ++generation) {
            aureole::faults::write_generation(argv[1], generation);
        }
    } catch (const aureole::core::FileError& error) {
        std::cerr << error.what() << '\n';
        return 3;
    }
    return 0;
}
