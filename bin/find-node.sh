# Sets $node to the Node that runs the muster in $root: the one that a clone has installed; else the one beside the npm that
# installed the package, because an agent's PATH may name another; else the one on the PATH. It is empty if there is none.
node=$root/node_modules/.bin/node
if [ ! -x "$node" ]; then
  node=
  if [ ! -e "$root/src/main.ts" ]; then
    prefix=${root%/lib/node_modules/*}
    node=$prefix/bin/node
    if [ "$prefix" = "$root" ] || [ ! -x "$node" ]; then
      node=
      if command -v node >/dev/null; then node=node; fi
    fi
  fi
fi
