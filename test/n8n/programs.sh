#!/usr/bin/env bash
# Installs missing programs for the proofs in a real n8n, from Debian's packages. Without apt, they must be
# installed already: a proof without its program fails and names it.
set -euo pipefail

packages=()
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || packages+=(chromium fonts-dejavu-core)
command -v redis-server >/dev/null || packages+=(redis-server)
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || packages+=(postgresql)
[ ${#packages[@]} -gt 0 ] && command -v apt-get >/dev/null || exit 0

apt=(apt-get)
[ "$(id -u)" = 0 ] || apt=(sudo apt-get)
echo "Installing ${packages[*]}"
"${apt[@]}" update -q
DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -qy --no-install-recommends "${packages[@]}"
