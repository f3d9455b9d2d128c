import { Worker } from 'node:worker_threads';
import { withMutex } from '#world/concurrency/mutex.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import type { Fit } from './json-schema.ts';

/** How long one check may take altogether, in milliseconds: longer than what limits its parts. */
const maxMs = 20_000;
/** What the thread may use. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 } as const;

/** A schema to read, or a value as JSON to check against one. */
export interface SchemaRequest {
  readonly schema: string;
  readonly value?: string;
}

export interface SchemaAnswer {
  readonly why?: string | undefined;
  readonly fit?: Fit;
}

let thread: Worker | undefined;

/**
 * Why a text cannot be used as a JSON Schema of draft 7 or 2020-12; undefined if it can. References to other
 * documents are not followed.
 */
export async function whyNoSchema(schema: string): Promise<string | undefined> {
  const answer = await ask({ schema });
  return answer === undefined ? 'takes too long to read' : answer.why;
}

/** Checks a value, as JSON, against a schema for which `whyNoSchema` finds nothing. */
export async function fitOf(schema: string, value: string): Promise<Fit> {
  return (await ask({ schema, value }))?.fit ?? { late: true };
}

/**
 * Has the thread check one thing after another. Of one schema, only one check waits for the thread at a time, so that
 * who reports many results at once does not hold up the others. Undefined if that took too long, or too much memory or
 * stack.
 */
function ask(request: SchemaRequest): Promise<SchemaAnswer | undefined> {
  return withMutex(`schema ${sha256Of(request.schema)}`, () => askThread(request));
}

function askThread(request: SchemaRequest): Promise<SchemaAnswer | undefined> {
  return withMutex('schema thread', async () => {
    const worker = thread ?? startThread();
    thread = worker;
    const answer = await answerOf(worker, request);
    // An idle thread keeps no process alive.
    worker.unref();
    if (answer === undefined) {
      thread = undefined;
      await worker.terminate();
    }
    return answer;
  });
}

/** A thread that ends, whenever and why ever, is replaced for the next check. */
function startThread(): Worker {
  const worker = new Worker(new URL('./schema-worker.ts', import.meta.url), { resourceLimits });
  const forget = (): void => {
    if (thread === worker) thread = undefined;
  };
  return worker.on('error', forget).on('exit', forget);
}

async function answerOf(worker: Worker, request: SchemaRequest): Promise<SchemaAnswer | undefined> {
  const answered = Promise.withResolvers<SchemaAnswer | undefined>();
  const giveUp = (): void => answered.resolve(undefined);
  const timer = setTimeout(giveUp, maxMs);
  worker.ref();
  worker.once('message', answered.resolve);
  worker.once('exit', giveUp);
  worker.once('error', giveUp);
  try {
    worker.postMessage(request);
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', answered.resolve).off('exit', giveUp).off('error', giveUp);
  }
}
