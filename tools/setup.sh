#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up what building and testing need: system packages (through apt where that is allowed) and
# a virtual environment in .venv. Each part leaves a stamp and is passed over the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake ninja-build libhwy-dev librandom123-dev libxxhash-dev libgtest-dev
    googletest python3-venv python3-dev clang-format)
# What some tests use, and skip without: a browser for pages of HTML.
wanted=(chromium)
stamps=.setup
mkdir -p "$stamps"

say() { printf '[setup] %s\n' "$*"; }

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

system_packages() {
    local stamp="$stamps/system" missing as_root=()
    [ -e "$stamp" ] && [ "$stamp" -nt tools/setup.sh ] && return
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This system has no apt: make sure that the equivalents of these are there:"
        say "  ${packages[*]}"
        touch "$stamp"
        return
    fi
    missing=$(missing_packages "${packages[@]}")
    if [ -n "$missing" ]; then
        if [ "$(id -u)" -ne 0 ]; then
            if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
                as_root=(sudo -n)
            else
                say "System packages are missing, and installing them needs root. Please run"
                say "  sudo apt-get install $missing"
                say "and then the same make command again."
                exit 1
            fi
        fi
        say "installing system packages: $missing"
        "${as_root[@]}" apt-get update -qq
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq \
            --no-install-recommends $missing >"$stamps/apt.log" 2>&1 ||
            { tail -20 "$stamps/apt.log"; say "apt-get failed (its last lines are above)."; exit 1; }
    fi
    wanted_packages
    touch "$stamp"
}

# Installs what is only wanted, where that needs no question.
wanted_packages() {
    local missing as_root=()
    missing=$(missing_packages "${wanted[@]}")
    [ -z "$missing" ] && return
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            say "without $missing some tests are skipped"
            return
        fi
    fi
    say "installing $missing for tests of pages"
    "${as_root[@]}" apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq \
            --no-install-recommends $missing >"$stamps/apt-wanted.log" 2>&1 ||
        say "that failed ($stamps/apt-wanted.log): some tests will be skipped"
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
    say "installing Python packages into .venv (tools/requirements.txt)"
    .venv/bin/python -m pip install -q --disable-pip-version-check -r tools/requirements.txt
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

system_packages
environment
