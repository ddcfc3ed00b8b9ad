#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up what building needs: system packages (through apt where that is allowed) and a virtual
# environment in .venv. `tools/setup.sh fast` adds what the fast tier of the checks needs, and
# `tools/setup.sh lane [NAME...]` what those lanes (or all) need, by tests/lanes.toml; it fails if
# something cannot be installed. Each part leaves a stamp and is passed over the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake ninja-build libhwy-dev librandom123-dev libxxhash-dev libgtest-dev
    googletest python3-venv python3-dev)
stamps=.setup
mkdir -p "$stamps"

say() { printf '[setup] %s\n' "$*"; }

has_apt() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

missing_packages() { # missing_packages NAME...: those that are not installed
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            printf '%s ' "$package"
    done
}

# The newest Python among the usual names that is at least 3.11 and can make environments.
find_python() {
    for candidate in ${PYTHON:-} /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null 2>&1 && "$candidate" - 2>/dev/null <<'PY'; then
import sys, sysconfig, os, venv, ensurepip
ok = sys.version_info >= (3, 11)
ok = ok and os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))
raise SystemExit(0 if ok else 1)
PY
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# Sets as_root to what comes before a command that needs root; fails where nothing would help.
find_root() {
    as_root=()
    [ "$(id -u)" -eq 0 ] && return
    as_root=(sudo -n)
    command -v sudo >/dev/null && sudo -n true 2>/dev/null
}

# Another apt may be at work: its lock on packages is waited for by apt itself, that on lists here.
refresh_lists() { # refresh_lists LOG
    for _ in {1..60}; do
        "${as_root[@]}" apt-get update -qq >"$1" 2>&1 && return
        grep -q 'get lock' "$1" || return 1
        sleep 10
    done
    return 1
}

install() { # install LOG NAME...
    local log=$1
    shift
    refresh_lists "$log" && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq \
        -o DPkg::Lock::Timeout=600 --no-install-recommends "$@" >"$log" 2>&1
}

system_packages() {
    local stamp="$stamps/system" missing as_root
    [ -e "$stamp" ] && [ "$stamp" -nt tools/setup.sh ] && return
    if ! has_apt; then
        say "This system has no apt: make sure that the equivalents of these are there:"
        say "  ${packages[*]}"
        touch "$stamp"
        return
    fi
    missing=$(missing_packages "${packages[@]}")
    if [ -n "$missing" ]; then
        find_root || {
            say "System packages are missing, and installing them needs root. Please run"
            say "  sudo apt-get install $missing"
            say "and then the same make command again."
            exit 1
        }
        say "installing system packages: $missing"
        # shellcheck disable=SC2086 # names of packages, which are words
        install "$stamps/apt.log" $missing ||
            { tail -20 "$stamps/apt.log"; say "apt-get failed (its last lines are above)."; exit 1; }
    fi
    touch "$stamp"
}

# System packages of a tier or lane: `name|program` is passed over where that program is.
apt_packages() { # apt_packages NAME ENTRY...
    local name=$1 entry wanted=() missing as_root
    shift
    for entry in "$@"; do
        [ "$entry" != "${entry#*|}" ] && command -v "${entry#*|}" >/dev/null || wanted+=("${entry%%|*}")
    done
    [ ${#wanted[@]} -gt 0 ] || return 0
    if ! has_apt; then
        say "This system has no apt: make sure that the equivalents of these are there:"
        say "  ${wanted[*]}"
        return
    fi
    missing=$(missing_packages "${wanted[@]}")
    [ -z "$missing" ] && return
    if ! find_root; then
        say "$name needs packages, and installing them needs root. Please run"
        say "  sudo apt-get install $missing"
        return 1
    fi
    say "installing what $name needs: $missing"
    # shellcheck disable=SC2086 # names of packages, which are words
    install "$stamps/apt-$name.log" $missing || {
        tail -5 "$stamps/apt-$name.log"
        say "$missing cannot be installed (above). Check the sources of apt."
        return 1
    }
}

pip_packages() { # pip_packages NAME OPTIONS... PACKAGE...
    local name=$1
    shift
    say "installing Python packages for $name"
    .venv/bin/python -m pip install -q --disable-pip-version-check "$@" || {
        say "pip cannot install what $name needs (above). Check the network."
        return 1
    }
}

# for_part NAME: what tests/lanes.toml says that the fast tier or a lane needs.
for_part() {
    local name=$1 stamp="$stamps/lane-$1" listed package
    local -a apt pip apart
    [ -e "$stamp" ] && [ "$stamp" -nt tools/setup.sh ] && [ "$stamp" -nt tests/lanes.toml ] && return
    .venv/bin/python tools/lanes.py packages "$name" >/dev/null
    listed=$(.venv/bin/python tools/lanes.py packages "$name" apt) && read -ra apt <<<"$listed"
    listed=$(.venv/bin/python tools/lanes.py packages "$name" pip) && read -ra pip <<<"$listed"
    listed=$(.venv/bin/python tools/lanes.py packages "$name" apart) && read -ra apart <<<"$listed"
    apt_packages "$name" "${apt[@]}"
    [ ${#pip[@]} -eq 0 ] || pip_packages "$name" "${pip[@]}"
    # Programs of Open MPI have the names of MPICH's.
    for package in "${apart[@]}"; do
        pip_packages "$name" --ignore-installed --no-deps --prefix "$stamps/${package%%[<>=]*}" "$package"
    done
    touch "$stamp"
}

requirements() { # requirements FILE: installs it into .venv
    say "installing Python packages into .venv ($1)"
    .venv/bin/python -m pip install -q --disable-pip-version-check --use-pep517 -r "$1"
}

environment() {
    local stamp="$stamps/venv" python
    [ -e "$stamp" ] && [ "$stamp" -nt tools/requirements.txt ] && [ -x .venv/bin/python ] && return
    if [ ! -x .venv/bin/python ]; then
        python=$(find_python) || {
            say "No Python of at least 3.11 with headers and venv was found."
            say "Install one (Debian: python3-venv python3-dev), or set PYTHON=/path/to/python3."
            exit 1
        }
        say "making the virtual environment .venv with $python"
        "$python" -m venv .venv
    fi
    requirements tools/requirements.txt
    # The tree itself is importable, with the extension that the build puts beside its Python files.
    local site
    site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
    printf '%s\n' "$PWD/python" >"$site/aureole-tree.pth"
    cat >.venv/bin/aureole <<SH
#!/bin/sh
exec "$PWD/.venv/bin/python" -c 'import sys; from aureole.cli import main; sys.exit(main())' "\$@"
SH
    chmod +x .venv/bin/aureole
    touch "$stamp"
}

# What pip would write of the tree: its extras, which pip installs by name, and the command that benchmarks add.
describe_tree() {
    local stamp="$stamps/tree" site
    [ "$stamp" -nt pyproject.toml ] && [ "$stamp" -nt CMakeLists.txt ] && [ "$stamp" -nt "$stamps/venv" ] && return
    site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
    rm -rf "$site"/aureole-*.dist-info
    .venv/bin/python - "$site" >"$stamps/tree.log" <<'PY' || { cat "$stamps/tree.log"; exit 1; }
import pathlib, sys
from scikit_build_core.build import prepare_metadata_for_build_wheel
about = pathlib.Path(sys.argv[1], prepare_metadata_for_build_wheel(sys.argv[1]))
(about / "INSTALLER").write_text("tools/setup.sh\n")
PY
    touch "$stamp"
}

case "${1:-}" in
"" | fast | lane) ;;
*)
    say "usage: tools/setup.sh [fast | lane [NAME...]] (see the top of it); $1 is none of these."
    exit 1
    ;;
esac
system_packages
environment
describe_tree
case "${1:-}" in
fast) for_part fast ;;
lane)
    shift
    names=$*
    [ -n "$names" ] || names=$(.venv/bin/python tools/lanes.py packages)
    for name in $names; do for_part "$name"; done
    ;;
esac
