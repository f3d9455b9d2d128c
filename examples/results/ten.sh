#!/bin/sh
# Launches an agent for each argument, waits for all of them once, and prints their results.
set -eu
for part in "$@"; do
  muster new "${TASK:-Review the folder} $part" --workflow "${WORKFLOW:-default}" --title "part-$part" >/dev/null
  set -- "$@" "part-$part"
  shift
done
muster wait "$@" --for finished --timeout "${TIMEOUT:-2h}" >&2
for name in "$@"; do
  printf '%s: ' "$name"
  muster result "$name"
done
