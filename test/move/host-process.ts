import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Moment } from '#actors/host/agent/moment.ts';
import { runHost } from '#actors/host/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';

const config = readConfig(process.env);
/** Where a test writes who is to die at which moment of this host, such as `registry after-commit PACKED`. */
const trap = join(config.home, 'trap');
const registryPid = join(dirname(config.home), 'home', 'run', 'registry.pid');

/** Kills this host or the registry as by `kill -9` at the moment that the trap names; the trap strikes once. */
function observe({ name, about }: Moment): void {
  const [who, ...moment] = existsSync(trap) ? readFileSync(trap, 'utf8').split(' ') : [];
  if (moment.join(' ') !== `${name} ${about}`) return;
  rmSync(trap);
  process.kill(
    who === 'registry' ? (JSON.parse(readFileSync(registryPid, 'utf8')) as { pid: number }).pid : process.pid,
    'SIGKILL',
  );
}

await runProcess('host', config, (context) => runHost(context, observe));
