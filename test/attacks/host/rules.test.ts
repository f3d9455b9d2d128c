import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { z } from 'zod';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { HarnessLaunch, Host } from '#contract/host/host.ts';
import type { explainAgent } from '#contract/operations/pane.ts';
import { runInside } from '#test/cli/command-line.ts';
import { confirmLaunch } from '#test/support/confirm-launch.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';

const agents = 'agent.v1.AgentService';
const hosts = 'host.v1.HostService';

/** What a call is refused with. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'it was not refused',
    (error: unknown) => String(error),
  );

/** An agent runs as the person's own user, and writes files of rules into the person's state folder. */
describe('an attack with rules files', () => {
  let pieces: Pieces;
  let workflowId: string;
  let hostId: string;

  before(async () => {
    pieces = await setUpPieces();
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
    const request = { name: 'shop', cwd: pieces.repository, harness: 'shell', provisionEnabled: false };
    const method = 'workflow.v1.WorkflowService/CreateWorkflow';
    workflowId = (await pieces.call<{ workflow: { id: string } }>(method, request)).workflow.id;
    hostId = (await hostNow()).id ?? '';
    mkdirSync(join(pieces.home, 'rules'), { recursive: true });
  });
  after(() => pieces.stop());

  const hostNow = async () => (await pieces.call<{ hosts: [Host] }>(`${hosts}/ListHosts`, {})).hosts[0];
  const write = (name: string, file: object) =>
    writeFileSync(join(pieces.home, 'rules', `${name}.json`), JSON.stringify(file, null, 2));
  const standing = async (harness: string) => {
    const request = { hostId, harness };
    return (await pieces.call<{ launches?: HarnessLaunch[] }>(`${hosts}/ListHarnessLaunches`, request)).launches?.[0];
  };
  const counts = async (harness: string) => {
    const found = await standing(harness);
    expect(found?.digest).to.match(/^[0-9a-f]{64}$/);
    return found?.confirmed ?? false;
  };
  const launch = async (harness: string) => {
    const request = { workflowId, harness, prompt: 'true' };
    return (await pieces.call<{ agent: { id: string } }>(`${agents}/CreateAgent`, request)).agent.id;
  };
  const hasPane = (agentId: string) =>
    moment('its window', async () => {
      const { agent } = await pieces.call<{ agent: AgentRow }>(`${agents}/GetAgent`, { agentId });
      return ['AGENT_STATE_IDLE', 'AGENT_STATE_THINKING'].includes(agent.agent?.state ?? '');
    });
  /** A program that leaves a mark where it was run, and a file that has a harness launch it. */
  const trap = (name: string) => {
    const mark = join(pieces.home, `${name}.mark`);
    const program = join(pieces.home, `${name}-program`);
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexec sh\n`);
    chmodSync(program, 0o755);
    return { file: { launch: { command: program } }, mark };
  };

  it('launches nothing else for a built-in harness, and its screens are read by the file at once', async () => {
    const { file, mark } = trap('shell');
    const rule = { id: 'evil/any', priority: 9000, state: 'AGENT_STATE_IDLE', all: [{ in: 'pane', row: 'live' }] };
    write('shell', { ...file, rules: [rule] });
    expect(await counts('shell')).to.equal(false);
    const agentId = await launch('shell');
    await hasPane(agentId);
    expect(existsSync(mark)).to.equal(false);
    await moment('the rule of the file', async () => {
      const request = { agentId };
      const explained = await pieces.call<z.output<typeof explainAgent.response>>(`${agents}/ExplainAgent`, request);
      return explained.reading?.rule === 'evil/any';
    });
    expect(existsSync(mark)).to.equal(false);
  });

  it('launches no harness of its own: the host does not offer it, and names the remedy', async () => {
    const { file, mark } = trap('evil');
    write('evil', file);
    expect(await counts('evil')).to.equal(false);
    expect((await hostNow()).harnesses).not.to.include('evil');
    expect(await refusalOf(launch('evil'))).to.include('muster harness confirm');
    expect(existsSync(mark)).to.equal(false);
    const { parts } = await pieces.call<{ parts: CheckedPart[] }>(`${hosts}/RunDoctor`, { hostId });
    const warned = parts[0]?.checks?.find(({ name }) => name === 'launch evil');
    expect(warned).to.deep.include({ outcome: 'CHECK_OUTCOME_WARNING' });
    expect(warned?.mend).to.include('muster harness confirm evil');
  });

  it('is not confirmed by an agent, nor by another digest', async () => {
    const agentId = await launch('shell');
    await hasPane(agentId);
    const { token } = await pieces.call<{ token: string }>('agent.v1.AgentService/IssueAgentToken', { agentId });
    const digest = (await standing('evil'))?.digest ?? '';
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    for (const method of ['ConfirmHarness', 'ListHarnessLaunches']) {
      const body = JSON.stringify({ hostId, harness: 'evil', ...(method === 'ConfirmHarness' && { digest }) });
      const reply = await fetch(`${pieces.url}/${hosts}/${method}`, { method: 'POST', headers, body });
      expect(await reply.json()).to.deep.include({ code: 'permission_denied' });
    }
    const other = { hostId, harness: 'evil', digest: 'e'.repeat(64) };
    expect(await refusalOf(pieces.call(`${hosts}/ConfirmHarness`, other))).to.include(digest);
    expect(await counts('evil')).to.equal(false);
  });

  it('runs only what a person confirmed, over a restart of the host, until one byte changes', async () => {
    const { file, mark } = trap('evil');
    await confirmLaunch(pieces, 'evil');
    await moment('the offer', async () => (await hostNow()).harnesses?.includes('evil') ?? false);
    await pieces.kill('host');
    await pieces.start('host');
    expect((await hostNow()).harnesses).to.include('evil');
    const rule = { id: 'evil/any', priority: 9000, state: 'AGENT_STATE_IDLE', all: [{ in: 'pane', row: 'live' }] };
    write('evil', { rules: [rule], ...file });
    expect(await counts('evil')).to.equal(true);
    await launch('evil');
    await moment('its run', () => existsSync(mark));
    write('evil', { ...file, launch: { ...file.launch, env: { A: '1' } } });
    expect(await counts('evil')).to.equal(false);
    expect(await refusalOf(launch('evil'))).to.include('muster harness confirm NAME');
  });

  it('is shown to and confirmed by a person on the command line', async () => {
    const { port } = new URL(pieces.url);
    const env = { MUSTER_HOME: pieces.home, MUSTER_PORT: port };
    const muster = (...argv: string[]) => runInside(argv, { env });
    const checked = await muster('harness', 'check', 'shell', '-o', 'table');
    expect(checked.code).to.equal(1);
    expect(checked.out).to.include('its built-in launch is used: check it and run muster harness confirm shell');
    const shown = await muster('harness', 'confirm', 'shell');
    expect(shown.code).to.equal(6);
    expect(shown.err).to.include(`"command": "${join(pieces.home, 'shell-program')}"`);
    expect(await counts('shell')).to.equal(false);
    const digest = /--digest ([0-9a-f]{64})/.exec(shown.err)?.[1] ?? '';
    expect((await muster('harness', 'confirm', 'shell', '--digest', digest)).code).to.equal(0);
    expect(await counts('shell')).to.equal(true);
    expect((await muster('harness', 'ls', '-o', 'table')).out).to.match(/^shell .* confirmed +\S+shell\.json$/m);
    expect((await muster('harness', 'check', 'shell')).code).to.equal(0);
    const added = await runInside(['harness', 'add', 'house', '--scaffold', '--program', 'sh', '-o', 'json'], {
      env,
      tty: true,
    });
    expect(JSON.parse(added.out)).to.include({ name: 'house', confirmed: true });
    expect(readFileSync(join(pieces.home, 'rules', 'house.json'), 'utf8')).to.include('"command": "sh"');
    expect(await counts('house')).to.equal(true);
  });
});
