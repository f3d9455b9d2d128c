// A host that measures its own memory before and after it takes over its agents. Fake terminals show the same screen in
// every pane, so that a thousand panes fit on any machine. Needs --expose-gc.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import { loadSamples } from '#test/pane/screen-corpus.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { effectlessHost } from './effectless-host.ts';
import { type Memory, measurementFile } from './memory.ts';
import { seededPane } from './seeded-history.ts';

const screen = loadSamples().find(({ name }) => name === 'claude/fresh-200x50')?.capture;
let captures = 0;

const unused = () => Promise.reject(new Error('this terminal can only be read'));

function terminalOf(agentId: string): Terminal {
  const pane = { agentId, paneId: seededPane, pid: process.pid, dead: false, exitStatus: undefined };
  return {
    panes: async () => [pane],
    knownPanes: () => [pane],
    frontProgram: async () => undefined,
    awaitsLine: async () => undefined,
    ended: false,
    released: false,
    async capture() {
      captures += 1;
      return structuredClone(screen);
    },
    stampOf: async () => '',
    onHint: () => () => undefined,
    detach: async () => undefined,
    open: unused,
    paste: unused,
    submit: unused,
    press: unused,
    type: unused,
    rename: unused,
    close: unused,
  };
}

function fakeTerminals(): Terminals {
  const known = new Map<string, Terminal>();
  const of = async (family: string): Promise<Terminal> => {
    const terminal = known.get(family) ?? terminalOf(family);
    known.set(family, terminal);
    return terminal;
  };
  return {
    runs: async () => true,
    endReason: '',
    running: async () => [...known.keys()],
    ask: async (family) => (await of(family)).panes(),
    own: async () => [],
    of,
    find: of,
    commands: () => ({ attach: '', end: '' }),
    windowOf: unused,
    end: unused,
    release: async () => undefined,
    detach: async () => undefined,
  };
}

function memory(): Memory {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  return { heap, resident };
}

await runProcess('host', readConfig(process.env), async (context) => {
  const expected = Number(process.env['BENCH_PANES']);
  const host = await effectlessHost(context, fakeTerminals());
  const before = memory();
  await host.start();
  while (captures < expected) await delay(20);
  writeFileSync(join(context.config.home, measurementFile), JSON.stringify({ before, after: memory() }));
  context.ready();
});
