import type { Performer } from '#actors/host/agent/performer.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { type CliStartOptions, cliStartOf, versionOf } from './cli-start.ts';

/** How long a CLI may take to print its version, in milliseconds. Nothing waits for it. */
const versionWithin = 10_000;

/** Asks the CLI in the agent's window for its version, if it can be asked. */
export function readVersion(options: CliStartOptions): Performer {
  return {
    step: undefined,
    inBackground: true,
    async perform({ record }) {
      const { paneId } = readAgentContext(record.snapshot);
      const harnessVersion = await versionOf(await cliStartOf(options, record), versionWithin);
      if (paneId === undefined || harnessVersion === undefined) return undefined;
      return { type: 'VERSION_READ', paneId, harnessVersion };
    },
  };
}
