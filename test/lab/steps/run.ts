// `npm run test:lab -- --steps [cli[@version]…]`: leads each CLI through the steps, in every version of its pins, and
// prints what each step was read as; `--again` reads what was taken before by the rules as they are now, and `--changed`
// also reads it as an update of the CLI could change it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Pin, pins } from '../cli/pins.ts';
import { printChanged } from './changed.ts';
import type { Look } from './look.ts';
import { onStage } from './on-stage.ts';
import { keepOutcome, type Outcome, outcomeOf, printDoubtedRests, printOutcome } from './outcome.ts';
import { Player } from './player.ts';
import { scenes } from './scenes.ts';

const taken = fileURLToPath(new URL('../../../.cache/lab/steps/', import.meta.url));

/** What was taken of one version. */
interface Taken {
  readonly looks: readonly Look[];
  readonly missed: readonly string[];
}

/** Runs what the arguments name; answers with the number of false readings. */
export async function runSteps(words: readonly string[]): Promise<number> {
  const isAgain = words.includes('--again');
  const named = words.filter((word) => !word.startsWith('--'));
  const outcomes: Outcome[] = [];
  let changed = 0;
  for (const [harness, versions] of Object.entries(pins)) {
    for (const pin of versions.filter(({ version }) => isNamed(named, harness, version))) {
      const folder = join(taken, `${harness}-${pin.version}`);
      const found = isAgain ? readTaken(folder) : await play(harness, pin, folder);
      if (found === undefined) continue;
      const outcome = outcomeOf(harness, pin.version, found.looks, found.missed);
      printOutcome(outcome, folder);
      if (words.includes('--changed')) changed += printChanged(harness, found.looks);
      keepOutcome(outcome);
      outcomes.push(outcome);
    }
  }
  printDoubtedRests(outcomes);
  return outcomes.reduce((sum, one) => sum + one.false.length, changed);
}

function isNamed(named: readonly string[], harness: string, version: string): boolean {
  return named.length === 0 || named.includes(harness) || named.includes(`${harness}@${version}`);
}

function play(harness: string, pin: Pin, folder: string): Promise<Taken> {
  return onStage(harness, pin, async (stage) => {
    clearTaken(folder);
    const player = new Player(stage, (looks) => keepTaken(folder, looks));
    await lead(player);
    writeFileSync(join(folder, 'missed.json'), JSON.stringify(player.missed));
    return player;
  });
}

async function lead(player: Player): Promise<void> {
  await player.stage.start();
  if (player.stage.asksTrust) await player.look('trust', 'WAITING', ['120x40', '60x20', '40x12']);
  await player.stage.enter();
  for (const scene of scenes) {
    if (player.stage.isLeft) await player.stage.start();
    await player.stage.enter();
    try {
      await scene.play(player);
    } catch (error) {
      player.missed.push(`${scene.name}: ${String(error)}`);
    }
  }
}

function clearTaken(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Keeps the newest look. */
function keepTaken(folder: string, looks: readonly Look[]): void {
  const look = looks.at(-1);
  if (look === undefined) return;
  const { width, height } = look.capture;
  const name = `${String(looks.length - 1).padStart(3, '0')}-${look.step.replaceAll(' ', '-')}-${width}x${height}`;
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(look));
  writeFileSync(join(folder, 'missed.json'), '[]');
}

function readTaken(folder: string): Taken | undefined {
  if (!existsSync(folder)) return undefined;
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  return {
    looks: names.toSorted().map((name) => read(name) as Look),
    missed: read('missed.json') as string[],
  };
}
