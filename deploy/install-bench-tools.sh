#!/bin/bash
# Installs what `make bench` measures Doorstep against beyond what the tests use: a load generator, and PostgreSQL's client for
# Node from Debian's packages, which are unpacked only, as any Node will do. Standard output is the folder of Node's modules.
# Safe to run again.
set -euo pipefail

. "$(dirname "$0")/as-root.sh"

wanted=()
command -v wrk >/dev/null || wanted+=(wrk)
command -v node >/dev/null || wanted+=(nodejs)
if [ ${#wanted[@]} -gt 0 ]; then
    as_root apt-get update -qq >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" >&2
fi

folder=${XDG_CACHE_HOME:-$HOME/.cache}/doorstep/node-pg
if [ ! -e "$folder/complete" ]; then
    mkdir -p "$folder"
    cd "$folder"
    packages=(node-pg node-split2 node-readable-stream node-xtend)
    apt-get download -q "${packages[@]}" >&2
    for package in *.deb; do dpkg -x "$package" .; done
    rm -f ./*.deb
    touch complete
fi
echo "$folder/usr/share/nodejs"
