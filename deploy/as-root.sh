# To be sourced: runs a command as root, by sudo where we are not.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "$(basename "$0"): installing packages takes root or sudo; run this script as root once." >&2
        exit 3
    fi
}
