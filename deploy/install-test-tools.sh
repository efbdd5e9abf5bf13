#!/bin/bash
# Installs what the tests use beyond what Doorstep needs: a browser, and others' HTTP/2 and APNs clients in a virtual
# environment of Python. Installs what is missing only; standard output is the path of that Python. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

. deploy/as-root.sh

wanted=()
for package in python3-venv chromium; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || wanted+=("$package")
done
if [ ${#wanted[@]} -gt 0 ]; then
    as_root apt-get update -qq >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" >&2
fi

requirements=Tests/Foreign/requirements.txt
folder=${XDG_CACHE_HOME:-$HOME/.cache}/doorstep/python-$(sha256sum "$requirements" | cut -c 1-12)
mkdir -p "$(dirname "$folder")"
# One at a time: test runs beside each other share the folder.
exec 9>"$folder.lock"
flock 9
if [ ! -e "$folder/complete" ]; then
    # Debian's own Python: the one that python3-venv belongs to.
    /usr/bin/python3 -m venv --clear "$folder" >&2
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$requirements" >&2
    touch "$folder/complete"
fi
echo "$folder/bin/python"
