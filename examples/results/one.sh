#!/bin/sh
# Launches an agent with a prompt, waits for it, and prints its result. The exit code says how it ended.
exec muster new "$1" --workflow "${WORKFLOW:-default}" --wait --result --timeout "${TIMEOUT:-30m}"
