import { parentPort } from 'node:worker_threads';
import { fitOf, whyNoSchema } from './json-schema.ts';
import type { SchemaAnswer, SchemaRequest } from './schema-thread.ts';

// The thread that reads schemas and checks values against them, started by `schema-thread.ts`: both come from callers,
// and take time and memory that nobody else must wait for.

parentPort?.on('message', ({ schema, value }: SchemaRequest) => {
  const answer: SchemaAnswer =
    value === undefined ? { why: whyNoSchema(schema) } : { fit: fitOf(schema, JSON.parse(value)) };
  parentPort?.postMessage(answer);
});
