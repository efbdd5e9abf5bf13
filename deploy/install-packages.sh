#!/bin/sh
# Installs what Doorstep needs on Debian or Ubuntu: C libraries, PostgreSQL, nghttp2's tools. Safe to run again.
#
#   deploy/install-packages.sh           install what is missing
#   deploy/install-packages.sh --check   install nothing; exit 3 and name what is missing
set -eu

# g++ brings the headers, start files and linker that Swift's own linker step calls.
required="ca-certificates git make pkg-config g++ tzdata curl
    libpq-dev libssl-dev libnghttp2-dev libmicrohttpd-dev libcurl4-openssl-dev zlib1g-dev
    postgresql postgresql-contrib nghttp2-client nghttp2-server python3"
# What the Swift toolchain itself is linked against; names differ between releases, so only those that exist.
toolchain="libedit2 libncurses6 libsqlite3-0 libxml2 libz3-4"

say() { echo "$*" >&2; }

missing() {
    for package in $required; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

existing() {
    for package in $toolchain; do
        if apt-cache show "$package" >/dev/null 2>&1; then echo "$package"; fi
    done
}

. "$(dirname "$0")/as-root.sh"

install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

if ! command -v apt-get >/dev/null; then
    say "install-packages: this script knows Debian and Ubuntu only; install the counterparts of" $required
    exit 3
fi

wanted=$(missing)
if [ -n "$wanted" ]; then
    if [ "${1:-}" = "--check" ]; then
        say "install-packages: missing" $wanted
        exit 3
    fi
    as_root apt-get update -qq
    # `doorstep up` makes its own cluster: Debian's must not be created, nor take port 5432.
    install postgresql-common
    as_root sed -i "s/^#\? *create_main_cluster *=.*/create_main_cluster = false/" \
        /etc/postgresql-common/createcluster.conf
    install $wanted $(existing)
fi

if ! command -v swift >/dev/null; then
    say "install-packages: Swift 6.2 or newer is not on PATH. Install it from https://www.swift.org/install/linux/,"
    say "put its usr/bin on PATH and run this again."
    exit 3
fi
