// `npm run screens`: pictures of the page for docs/screens/, of a service whose agents show recorded screens of claude and codex.
// Each screen is one function; named ones alone are taken by `npm run screens -- pane review`.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeSharedBrowser } from '../browser.ts';
import { agentScreens } from './agent-screens.ts';
import { type Fleet, gatherFleet } from './fleet.ts';
import { machineScreens } from './machine-screens.ts';
import { connectForge } from './pulls.ts';
import { serviceScreens } from './service-screens.ts';
import { workScreens } from './work-screens.ts';

const folder = fileURLToPath(new URL('../../../docs/screens', import.meta.url));

/** Each picture: what it is called, where it is taken, and what must be seen by then. */
const screens: Readonly<Record<string, (fleet: Fleet) => Promise<void>>> = {
  ...agentScreens(folder),
  ...machineScreens(folder),
  ...workScreens(folder),
  ...serviceScreens(folder),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(screens, name));
if (unknown.length > 0)
  throw new Error(`there is no screen ${unknown.join(', ')}, only ${Object.keys(screens).join(', ')}`);
mkdirSync(folder, { recursive: true });
const failed: Error[] = [];
const fleet = await gatherFleet();
try {
  const forge = await connectForge(fleet);
  try {
    for (const [name, take] of Object.entries(screens)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await take(fleet).catch((error: unknown) => failed.push(new Error(name, { cause: error })));
    }
  } finally {
    await forge.close();
  }
} finally {
  await fleet.stop();
  await closeSharedBrowser();
}
if (failed.length > 0) throw new AggregateError(failed, 'some screens were not taken');
