import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { z } from 'zod';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import type { explainAgent, readPane } from '#contract/operations/pane.ts';
import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { Workflow } from '#contract/workflow.ts';
import { readConfig } from '#service/config.ts';
import { openLocal } from '#service/local.ts';
import { examineService } from '#service/service-checks.ts';
import { confirmLaunch } from '#test/support/confirm-launch.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const composer = fileURLToPath(new URL('../actors/typing/composer-program.mjs', import.meta.url));
const service = 'agent.v1.AgentService';
const workflowService = 'workflow.v1.WorkflowService';

describe('a harness that a person added', () => {
  let pieces: Pieces;
  let file: string;
  let agentId = '';
  /** The home folder of the person, whose shell reads `.bashrc` at a login too, as Debian has it. */
  let person: TemporaryFolder;

  before(async () => {
    person = temporaryFolder('person');
    writeFileSync(join(person.path, '.profile'), 'test -f ~/.bashrc && . ~/.bashrc\n');
    pieces = await setUpPieces(undefined, { HOME: person.path, SHELL: '/bin/bash' });
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  });
  after(async () => {
    await pieces.stop();
    person.remove();
  });

  const explain = (more: object = {}) =>
    pieces.call<z.output<typeof explainAgent.response>>(`${service}/ExplainAgent`, { agentId, ...more });
  const stateOf = async () =>
    (await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId })).agent.agent?.state;
  const hosts = async () => (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const has = async (harness: string) => (await hosts())[0]?.harnesses?.includes(harness) ?? false;

  it('is known to a running host soon after its file is written, and launches as scaffolded', async () => {
    const local = await openLocal(pieces.home);
    file = (await local.addHarness({ name: 'house-agent', command: process.execPath, like: undefined })).path;
    const scaffold = JSON.parse(readFileSync(file, 'utf8')) as HarnessFile;
    const launch = { ...scaffold.launch, versionArgs: ['--version'], start: [composer, pieces.home] };
    writeFileSync(file, JSON.stringify({ ...scaffold, recordedWith: '1.0.0', launch }, null, 2));
    // The program does what its prompt says, which nothing may follow.
    mkdirSync(join(pieces.home, 'briefings'));
    writeFileSync(join(pieces.home, 'briefings', 'implementer.md'), '');
    expect(await has('house-agent')).to.equal(false);
    await confirmLaunch(pieces, 'house-agent');
    await moment('the host to tell of it', () => has('house-agent'));
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'house',
      cwd: pieces.repository,
      harness: 'house-agent',
      provisionEnabled: false,
    });
    const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, {
      prompt: 'ask',
      workflowId: workflow.id,
    });
    agentId = agent.id;
    await moment('its question', async () => (await stateOf()) === 'AGENT_STATE_WAITING');
  });

  it('is found, like a built-in one, if its folder is added to the person’s PATH after the host’s start', async () => {
    const tools = join(person.path, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'amp'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await has('amp')).to.equal(false);
    writeFileSync(join(person.path, '.bashrc'), 'echo "Welcome back"\nPATH="$PATH:$HOME/tools"\n');
    await moment('the host to tell of it', () => has('amp'));
    const checks = await pieces.call<{ parts: CheckedPart[] }>('host.v1.HostService/RunDoctor', {});
    const found = checks.parts.flatMap((part) => part.checks ?? []).find(({ name }) => name === 'amp');
    expect(found).to.include({ found: join(tools, 'amp') });
  });

  it('is offered by muster doctor, like a built-in one, while agents run only a shell', async () => {
    const { workflows } = await pieces.call<{ workflows: Workflow[] }>(`${workflowService}/ListWorkflows`, {});
    const id = workflows.find(({ name }) => name === 'default')?.id ?? (await defaultWorkflow());
    const told = async (): Promise<string> => {
      const environment = { MUSTER_HOME: pieces.home, MUSTER_PORT: new URL(pieces.url).port };
      const { checks } = await examineService(readConfig(environment), environment);
      return checks.find(({ name }) => name === 'workflow default')?.found ?? '';
    };
    await pieces.call(`${workflowService}/UpdateWorkflow`, { workflowId: id, harness: 'shell' });
    expect(await told())
      .to.match(/^its agents run shell\. Installed since: .*\bamp\b/)
      .and.match(/ muster workflow edit default --harness \S+ makes its agents run it\.$/);
    await pieces.call(`${workflowService}/UpdateWorkflow`, { workflowId: id, harness: 'amp' });
    expect(await told()).to.equal('its agents run amp');
  });

  async function defaultWorkflow(): Promise<string> {
    const request = { name: 'default', cwd: pieces.repository, harness: 'shell' };
    const { workflow } = await pieces.call<{ workflow: Workflow }>(`${workflowService}/CreateWorkflow`, request);
    return workflow.id ?? '';
  }

  it('is explained from its live pane with a digest', async () => {
    const { agent, source, reading, rules, moves = [] } = await explain({ view: 'VIEW_FULL' });
    expect(agent).to.include({ harnessVersion: process.versions.node });
    expect(rules).to.include({ recordedWith: '1.0.0' });
    const recorded = (await hosts()).flatMap(({ recordedHarnesses = [] }) => recordedHarnesses);
    expect(recorded).to.deep.include({ harness: 'house-agent', recordedWith: '1.0.0' });
    expect(source).to.equal('EXPLANATION_SOURCE_LIVE');
    expect(reading).to.deep.include({
      state: 'AGENT_STATE_WAITING',
      rule: 'house-agent/selection',
      reason: 'selection',
    });
    expect(reading?.evidence?.join('\n')).to.include('❯ 1. Yes');
    expect(rules).to.deep.include({ harness: 'house-agent', file });
    expect(moves[0]).to.deep.include({ to: 'AGENT_STATE_WAITING', rule: 'house-agent/selection' });
    expect(moves[0]?.screen?.text).to.include('Do you want to proceed?');
    const pane = await pieces.call<z.output<typeof readPane.response>>(`${service}/ReadPane`, { agentId });
    expect(pane.screen?.text).to.include('Do you want to proceed?');
    await pieces.call(`${service}/AnswerAgent`, { agentId, screenDigest: pane.screenDigest, keys: ['2'] });
    await moment('it to rest', async () => (await stateOf()) === 'AGENT_STATE_IDLE');
  });

  it('is in doubt while it reports a question that its screen does not show, which is notified as a wait', async () => {
    const agentNow = async () =>
      (await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId })).agent.agent;
    const report = (reason: string) => pieces.call(`${service}/ReportReason`, { agentId, reason });
    // A report within a second of a question is of that question, which was shown.
    const rested = Date.now();
    await moment('its question to be past', () => Date.now() > rested + 1_500);
    await report('asks permission: Bash');
    await moment('the doubt', async () => (await stateOf()) === 'AGENT_STATE_UNCERTAIN');
    expect(await agentNow()).to.include({
      stateReason: 'disagreement, its screen shows IDLE, its CLI says “asks permission: Bash”',
      reportedReason: 'asks permission: Bash',
      asksUnseen: true,
    });
    const { reading, decidedBeyond, difference } = await explain();
    expect(reading?.state).to.equal('AGENT_STATE_IDLE');
    expect(decidedBeyond).to.match(/^its CLI says that it asks \(“asks permission: Bash”\)/);
    expect(difference ?? '').to.equal('');
    const { facts } = await pieces.call<{ facts: { kind: string; detail: string }[] }>(
      'fact.v1.FactService/ListFacts',
      {
        subjectId: agentId,
      },
    );
    const waits = facts.filter(({ kind }) => kind === 'agent.waits').map(({ detail }) => JSON.parse(detail).waitingFor);
    expect(waits).to.include('asks permission: Bash');
    await report('done: nothing was to be asked');
    await moment('it to rest', async () => (await stateOf()) === 'AGENT_STATE_IDLE');
    expect((await agentNow())?.asksUnseen ?? false).to.equal(false);
  });

  it('keeps its old rules while its file is refused, with a report', async () => {
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace('"selection"', '"selection",\n "oops": 1'));
    await moment('the refusal', async () => ((await explain()).rules?.faults ?? []).length > 0);
    const { rules, reading } = await explain();
    expect(rules?.instead).to.equal('its previous version');
    expect(rules?.faults?.[0]?.reason).to.include('Unrecognized key: "oops"');
    expect(rules?.faults?.[0]?.line).to.be.above(1);
    expect(reading).to.deep.include({ state: 'AGENT_STATE_IDLE', rule: 'house-agent/rest' });
    writeFileSync(file, good);
    await moment('the file to hold again', async () => (await explain()).rules?.faults === undefined);
  });

  it('keeps its transitions with their screens over kills of registry and host, and shows an offline host', async () => {
    const before = (await explain({ view: 'VIEW_FULL' })).moves;
    await pieces.kill('host');
    await pieces.kill('registry');
    await pieces.start('registry');
    const away = await explain({ view: 'VIEW_FULL' });
    expect(away).to.deep.include({ source: 'EXPLANATION_SOURCE_RECORD' });
    expect(away.sourceReason).to.match(/does not answer/);
    expect(away.reading).to.deep.include({ state: 'AGENT_STATE_IDLE', rule: 'house-agent/rest' });
    expect(away.moves).to.deep.equal(before);
    await pieces.start('host');
    expect((await explain()).source).to.equal('EXPLANATION_SOURCE_LIVE');
    await pieces.call(`${service}/DeleteAgent`, { agentId, force: true });
  });
});
