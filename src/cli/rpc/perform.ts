import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '#cli/client/connection.ts';
import { follow } from '#cli/client/follow.ts';
import { call } from '#cli/client/http.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { watch } from '#cli/client/stream.ts';
import { type OutputFlags, writeJson, writeJsonLine } from '#cli/print/output.ts';
import { screenOf } from '#cli/print/screen.ts';
import { answerTable } from './answer-table.ts';
import type { ListedOperation } from './listed-operation.ts';

/** The flags that every operation has besides those of its fields. */
export interface RpcFlags extends OutputFlags {
  readonly json?: string;
  readonly watch?: true;
}

type Answer = Readonly<Record<string, unknown>> & { readonly cursor?: string | undefined };

/** How long to wait between polls, in milliseconds. */
const askEvery = 1_000;
/** How often a screen is redrawn without a change, in milliseconds. */
const redrawEvery = 60_000;

/** Calls an operation and writes its answer, or its answers as long as it continues. */
export async function perform(
  operation: ListedOperation,
  request: object,
  flags: RpcFlags,
  { io, connection: connect }: Session,
): Promise<void> {
  const connection = connect();
  if (operation.streams || flags.watch) {
    await writeEach(io, flags, answersOf(operation, request, flags, io, connection));
    return;
  }
  const answer = await call(connection, operation.path, request);
  if (flags.output === 'table') io.stdout.write(answerTable(io, answer));
  else if (flags.output === 'jsonl') writeJsonLine(io, answer);
  else writeJson(io, answer);
}

function answersOf(
  { path, streams }: ListedOperation,
  request: object,
  flags: RpcFlags,
  io: CliIo,
  connection: Connection,
): AsyncIterable<Answer> {
  if (!streams) return changesOf(follow(io, () => repeated(io, () => call(connection, path, request))));
  const stream = (cursor?: string) =>
    watch(connection, path, { ...request, ...(cursor && { cursor }) }, io.signal) as AsyncIterable<Answer>;
  return flags.watch ? follow(io, stream) : stream();
}

/** Repeats a call until the signal aborts. */
async function* repeated({ signal }: CliIo, ask: () => Promise<unknown>): AsyncGenerator<Answer, void> {
  while (!signal?.aborted) {
    yield (await ask()) as Answer;
    await delay(askEvery, undefined, signal && { signal }).catch(() => undefined);
  }
}

async function* changesOf(answers: AsyncIterable<Answer>): AsyncGenerator<Answer, void> {
  let last: string | undefined;
  for await (const answer of answers) {
    const text = JSON.stringify(answer);
    if (text !== last) yield answer;
    last = text;
  }
}

/** Writes each answer as a line of JSON, or as a table, which is redrawn in place on a terminal. */
async function writeEach(io: CliIo, { output }: RpcFlags, answers: AsyncIterable<Answer>): Promise<void> {
  let last: Answer = {};
  const draws = output === 'table' && io.stdout.isTTY;
  const screen = draws ? screenOf(io, () => answerTable(io, last), redrawEvery) : undefined;
  try {
    for await (const answer of answers) {
      last = answer;
      if (screen !== undefined) screen.draw();
      else if (output === 'table') io.stdout.write(answerTable(io, answer));
      else writeJsonLine(io, answer);
    }
  } finally {
    screen?.close();
  }
}
