#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernel of `aureole bench stencil` to PTX, which its program carries as text, so that
# nothing of CUDA is needed to build it. Run it after a change of stencil_kernel.cu; needs nvcc.
set -euo pipefail
cd "$(dirname "$0")/../src/preload/bench"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
# The oldest devices that this compiler knows; the driver compiles for newer ones. The version of the
# language is an old one, as drivers refuse what is newer than they are; ptxas tells if it is too old.
"$nvcc" -ptx -arch=compute_75 -fmad=false -o "$folder/kernel.ptx" stencil_kernel.cu
sed -i 's/^\.version .*/.version 6.3/' "$folder/kernel.ptx"
"$(dirname "$nvcc")/ptxas" -arch=sm_90 -o "$folder/kernel.cubin" "$folder/kernel.ptx"
{
    echo "/* SPDX-License-Identifier: Apache-2.0"
    echo " * Written by tools/stencil_ptx.sh; do not edit. SHA-256 of stencil_kernel.cu and stencil_cell.h:"
    echo " * $(cat stencil_kernel.cu stencil_cell.h | sha256sum | cut -d' ' -f1) */"
    echo "#pragma once"
    echo
    echo "static const char aureole_stencil_ptx[] ="
    grep -v -e '^//' -e '^[[:space:]]*$' "$folder/kernel.ptx" |
        sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/ /g' -e 's/^/    "/' -e 's/$/\\n"/'
    echo "    ;"
} >stencil_kernel.ptx.h
