import { runRegistry } from '#actors/registry/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { shiftedTime } from './shifted-time.ts';

const config = readConfig(process.env);

// Hosts keep the time of the machine: the night passes for the registry alone.
await runProcess('registry', config, (context) =>
  runRegistry(context, { clock: shiftedTime(config.home), hostTime: systemTimer.monotonic }),
);
