import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { makeRepository } from '#test/page/pictures/repositories.ts';
import { creating, finished, firstScreens, type Scene, screenOf, working } from '#test/page/pictures/scenes.ts';
import { installPlayer, type PlayerLink, reachPlayer } from '#test/rings/player-link.ts';
import { moment } from '#test/support/moment.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Cast } from './cast-file.ts';
import { RecordedShell } from './recorded-shell.ts';

const url = 'http://127.0.0.1:7433';
const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));
const shownFolder = '/home/ada/shop';
const task = 'Say when a session ends';

/** What the agent writes once it may. */
const written = [
  'export function isExpired(session, now) {',
  '  return session.endsAt <= now;',
  '}',
  '',
  'export const graceMs = 30_000;',
  '',
].join('\n');

/** A person's home with a repository, and the programs that show screens of claude and codex. */
interface Home {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Plays the whole session, and gives what the terminal showed; nothing of it stays. */
export async function playSession(): Promise<Cast> {
  const folder = temporaryFolder('recording');
  const home = setUpHome(folder.path);
  const shell = new RecordedShell(join(home.path, 'shop'), home.environment);
  const links: PlayerLink[] = [];
  try {
    await shell.prompts(1);
    shell.read(0.8);
    await begin(shell);
    links.push(...(await launchTwo(shell, home)));
    await answerAndReview(shell, home);
    return shell.recorded('muster starts two agents, answers one, and reviews its work');
  } finally {
    for (const link of links) link.close();
    await shell.close();
    await endTerminals(join(home.path, 'state', 'run'));
    folder.remove();
  }
}

function setUpHome(path: string): Home {
  const bin = join(path, 'bin');
  for (const harness of ['claude', 'codex'] as const) {
    const first = firstScreens(harness, shownFolder);
    installPlayer({ bin, harness, folder: join(path, harness), first });
  }
  symlinkSync(muster, join(bin, 'muster'));
  makeRepository(path, 'shop');
  mkdirSync(join(path, 'state'), { mode: 0o700 });
  const environment = {
    HOME: path,
    PATH: `${bin}:${process.env['PATH']}`,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    USER: 'ada',
    MUSTER_ISOLATION: 'none',
    MUSTER_LOG: 'warn',
    MUSTER_HOME: join(path, 'state'),
  };
  return { path, environment };
}

async function begin(shell: RecordedShell): Promise<void> {
  await shell.shows(/Ctrl-C stops muster/, () => shell.type('muster start &\r'));
  shell.read(2);
  await shell.run('clear');
}

async function launchTwo(shell: RecordedShell, home: Home): Promise<readonly PlayerLink[]> {
  await shell.run(`muster new -t login-expiry "${task}"`);
  const asking = await play(home, 'claude', 'login-expiry', creating);
  asking.onTyped(({ what, text }) => {
    if (what !== 'pressed' || text !== '1') return;
    void agentNamed(home, 'login-expiry').then(({ cwd = '' }) => {
      writeFileSync(join(cwd, 'src', 'expiry.js'), written);
      asking.show(screenOf(finished(task, 'Both pages import the rule now.'), shownFolder));
    });
  });
  await shell.run('muster new -t payment-retries --harness codex "Make payment retries idempotent"');
  const retrying = await play(home, 'codex', 'payment-retries', working('Make payment retries idempotent'));
  shell.read(0.6);
  await shell.run('muster ls');
  shell.read(2.5);
  return [asking, retrying];
}

async function answerAndReview(shell: RecordedShell, home: Home): Promise<void> {
  await shell.shows(/Do you want to create/, () => shell.type('muster answer login-expiry\r'));
  shell.read(3);
  await shell.shows(/; now [A-Z]+[\s\S]*\$ $/, () => shell.type('1'));
  await comesTo(home, 'login-expiry', 'IDLE');
  shell.read(1);
  await shell.run('clear');
  await shell.run('muster review start login-expiry');
  await shell.run('muster review comment login-expiry src/expiry.js:2 "Warn a minute before, too."');
  await shell.run('muster review release login-expiry --verdict changes -m "One thing is missing."');
  shell.read(1.2);
  await shell.run('muster ls');
}

/** Has an agent's pane show a scene once it has taken its first prompt, and waits until its state is read. */
async function play(home: Home, harness: 'claude' | 'codex', name: string, scene: Scene): Promise<PlayerLink> {
  await comesTo(home, name, 'IDLE');
  const { id = '' } = await agentNamed(home, name);
  const link = await reachPlayer(join(home.path, harness), id);
  link.show(screenOf(scene, shownFolder));
  await comesTo(home, name, scene.state);
  return link;
}

function comesTo(home: Home, name: string, state: Scene['state']): Promise<unknown> {
  return moment(`${name} to be ${state}`, async () => (await agentNamed(home, name)).state === `AGENT_STATE_${state}`);
}

async function agentNamed(home: Home, name: string): Promise<Agent> {
  const token = readFileSync(join(home.path, 'state', 'operator.token'), 'utf8').trim();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/agent.v1.AgentService/ListAgents`, { method: 'POST', headers, body: '{}' });
  if (!answer.ok) throw new Error(`the agents are not listed: ${await answer.text()}`);
  const { agents = [] } = (await answer.json()) as { agents?: readonly AgentRow[] };
  return agents.find(({ agent }) => agent?.name === name)?.agent ?? {};
}
