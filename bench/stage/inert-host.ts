// A host that goes online and takes over its agents like muster's own, but performs no effects.
import { join } from 'node:path';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { effectlessHost } from './effectless-host.ts';

await runProcess('host', readConfig(process.env), async (context) => {
  const runDir = join(context.config.home, 'run');
  const host = await effectlessHost(context, createTmuxTerminals({ runDir, environment: {} }));
  await host.start();
  context.ready();
});
