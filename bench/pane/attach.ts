import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { moment } from '#test/support/moment.ts';
import { loadPty, type Pty } from '#world/pty/module.ts';
import { thisCheckout } from '../stage/checkout.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { ms, quantile } from '../stage/sample.ts';

const rounds = 100;
/** The interval between keys, in milliseconds, as when a person types. */
const betweenMs = 120;
const name = 'attached';

/** How the window is attached: from the same machine, or as from another one. */
const ways = { 'tmux, on this host': [], 'through the service': ['--remote'] } as const;

/**
 * Measures how soon typed keys are shown in a window attached in tmux, and in one attached through the service, in turn.
 */
export async function benchAttach(homes: Homes): Promise<void> {
  const home = homes.empty();
  const installation = await install(home, 'own');
  const terminals: AttachedTerminal[] = [];
  try {
    await installation.call('HoldAgent', { agentId: await openShell(installation, home) });
    for (const options of Object.values(ways)) {
      const terminal = new AttachedTerminal(home, installation.url, ['attach', name, ...options]);
      terminals.push(terminal);
      await terminal.shows('ready');
    }
    terminals[0]?.type('cat\r');
    for (const terminal of terminals) await terminal.shows('cat');
    const took = terminals.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, terminal] of terminals.entries()) {
        await delay(betweenMs);
        took[place]?.push(await terminal.echo(wordOf(round * 2 + place)));
      }
    }
    const [own = 0] = took.map((times) => quantile(times, 0.5));
    report(
      'attach',
      `${rounds} words typed into a shell each way, in turn, one every ${betweenMs} ms.`,
      ['attached', 'p50', 'p95', 'added at p50 (target: at most 50 ms)'],
      Object.keys(ways).map((way, place) => {
        const times = took[place] ?? [];
        return [way, ms(quantile(times, 0.5)), ms(quantile(times, 0.95)), ms(quantile(times, 0.5) - own)];
      }),
    );
  } finally {
    for (const terminal of terminals) terminal.close();
    await installation.stop();
  }
}

async function openShell({ call }: BenchInstallation, cwd: string): Promise<string> {
  const { workflow } = await call<{ workflow: { id: string } }>('CreateWorkflow', {
    name: 'shell',
    harness: 'shell',
    cwd,
    provisionEnabled: false,
  });
  const { agent } = await call<{ agent: { id: string } }>('CreateAgent', {
    prompt: 'echo ready',
    title: name,
    workflowId: workflow.id,
  });
  await moment('the agent to rest', async () => {
    const { agent: row } = await call<{ agent: { agent: { state: string } } }>('GetAgent', { agentId: agent.id });
    return row.agent.state === 'AGENT_STATE_IDLE';
  });
  return agent.id;
}

/** A word that nothing else on the screen contains. */
function wordOf(count: number): string {
  return `q${count.toString(26).padStart(3, '0')}z`;
}

/** A terminal in which `muster attach` runs. */
class AttachedTerminal {
  readonly #pty: Pty;
  #shown = '';
  #wake: () => void = () => undefined;

  constructor(home: string, url: string, words: readonly string[]) {
    const pty = loadPty();
    if (pty === undefined) throw new Error('this bench needs node-pty, which is not built here');
    this.#pty = pty.spawn(process.execPath, [`${thisCheckout}bin/muster.mjs`, ...words], {
      name: 'xterm-256color',
      cols: 200,
      rows: 52,
      cwd: home,
      env: { PATH: process.env['PATH'] ?? '', MUSTER_HOME: home, MUSTER_URL: url, TERM: 'xterm-256color' },
    });
    this.#pty.onData((data) => {
      this.#shown = `${this.#shown}${data}`.slice(-100_000);
      this.#wake();
    });
  }

  async shows(text: string): Promise<void> {
    while (!this.#shown.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  type(text: string): void {
    writeSync(this.#pty.fd, text);
  }

  /** Types a word, and returns the time until it was shown, in milliseconds. */
  async echo(word: string): Promise<number> {
    const began = performance.now();
    this.type(word);
    await this.shows(word);
    return performance.now() - began;
  }

  close(): void {
    process.kill(this.#pty.pid);
  }
}
