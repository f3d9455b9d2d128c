// Ends a process whose Node is older than muster needs, with one sentence and 1. An entry point imports this first, because
// what it imports next may not work in an older Node.
import { oldestNode } from './oldest-node.mjs';

if (Number.parseInt(process.versions.node, 10) < Number.parseInt(oldestNode, 10)) {
  const { hasSources } = await import('./program-state.mjs');
  const how = hasSources
    ? "run `npm start` in muster's folder, which installs one, then bin/muster in place of bin/muster.mjs."
    : 'install one, such as from https://nodejs.org, and then muster with its npm.';
  process.stderr.write(`muster needs Node ${oldestNode} or newer, and this is ${process.versions.node}: ${how}\n`);
  process.exit(1);
}
