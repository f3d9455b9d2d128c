// muster's own host, which notes in the file that it is given when each decision of an agent was made and recorded.
import { appendFileSync } from 'node:fs';
import { runHost } from '#actors/host/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import type { HostStamp } from './move-steps.ts';

const file = process.argv[2] ?? '';

await runProcess('host', readConfig(process.env), (context) =>
  runHost(context, ({ name, agentId, about }) => {
    if (about !== 'READING' || (name !== 'before-commit' && name !== 'after-commit')) return;
    const stamp: HostStamp = { name, agentId, at: performance.timeOrigin + performance.now() };
    appendFileSync(file, `${JSON.stringify(stamp)}\n`);
  }),
);
