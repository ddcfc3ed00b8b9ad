// SPDX-License-Identifier: Apache-2.0
// Operands of reductions: types, operations, and values whose results do not depend on the order.
#pragma once

#include "collective.hpp"

namespace twins {

/// An operation with a type that it may be used for.
struct Operation {
    MPI_Op op = MPI_OP_NULL;
    TypeRef type;
    std::string name;
    bool own = false;      // made here, to be freed
    bool product = false;  // values must be small, so that their product is exact
    bool logical = false;  // half of the values are 0
};

Operation random_operation(Rng& rng);
void free_operation(Operation& operation);
/// Forgets the types of user-defined operations, when nothing is pending any more.
void forget_operations();

/// Fills a buffer with noise, and its elements with values that fit the operation.
void fill_operands(Buffer& buffer, const Operation& operation);

}  // namespace twins
