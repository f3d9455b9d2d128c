#!/bin/sh
# Makes the passwords, certificates and state folders that compose.yaml needs, next to it:
#
#   deploy/make-secrets.sh muster.example [OTHER-NAME-OR-ADDRESS …]
#
# Name this machine as hosts and browsers reach it; the first name becomes MUSTER_NAME. What exists is kept: to replace
# something, remove its file and run this again with the same names. It needs openssl, and muster for the keys of the bus:
# this checkout after `node bin/setup.mjs`, or another command in MUSTER.
set -eu
umask 077

case ${1:--} in
  -*)
    echo "Usage: $0 NAME [NAME …]: the names and addresses at which hosts and browsers reach this machine" >&2
    exit 2
    ;;
esac
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
secrets=$here/secrets
state=$here/state
mkdir -p "$secrets" "$state"
work=$(mktemp -d "$secrets/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Writes standard input to a file that does not exist yet. The file is whole or absent.
write() {
  cat >"$work/written"
  mv "$work/written" "$1"
}

# A password begins with a letter, because nats-server reads it as a value of its configuration.
password() { printf 'p%s' "$(openssl rand -hex 24)"; }

# 32 random bytes, as muster writes them.
secret() { openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'; }

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

settings() {
  printf '%s\n' '[req]' 'distinguished_name = dn' '[dn]' '[extensions]' "$@" >"$work/settings"
}

authority() { # FILE COMMON-NAME
  if [ -e "$secrets/$1.crt" ]; then return; fi
  settings 'basicConstraints = critical, CA:TRUE, pathlen:0' 'keyUsage = critical, keyCertSign' \
    'subjectKeyIdentifier = hash'
  key "$work/key"
  openssl req -x509 -new -sha256 -days 3650 -subj "/CN=$2" -key "$work/key" -out "$work/crt" \
    -config "$work/settings" -extensions extensions
  mv "$work/key" "$secrets/$1.key"
  mv "$work/crt" "$secrets/$1.crt"
}

certificate() { # FILE AUTHORITY NAME …
  file=$1 by=$2
  shift 2
  if [ -e "$secrets/$file.crt" ]; then return; fi
  if [ ! -e "$secrets/$by.key" ]; then
    echo "$file.crt is missing, and so is $by.key, which signs it: put that key back into $secrets for now" >&2
    exit 1
  fi
  names=
  for name; do
    case $name in
      *:*) names="$names, IP:$name" ;;
      *[!0-9.]*) names="$names, DNS:$name" ;;
      *) names="$names, IP:$name" ;;
    esac
  done
  settings 'basicConstraints = critical, CA:FALSE' 'keyUsage = critical, digitalSignature' \
    'extendedKeyUsage = serverAuth, clientAuth' "subjectAltName = ${names#, }"
  key "$work/key"
  openssl req -new -sha256 -subj "/CN=$file" -key "$work/key" -out "$work/csr" -config "$work/settings"
  openssl x509 -req -sha256 -days 825 -set_serial "0x$(openssl rand -hex 16)" -in "$work/csr" -out "$work/crt" \
    -CA "$secrets/$by.crt" -CAkey "$secrets/$by.key" -extfile "$work/settings" -extensions extensions 2>"$work/said" ||
    { cat "$work/said" >&2 && exit 1; }
  mv "$work/key" "$secrets/$file.key"
  mv "$work/crt" "$secrets/$file.crt"
}

# A certificate of the bus's authority is half of what lets a server into the cluster, so that authority signs nothing else.
authority bus-ca 'muster bus'
certificate bus bus-ca nats-1 nats-2 nats-3 localhost "$@"
authority ca 'muster gateways and database'
certificate gateway ca localhost "$@"
certificate database ca database "$@"

# The keys that admit processes to the bus, what its servers trust, and the credential of gateways.
"${MUSTER:-$here/../bin/muster}" bus-keys "$secrets" >"$work/said" || { cat "$work/said" >&2 && exit 1; }

# Servers of the bus know each other by a password.
if [ ! -e "$secrets/nats.env" ]; then
  route=$(password)
  routes=
  for server in nats-1 nats-2 nats-3; do routes="$routes, \"nats-route://route:$route@$server:6222\""; done
  write "$secrets/nats.env" <<END
MUSTER_ROUTE_PASSWORD=$route
MUSTER_ROUTES='[${routes#, }]'
END
fi
if [ ! -e "$secrets/database.password" ]; then password | write "$secrets/database.password"; fi

# All registries have the operator's token and the key of the forges' credentials, in their state folders.
mkdir -p "$state/registry-1" "$state/registry-2" "$state/gateway-1" "$state/gateway-2" "$here/backups"
first=$state/registry-1
if [ ! -e "$first/operator.token" ]; then printf 'mst_%s\n' "$(secret)" | write "$first/operator.token"; fi
if [ ! -e "$first/forge.key" ]; then printf '%s\n' "$(secret)" | write "$first/forge.key"; fi
for file in operator.token forge.key; do
  if [ ! -e "$state/registry-2/$file" ]; then write "$state/registry-2/$file" <"$first/$file"; fi
done

# Containers run as the owner of these files. root hands them to another user, because nothing has to run as root.
uid=$(id -u) gid=$(id -g)
if [ "$uid" -eq 0 ]; then
  uid=${SUDO_UID:-10001} gid=${SUDO_GID:-10001}
  chown -R "$uid:$gid" "$secrets" "$state" "$here/backups"
fi
if [ ! -e "$here/.env" ]; then
  printf 'MUSTER_NAME=%s\nMUSTER_UID=%s\nMUSTER_GID=%s\n' "$1" "$uid" "$gid" | write "$here/.env"
fi
echo "Everything that compose.yaml needs is in $here. Keep secrets/ca.key and secrets/bus-ca.key elsewhere."
