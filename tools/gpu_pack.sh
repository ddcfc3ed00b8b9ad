#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds what `make gpu-check` runs on a machine with a GPU but no compiler and no network, and puts it
# in third_party/pack: the test programs and the extension, for Python's stable ABI from 3.12 on,
# wheels, DHFR where ../shared/data has it, and what messages of MPI need: aureole-mpi, two MPIs, UCX.
# Needs nvcc, or with AUREOLE_GPU=hip ROCm, whose major version is that of the other machine. At most 47 MB.
# `tools/gpu_pack.sh mpi` makes the last alone, mpi.tar.xz, without nvcc.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=${AUREOLE_GPU_BUILD:-build-gpu}
pack=third_party/pack
abi=3.12
say() { printf '[pack] %s\n' "$*"; }

# Headers of a Python from 3.12 on: this one's, or Debian's, unpacked beside the build.
headers_of_python() {
    .venv/bin/python -c 'import sys, sysconfig
if sys.version_info >= (3, 12): print(sysconfig.get_paths()["include"])' | grep . && return
    local apt=$root/$build/apt release=trixie package=libpython3.13-dev site
    if [ ! -d "$apt/root" ]; then
        mkdir -p "$apt"/{state,lists/partial,cache/archives/partial}
        site=$(apt-get indextargets --format '$(SITE)' | grep '/debian/*$' | head -1) # this machine's mirror
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $release main" >"$apt/sources.list"
        local options=(-oDir::State="$apt/state" -oDir::State::Lists="$apt/lists" -oDir::State::status=/dev/null
            -oDir::Cache="$apt/cache" -oDir::Etc::sourcelist="$apt/sources.list" -oDir::Etc::sourceparts=/dev/null)
        apt-get -qq "${options[@]}" update >&2
        (cd "$apt" && apt-get -qq "${options[@]}" download $package >&2)
        dpkg -x "$apt"/$package*.deb "$apt/root"
    fi
    ls -d "$apt"/root/usr/include/python3.*
}

extension() { # _core.abi3.so; nanobind's CMake functions refuse a stable ABI where Python is older
    local python nanobind objects=$build/abi3 unit
    python=$(headers_of_python)
    nanobind=$(.venv/bin/python -c 'import nanobind, os; print(os.path.dirname(nanobind.__file__))')
    mkdir -p "$objects"
    local flags=(-std=c++20 -O2 -DNDEBUG -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-strict-aliasing
        -ffunction-sections -fdata-sections -DPy_LIMITED_API=0x030C0000 "-DAUREOLE_GPU_VENDOR=\"$vendor\"" "-DAUREOLE_GPU_ARCHITECTURES=\"${code//;/ }\"" "-DAUREOLE_GPU_${vendor^^}=1" -D__HIP_PLATFORM_AMD__=1
        "-DAUREOLE_VERSION=\"$(sed -n 's/^project(aureole VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)\"" -DXXH_INLINE_ALL
        -Isrc -I$build/generated -isystem "$python" -isystem "$(dirname "$python")" -isystem "$nanobind/include" -isystem "$nanobind/ext/robin_map/include")
    local ccache=()
    if command -v ccache >/dev/null; then ccache=(ccache); fi
    printf '%s\n' src/python/*.cpp "$nanobind/src/nb_combined.cpp" |
        xargs -P "$(nproc)" -I{} sh -c '"$@" -c "$0" -o "'"$objects"'/$(basename "$0").o"' {} "${ccache[@]}" c++ "${flags[@]}"
    mapfile -t unit < <(ls "$objects"/*.o)
    c++ -shared -s -Wl,--gc-sections -o "$1" "${unit[@]}" $build/libaureole_md.a $build/libaureole_amr.a $build/libaureole_io.a \
        $build/libaureole_halo.a $build/libaureole_fft.a $build/libaureole_comm.a $build/libaureole_tasks.a $build/libaureole_device.a \
        "${runtime[@]}" -ldl -lpthread
}

messages() { # mpi.tar.xz, with the library of a build; the MPIs are those of the lane mpi
    say "messages of MPI, with UCX and CUDA's runtime from PyPI"
    tools/setup.sh lane mpi
    mkdir -p "$pack"
    .venv/bin/python tools/gpu_mpi/pack.py $build/mpi-pack --preload "$1" --download --archive "$pack/mpi.tar.xz"
}

case ${1:-all} in all | mpi) ;; *)
    echo "there is no pack '$1'. Give mpi, or nothing; AUREOLE_GPU says whose GPUs." >&2
    exit 1 ;;
esac
if [ "${1:-all}" = mpi ]; then
    .venv/bin/python tools/lanes.py build native aureole_mpi aureole-mpi aureole-mpi-bench
    messages build/preload
    exit
fi

vendor=${AUREOLE_GPU:-cuda}
case $vendor in
    cuda)
        runtime=(-L"$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")/lib64" -lcudart_static -lrt)
        code=${AUREOLE_GPU_CODE:-90}
        architectures=CMAKE_CUDA_ARCHITECTURES
        peers=(openmm openmm-cuda-13)
        ;;
    hip)
        runtime=(-L"${ROCM_PATH:-/opt/rocm}/lib" -lamdhip64)
        code=${AUREOLE_GPU_CODE:-gfx90a;gfx942}
        architectures=AUREOLE_HIP_CODE
        peers=(openmm "openmm-hip-${AUREOLE_ROCM_MAJOR:-6}")
        ;;
    *)
        echo "AUREOLE_GPU=$vendor: there are packs for cuda and hip. Choose one." >&2
        exit 1
        ;;
esac
say "building for the GPU (about ten minutes on two cores)"
cmake -G Ninja -S . -B $build -DAUREOLE_GPU="$vendor" -D$architectures="$code" -DAUREOLE_ISAS="${AUREOLE_GPU_ISAS:-avx2}" -DAUREOLE_PYTHON=OFF >$build.log
cmake --build $build -j "$(nproc)" -- --quiet all bench_device
rm -rf "$pack"
mkdir -p "$pack/bin" "$pack/wheels"
echo "$vendor" >"$pack/vendor"
for program in test_core test_device test_tasks test_fft test_amr test_md bench_device; do
    strip -o "$pack/bin/$program" $build/$program
done
say "the extension"
extension "$pack/bin/_core.abi3.so"
(cd "$pack" && XZ_OPT='-6 -T0' tar cJf programs.tar.xz -C bin . && rm -rf bin)
messages $build/preload
say "wheels"
.venv/bin/python -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version $abi --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_34_x86_64 -d "$pack/wheels" gsd chemfiles msgspec "${peers[@]}"
if [ -d ../shared/data/dhfr ]; then cp -rL ../shared/data/dhfr "$pack/"; fi
chmod -R u+w "$pack"
size=$(du -sm "$pack" | cut -f1)
say "$pack holds $size MB (at most 47)"
[ "$size" -le 47 ]
