import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, benchEnvironment, install } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile, timed, times } from '../stage/sample.ts';

const run = promisify(execFile);
const rounds = 25;
const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));

/** A command, and how long a person should wait for it at most, in milliseconds. */
interface Command {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly max?: number;
  readonly durations: number[];
}

/** Measures how long commands take, compared with a Node process that does nothing. */
export async function benchCli(homes: Homes): Promise<void> {
  const home = await homes.withAgents(1_000);
  const installation = await install(home, 'idle');
  try {
    const commands = await commandsOf(installation);
    const env = { ...benchEnvironment(home), MUSTER_URL: installation.url };
    for (let round = -2; round < rounds; round += 1) {
      for (const { argv, durations } of commands) {
        const [program, ...words] = argv;
        const took = await timed(() => run(program, words, { env }));
        if (round >= 0) durations.push(took);
      }
    }
    print(commands);
  } finally {
    await installation.stop();
  }
}

async function commandsOf(installation: BenchInstallation): Promise<readonly Command[]> {
  const { agents } = await installation.call<{ agents: { agent: { id: string } }[] }>('ListAgents');
  const id = agents[0]?.agent.id ?? '';
  const command = (words: readonly string[], max?: number): Command => ({
    name: `muster ${words.map((word) => (word === id ? 'ID' : word)).join(' ')}`,
    argv: [muster, ...words],
    ...(max !== undefined && { max }),
    durations: [],
  });
  return [
    { name: 'node -e 0', argv: [process.execPath, '-e', '0'], durations: [] },
    command(['--help'], 150),
    command(['rpc', '--help'], 150),
    command(['rpc', 'create-agent', '--help'], 150),
    command(['rpc', 'get-agent', '--agent-id', id], 200),
    command(['ls'], 200),
    command(['complete', '--', 'rpc', 'create-agent', '--role', ''], 200),
    command(['complete', '--', 'rpc', 'get-agent', '--agent-id', ''], 200),
  ];
}

function print(commands: readonly Command[]): void {
  const [bare = Number.NaN] = commands.map(({ durations }) => median(durations));
  report(
    'how long a command takes',
    `${rounds} of each, in turn, with bin/muster and a warm compile cache; 64 agents are listed.`,
    ['command', 'min', 'p50', 'p95', 'to node -e 0', 'target'],
    commands.map(({ name, durations, max }) => [
      name,
      ms(Math.min(...durations)),
      ms(median(durations)),
      ms(quantile(durations, 0.95)),
      times(median(durations) / bare),
      max === undefined ? '' : `< ${max} ms`,
    ]),
  );
}
