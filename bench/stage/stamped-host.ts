// muster's own host, which also appends the time of each decision and of its commit to the file in its argument.
import { appendFileSync } from 'node:fs';
import { runHost } from '#actors/host/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import type { HostStamp } from './transition-steps.ts';

const file = process.argv[2] ?? '';

await runProcess('host', readConfig(process.env), (context) =>
  runHost(context, ({ name, agentId, about }) => {
    if (about !== 'READING' || (name !== 'before-commit' && name !== 'after-commit')) return;
    const stamp: HostStamp = { name, agentId, at: performance.timeOrigin + performance.now() };
    appendFileSync(file, `${JSON.stringify(stamp)}\n`);
  }),
);
