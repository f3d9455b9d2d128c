// A host process that does nothing, for benches that need no host.
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';

await runProcess('host', readConfig(process.env), async (context) => {
  const awake = setInterval(() => undefined, 60_000);
  context.onStop(() => clearInterval(awake));
  context.ready();
});
