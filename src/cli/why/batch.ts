import { z } from 'zod';
import type { LocalCommands, ScreenInput } from '#cli/client/local.ts';
import type { Session } from '#cli/client/session.ts';
import { linesOf } from '#cli/print/lines.ts';
import { writeJsonLine } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';

const size = z.int().min(1).max(100_000).nullish();
const word = z.string().nullish();

/** One line of a batch: a screen, as one text or a list of rows, and the known details of its pane. */
const Line = z
  .object({
    harness: z.string().min(1),
    screen: z.union([z.string(), z.array(z.string()).transform((rows) => rows.join('\n'))]),
    harnessVersion: word,
    title: word,
    width: size,
    height: size,
    command: word,
    cursor: z.object({ column: z.int().min(0), row: z.int().min(0) }).nullish(),
    programStatus: word,
    progress: word,
    inMode: z.boolean().nullish(),
    dead: z.boolean().nullish(),
  })
  .transform(withoutNulls);

/**
 * Reads screens as JSON lines from standard input and answers each with a line, in order, without waiting for the end.
 * An invalid line is answered with `{"error":{"code","message"}}`, and the command then exits with 2.
 */
export async function readBatch(session: Session): Promise<void> {
  const { io } = session;
  const local = await session.local();
  let number = 0;
  for await (const line of linesOf(io.stdin)) {
    number += 1;
    const answer = answerTo(local, line, number);
    if (answer instanceof Failure) session.exitWith(2);
    writeJsonLine(io, answer instanceof Failure ? { error: answer } : answer);
  }
}

function answerTo(local: LocalCommands, line: string, number: number): object | Failure {
  const given = givenIn(line, number);
  if (given instanceof Failure) return given;
  const { state, rule, reason, evidence, detail } = local.read(given);
  return { state, rule, reason, evidence, ...(detail === '' ? {} : { detail }) };
}

function givenIn(line: string, number: number): ScreenInput | Failure {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return new Failure('INVALID_USAGE', `line ${number} is not JSON: ${JSON.stringify(line.slice(0, 60))}`);
  }
  const parsed = Line.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return new Failure('INVALID_USAGE', `line ${number}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}`);
}

/** Removes null fields, which count as unset. */
function withoutNulls<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], null> } {
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], null> };
}
