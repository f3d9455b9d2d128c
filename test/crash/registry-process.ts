import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runRegistry } from '#actors/registry/main.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import { openStore, type Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { movedTime } from './moved-time.ts';

const config = readConfig(process.env);
/**
 * Where a test writes at which commit this registry is to die, such as `before-commit running`, by the state of a
 * firing.
 */
const trap = join(config.home, 'registry-trap');

/** Dies as by `kill -9` if the trap is set for this side of a commit and a firing is in its state. */
async function observe(side: 'before-commit' | 'after-commit', { firings }: Pick<Tables, 'firings'>): Promise<void> {
  const [wanted, state = ''] = existsSync(trap) ? readFileSync(trap, 'utf8').split(' ') : [];
  if (wanted !== side || (await firings.inState(state, 1)).length === 0) return;
  rmSync(trap);
  process.kill(process.pid, 'SIGKILL');
}

async function open(options: Parameters<typeof openStore>[0]): Promise<Store> {
  const store = await openStore(options);
  return {
    ...store,
    get writes() {
      return store.writes;
    },
    async write(work, options) {
      const done = await store.write(async (tables) => {
        const result = await work(tables);
        await observe('before-commit', tables);
        return result;
      }, options);
      if (existsSync(trap)) await store.read((tables) => observe('after-commit', tables));
      return done;
    },
  };
}

await runProcess('registry', config, (context) =>
  runRegistry(context, { clock: movedTime(config.home), hostTime: systemTimer.monotonic, open }),
);
