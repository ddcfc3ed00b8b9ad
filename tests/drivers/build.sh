#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the emulated drivers without CMake: tests/drivers/build.sh FOLDER [COMPILER FLAGS].
# A folder .objects beside them keeps what has not changed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh FOLDER [COMPILER FLAGS]}
shift
mkdir -p "$out/.objects"
out=$(cd "$out" && pwd)
cxx=${CXX:-g++}
flags=(-std=c++20 -O2 -g1 -fPIC -Wall -Wextra -Wshadow -pthread "-I$here" "-I$here/../../src" "$@")
cd "$here"

# The object of a source, compiled if it, a header, this script or the flags have changed.
compile() { # SOURCE PREFIX FLAGS...
    local source=$1 prefix=$2
    shift 2
    object="$out/.objects/$prefix-$(basename "$source" .cpp).o"
    local stamp
    stamp=$(cat "$source" machine/*.hpp faces/*.hpp ../../src/drivers/copy_runs.kernel.hpp build.sh <(echo "$cxx ${flags[*]} $*") | cksum)
    if [[ ! -f $object || $(cat "$object.stamp" 2>/dev/null) != "$stamp" ]]; then
        "$cxx" "${flags[@]}" "$@" -c "$source" -o "$object"
        echo "$stamp" > "$object.stamp"
    fi
}

link() { # FILE LINKER FLAGS AND OBJECTS...
    local file=$1
    shift
    "$cxx" "${flags[@]}" -shared -Wl,--no-undefined "-Wl,-soname,$file" -o "$out/$file.new" "$@" -ldl
    mv "$out/$file.new" "$out/$file"
}

common=()
for source in machine/*.cpp faces/face.cpp faces/description.cpp faces/pool_face.cpp faces/stream_face.cpp; do
    compile "$source" machine
    common+=("$object")
done
driver=() runtime=() hip=()
for source in faces/cuda_*.cpp faces/driver_*.cpp; do
    [[ $source == faces/cuda_runtime* ]] && continue
    compile "$source" cu -DAUREOLE_PREFIX=cu
    driver+=("$object")
done
for source in faces/cuda_runtime*.cpp faces/runtime_*.cpp; do
    compile "$source" cuda -DAUREOLE_PREFIX=cuda
    runtime+=("$object")
done
for source in faces/hip_*.cpp faces/runtime_*.cpp faces/driver_*.cpp; do
    compile "$source" hip -DAUREOLE_PREFIX=hip -DAUREOLE_OPENS=1
    hip+=("$object")
done
link libcuda.so.1 -Wl,-Bsymbolic "${common[@]}" "${driver[@]}"
link libcudart.so.13 -Wl,-rpath,'$ORIGIN' "${runtime[@]}" "$out/libcuda.so.1"
compile faces/gdr.cpp gdr
link libgdrapi.so.2 -Wl,-rpath,'$ORIGIN' "$object" "$out/libcuda.so.1"
link libamdhip64.so.6 "-Wl,--version-script=$here/hip.map" "${common[@]}" "${hip[@]}"
ln -sf libcudart.so.13 "$out/libcudart.so"
ln -sf libcuda.so.1 "$out/libcuda.so"
ln -sf libamdhip64.so.6 "$out/libamdhip64.so"
