import { createHash } from 'node:crypto';
import { randomFrom } from './random.ts';
import { isSoak, type Test } from './soak.ts';

/** The part that this run takes; the runner chooses it, and prints it. */
const turnOfRun = Number(process.env['MUSTER_TEST_TURN'] ?? 0);

/**
 * Of many cases that one test is run with: a part in the suite, all of them in soak, so that the suite stays short.
 * Which part changes from run to run; over the runs, each case has its turn. There is always one.
 * @param turn has tests that go over the same cases take different ones
 * @param part one case of so many is taken
 */
export function someOf<T>(cases: readonly T[], turn = 0, part = 3): readonly T[] {
  return isSoak ? cases : partOf(cases, turn, part, turnOfRun);
}

/** Whether one of many named cases is in the part that this run takes, as those of `someOf`; in soak each is. */
export function isTaken(name: string, part = 3): boolean {
  return isSoak || isInPart(name, part, turnOfRun);
}

/** A costly test that others of its group come close to: it runs in half of the runs, and in soak. */
export function inTurn(title: string, test: Test): void {
  if (isTaken(title, 2)) it(title, test);
}

/** Of as many turns in a row as there are parts, a case is taken in one. */
export function isInPart(name: string, part: number, turnOfRun: number): boolean {
  const place = createHash('sha256').update(name).digest().readUInt32BE();
  return (place + turnOfRun) % part === 0;
}

/** Cases that are in different lists take turns independently, so that a test of two lists meets every pair. */
export function partOf<T>(cases: readonly T[], turn: number, part: number, turnOfRun: number): readonly T[] {
  const parts = Math.min(part, cases.length);
  const first = turnOfRun === 0 ? 0 : Math.floor(randomFrom(turnOfRun + cases.length)() * parts);
  return cases.filter((_, at) => at % parts === (turn + first) % parts);
}
