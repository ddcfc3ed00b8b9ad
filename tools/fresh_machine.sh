#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lane `fresh`: a bare Debian 12 (debootstrap) in which a clone of this tree is made and the commands of the
# README are run as printed; and a second one, for its lines that install by pip. It prints and keeps in
# build/fresh.log how long each command took.
#
# The machines get this one's sources of apt for Debian 12, its proxies, certificates and settings of pip, and
# nothing else. All mounts are in a namespace of their own: they vanish with this script, however it ends.
# With --keep the two machines stay in build-fresh/.
set -euo pipefail
script=$(realpath "$0")
cd "$(dirname "$script")/.."
suite=bookworm
tree=$PWD
place=$tree/build-fresh
log=$tree/build/fresh.log

say() { printf '[fresh] %s\n' "$*" | tee -a "$log"; }
stop() {
    printf '[fresh] %s\n' "$*"
    exit 1
}

# ------------------------------------------------------------------------------------ outside of the namespace

remove() { # mounts are elsewhere: what is here is files
    [ -n "${keep:-}" ] && return
    for _ in 1 2 3 4 5; do # what was just killed may still write
        rm -rf --one-file-system "$place" 2>/dev/null && return
        sleep 1
    done
    say "$place could not be removed"
}

outside() {
    [ "$(id -u)" -eq 0 ] || stop "this needs root, for debootstrap, mount and chroot. Use: sudo make check LANES=fresh"
    command -v debootstrap >/dev/null || stop "debootstrap is missing. Use: tools/setup.sh lane fresh"
    local apart=(unshare --mount --pid --fork --kill-child --mount-proc)
    "${apart[@]}" true 2>/dev/null ||
        stop "no namespaces of mounts and processes are permitted here (a container?). Use a machine where they are."
    mkdir -p "$tree/build"
    exec 9>"$tree/build/fresh.lock"
    flock -n 9 || stop "another run has build-fresh/. Wait for its end."
    : >"$log"
    rm -rf --one-file-system "$place" # of a run that was killed
    trap remove EXIT
    trap 'kill -KILL "$inner" 2>/dev/null || true; exit 143' INT TERM HUP
    setpriv --pdeathsig KILL "${apart[@]}" "$script" --inside &
    inner=$!
    local code=0
    wait "$inner" || code=$?
    exit "$code"
}

# ------------------------------------------------------------------------------------- a machine in a folder

mirror() { # where this machine's apt has Debian 12 from
    local found
    found=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$suite" '$2 == suite && $3 == "main" && /^(https?|file):/ { print $1; exit }')
    echo "${found:-http://deb.debian.org/debian}"
}

# Variables that lead to the network: of all programs, and those that apt alone knows.
network() {
    env | grep -E '^(https?|ftp|all|no)_proxy=|^(HTTPS?|FTP|ALL|NO)_PROXY=|^PIP_|^SSL_CERT_|^(REQUESTS|CURL)_CA_BUNDLE=' || true
    local scheme given
    for scheme in http https; do
        given=$(apt-config shell given "Acquire::$scheme::Proxy" 2>/dev/null) && eval "$given"
        local name=${scheme}_proxy
        [ -z "${given:-}" ] || [ "$given" = DIRECT ] || [ -n "${!name:-}" ] || echo "$name=$given"
    done
}

# Sources of this suite with their keys, and how apt reaches them.
carry_apt() { # carry_apt MACHINE
    local to=$1/etc/apt file key
    mkdir -p "$to"
    for file in apt.conf apt.conf.d auth.conf auth.conf.d trusted.gpg trusted.gpg.d keyrings; do
        [ ! -e "/etc/apt/$file" ] || cp -aL "/etc/apt/$file" "$to/"
    done
    mkdir -p "$to/sources.list.d"
    local carried=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] && grep -qE "^[^#]*[[:space:]]$suite([[:space:]/]|\$)" "$file" || continue
        cp -L "$file" "$1$file"
        carried+=("$file")
    done
    [ ${#carried[@]} -gt 0 ] || return 0
    [ -f /etc/apt/sources.list ] && grep -q "[[:space:]]$suite" /etc/apt/sources.list || rm -f "$to/sources.list"
    for key in $(grep -hoiE '(signed-by[:=] *)/[^] ]+' "${carried[@]}" | grep -o '/.*'); do
        [ ! -f "$key" ] || install -D -m 644 "$key" "$1$key"
    done
}

# Certificates of this machine, settings of pip, and the files and folders that these name.
carry_network() { # carry_network MACHINE
    local machine=$1 file
    cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
    if compgen -G '/usr/local/share/ca-certificates/*' >/dev/null; then
        cp -rL /usr/local/share/ca-certificates "$machine/usr/local/share/"
    fi
    for file in /etc/pip.conf /etc/xdg/pip/pip.conf; do
        [ ! -f "$file" ] || install -D "$file" "$machine$file"
    done
    for file in .config/pip/pip.conf .pip/pip.conf; do
        [ ! -f "$HOME/$file" ] || install -D "$HOME/$file" "$machine/root/$file"
    done
    { network; cat "$machine"/etc/pip.conf "$machine"/etc/xdg/pip/pip.conf "$machine"/root/.config/pip/pip.conf \
        "$machine"/root/.pip/pip.conf 2>/dev/null || true; } | grep -oE '[= ]/[^ ]+' | cut -c2- | sort -u |
        while read -r file; do
            [ -e "$file" ] && [ ! -e "$machine$file" ] || continue
            mkdir -p "$machine$(dirname "$file")"
            cp -rL "$file" "$machine$file"
        done
}

mount_into() { # mount_into MACHINE
    local name
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys"
    mount -t tmpfs -o mode=755 tmpfs "$1/dev"
    for name in null zero full random urandom tty; do
        touch "$1/dev/$name"
        mount --bind "/dev/$name" "$1/dev/$name"
    done
    mkdir "$1/dev/pts" "$1/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$1/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
    ln -s pts/ptmx "$1/dev/ptmx"
    ln -s /proc/self/fd "$1/dev/fd"
    for name in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${name%%:*}" "$1/dev/${name##*:}"; done
}

# The tree as it is, with the history of its commits: what `git clone` brings, and changes of files beside.
clone_into() { # clone_into FOLDER
    git -c safe.directory='*' clone -q --no-checkout --no-hardlinks "$tree" "$1"
    git -C "$tree" -c safe.directory='*' ls-files -co --exclude-standard -z |
        while IFS= read -r -d '' file; do [ ! -e "$tree/$file" ] || printf '%s\0' "$file"; done |
        tar -C "$tree" --null --verbatim-files-from -T - -c | tar -C "$1" --no-same-owner -x
    git -C "$1" reset -q
}

# in_machine MACHINE COMMAND: as root of that machine types it, in the clone.
in_machine() {
    chroot "$1" /usr/bin/env -i "${variables[@]}" HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c "cd /root/aureole && $2" </dev/null
}

# step NAME COMMAND...: runs it and tells its time; what fails ends all.
step() {
    local name=$1 began=$SECONDS code took
    shift
    say "\$ $name"
    set +e # which would hold for all of a function that is called in a condition
    (set -e; "$@") 2>&1 | tee -a "$log"
    code=${PIPESTATUS[0]}
    set -e
    took=$(awk -v s=$((SECONDS - began)) 'BEGIN { printf "%.1f", s / 60 }')
    told+=("$(printf '%5s minutes, exit code %s: %s' "$took" "$code" "$name")")
    say "exit code $code after $took minutes: $name"
    [ "$code" -eq 0 ] || stop "\`$name\` failed on a fresh machine (above, and in ${log#"$tree"/})."
}

bare_machine() { # bare_machine FOLDER
    env "${variables[@]}" debootstrap --variant=minbase --include=git,make,ca-certificates \
        "$suite" "$1" "$(mirror)" >"$place/debootstrap.log" 2>&1 || {
        tail -20 "$place/debootstrap.log" "$1/debootstrap/debootstrap.log" 2>/dev/null
        return 1
    }
    carry_apt "$1"
    carry_network "$1"
    mkdir -p "$1/root/aureole"
    mount_into "$1"
    in_machine "$1" 'update-ca-certificates >/dev/null && apt-get update -qq'
    umount -R "$1/proc" "$1/sys" "$1/dev"
}

# The lines of the README that install by pip: `sudo` is nothing for root, and apt asks nobody.
in_second() { # in_second MACHINE
    printf '#!/bin/sh\nexec "$@"\n' >"$1/usr/local/bin/sudo"
    chmod +x "$1/usr/local/bin/sudo"
    echo 'APT::Get::Assume-Yes "true";' >"$1/etc/apt/apt.conf.d/99assume-yes"
    in_machine "$1" "set -e; $installing
cd / # where the tree cannot be imported
aureole --version
aureole doctor
python3 /root/four_lines.py"
}

# ------------------------------------------------------------------------------------- inside of the namespace

inside() {
    told=()
    mapfile -t variables < <(network)
    mapfile -t commands < <(.venv/bin/python tools/readme_commands.py make)
    installing=$(.venv/bin/python tools/readme_commands.py pip)
    [ ${#commands[@]} -eq 2 ] && [ -n "$installing" ] || stop "the README does not show its commands (tools/readme_commands.py)"
    mkdir -m 700 "$place"
    trap 'for line in "${told[@]}"; do say "$line"; done' EXIT
    step "debootstrap, twice" bare_machine "$place/first"
    cp -a "$place/first" "$place/second"
    for machine in first second; do
        mount_into "$place/$machine"
        clone_into "$place/$machine/root/aureole"
    done
    for command in "${commands[@]}"; do step "$command" in_machine "$place/first" "$command"; done
    .venv/bin/python tools/readme_commands.py python >"$place/second/root/four_lines.py"
    step "pip install . (the lines of the README)" in_second "$place/second"
}

keep=
case "${1:-}" in
"") outside ;;
--keep) keep=yes && outside ;;
--inside) inside ;;
*) stop "usage: tools/fresh_machine.sh [--keep] (see the top of it)" ;;
esac
exit # what follows, if the file has grown since, is not read
