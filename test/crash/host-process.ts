import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Moment } from '#actors/host/agent/moment.ts';
import { runHost } from '#actors/host/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';

const config = readConfig(process.env);
/** Where a test writes the moment at which this host is to die. */
const trap = join(config.home, 'trap');

/** Dies as by `kill -9` at the moment that the trap names; the trap is removed first, so that it strikes once. */
function observe({ name, about }: Moment): void {
  if (!existsSync(trap) || readFileSync(trap, 'utf8') !== `${name} ${about}`) return;
  rmSync(trap);
  process.kill(process.pid, 'SIGKILL');
}

await runProcess('host', config, (context) => runHost(context, observe));
