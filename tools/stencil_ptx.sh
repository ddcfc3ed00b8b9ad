#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernels of `aureole bench stencil` and `aureole bench hpcg` to PTX, which their program
# carries as text, so that nothing of CUDA is needed to build it. Run it after a change of
# stencil_kernel.cu, hpcg_kernel.cu or the header of one; needs nvcc.
set -euo pipefail
cd "$(dirname "$0")/../src/preload/bench"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
for name in stencil hpcg; do
    # The oldest devices that this compiler knows; the driver compiles for newer ones. The version of
    # the language is an old one, as drivers refuse what is newer than they are; ptxas tells if it is
    # too old.
    "$nvcc" -ptx -arch=compute_75 -fmad=false -o "$folder/kernel.ptx" ${name}_kernel.cu
    sed -i 's/^\.version .*/.version 6.3/' "$folder/kernel.ptx"
    "$(dirname "$nvcc")/ptxas" -arch=sm_90 -o "$folder/kernel.cubin" "$folder/kernel.ptx"
    {
        echo "/* SPDX-License-Identifier: Apache-2.0"
        echo " * Written by tools/stencil_ptx.sh; do not edit. SHA-256 of ${name}_kernel.cu and ${name}_cell.h:"
        echo " * $(cat ${name}_kernel.cu ${name}_cell.h | sha256sum | cut -d' ' -f1) */"
        echo "#pragma once"
        echo
        echo "static const char aureole_${name}_ptx[] ="
        grep -v -e '^//' -e '^[[:space:]]*$' "$folder/kernel.ptx" |
            sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/ /g' -e 's/^/    "/' -e 's/$/\\n"/'
        echo "    ;"
    } >${name}_kernel.ptx.h
done
