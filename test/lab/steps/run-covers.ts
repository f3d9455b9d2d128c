// `npm run test:lab -- --covers [cli[@version]…]`: opens every command and key of each CLI at rest, reads what stands
// open, and types: IDLE is right only if what is typed reaches the composer. `--again` reads what was taken before,
// and `--more` opens what was not opened before.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Pin, pins } from '../cli/pins.ts';
import { type Cover, openCovers } from './covers.ts';
import { readCaptureOf } from './look.ts';
import { onStage } from './on-stage.ts';

const taken = fileURLToPath(new URL('../../../.cache/lab/covers/', import.meta.url));

/** Runs what the arguments name, else the newest version of each; answers with the number of false readings. */
export async function runCovers(words: readonly string[]): Promise<number> {
  const named = words.filter((word) => !word.startsWith('--'));
  let falseOnes = 0;
  for (const [harness, versions] of Object.entries<readonly Pin[]>(pins)) {
    const isNamed = named.length === 0 || named.includes(harness);
    const wanted = versions.filter(
      ({ version }, place) => (place === 0 && isNamed) || named.includes(`${harness}@${version}`),
    );
    for (const pin of wanted) {
      const file = join(taken, `${harness}-${pin.version}.json`);
      if (!words.includes('--again')) await play(harness, pin, file, words.includes('--more'));
      falseOnes += print(harness, pin.version, readCovers(file));
    }
  }
  return falseOnes;
}

function play(harness: string, pin: Pin, file: string, isMore: boolean): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const covers = isMore ? readCovers(file) : [];
  return onStage(harness, pin, async (stage) => {
    await stage.start();
    await stage.enter();
    const keep = (cover: Cover): void => {
      covers.push(cover);
      writeFileSync(file, JSON.stringify(covers));
    };
    await openCovers(stage, keep, (opener) => covers.some((cover) => cover.opener === opener));
  });
}

function readCovers(file: string): Cover[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Cover[]) : [];
}

function print(harness: string, version: string, covers: readonly Cover[]): number {
  const judged = covers.map((cover) => {
    const { state, reason, rule } = readCaptureOf(harness, cover.capture);
    const isFalse = state === 'AGENT_STATE_IDLE' && !cover.reaches;
    const told = `${cover.opener}: ${cover.reaches ? 'reaches the composer' : 'covers it'}, ${state} ${reason} by ${rule}`;
    return { isFalse, isShy: cover.reaches && state !== 'AGENT_STATE_IDLE', told };
  });
  const [wrong, shy] = [judged.filter(({ isFalse }) => isFalse), judged.filter(({ isShy }) => isShy)];
  const lines = [
    `${harness} ${version}: ${covers.length} opened, ${wrong.length} falsely IDLE, ${shy.length} not IDLE though free`,
    ...wrong.map(({ told }) => `  FALSE ${told}`),
    ...shy.map(({ told }) => `  shy   ${told}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return wrong.length;
}
