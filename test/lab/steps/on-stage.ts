import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearAway } from '../../leftovers.ts';
import type { Pin } from '../cli/pins.ts';
import { installedProgram } from '../install.ts';
import { playedCli } from './played-cli.ts';
import { Stage } from './stage.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Works with a CLI on a stage of its own, and removes the stage afterwards: its window, its processes and its folder.
 * A signal that stops the run does the same before the process exits.
 */
export async function onStage<Result>(
  harness: string,
  pin: Pin,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const cli = playedCli(harness, pin);
  const program = await installedProgram(harness, pin);
  const root = mkdtempSync(join(tmpdir(), 'muster-lab-steps-'));
  const stop = () => void clearAway(root).finally(() => process.exit(130));
  for (const signal of signals) process.once(signal, stop);
  try {
    const stage = await Stage.open(cli, program, root);
    try {
      return await work(stage);
    } finally {
      await stage.close();
    }
  } finally {
    await clearAway(root);
    for (const signal of signals) process.off(signal, stop);
  }
}
