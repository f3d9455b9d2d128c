import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { inWords } from '#cli/print/words.ts';
import { phaseWord } from '#contract/agent/phase-word.ts';
import { toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { drawingOf } from '#machines/chart/drawing.ts';
import { refusalWith } from '#test/support/failure.ts';
import { runInside } from '../command-line.ts';
import { fleetService } from '../fleet.ts';

describe('the words of the command line', () => {
  it('exist for every state of an agent’s machine', () => {
    const phases = [...new Set(drawingOf('agent')?.transitions.map(({ to }) => to))];
    const leaves = phases.filter((phase) => !phases.some((other) => other.startsWith(`${phase}.`)));
    const wordless = leaves.filter((phase) => phase !== '(any)' && !['live', 'settingUp'].includes(phase));
    expect(
      wordless.filter((phase) => phaseWord(phase) === phase && !['archived', 'gone'].includes(phase)),
    ).to.deep.equal([]);
    expect(wordless).to.have.length.above(12);
  });

  it('include a command for every operation that a message names', () => {
    const texts = ['actors/registry', 'actors/host', 'machines']
      .flatMap((folder) =>
        readdirSync(new URL(`../../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => readFileSync(new URL(`../../../${folder}/${name}`, import.meta.url), 'utf8')),
      )
      .flatMap((text) => text.match(/'[^'\n]+'|`[^`]+`/g) ?? [])
      .join('\n');
    const named = operations.map(toolName).filter((tool) => new RegExp(`(?<![\\w/.-])${tool}(?!\\w)`).test(texts));
    expect(named).to.have.length.above(20);
    expect(named.filter((tool) => inWords(tool) === tool)).to.deep.equal([]);
  });

  const messages: readonly [string, string][] = [
    [
      'RetryAgent is not possible for agent "a" (agt_1) in AGENT_STATE_IDLE (live.idle)',
      'muster retry is not possible for agent "a" (agt_1) in IDLE (running, idle)',
    ],
    [
      "provisionEnabled is false together with parentAgentId: a child runs in its parent's directory, so leave it out",
      "--no-worktree is given together with --parent: a child runs in its parent's directory, so leave it out",
    ],
    [
      '/a.b on box is in no git repository: set provisionEnabled to false, or name a directory that is in one',
      '/a.b on box is in no git repository: give --no-worktree, or name a directory that is in one',
    ],
    ['launch an agent of its own, with provisionEnabled false', 'launch an agent of its own, with --no-worktree'],
    ['There is no host "x": list_hosts lists them', 'There is no host "x": muster hosts lists them'],
    ['role is AGENT_ROLE_ORCHESTRATOR (scripts.onIdle)', 'role is orchestrator (--on-idle)'],
    // Given values, paths, and words that only look like names are unchanged.
    ['"provisionEnabled \\" AGENT_STATE_IDLE" is no title', '"provisionEnabled \\" AGENT_STATE_IDLE" is no title'],
    [
      '/src/list_agents/workflowId.txt of my-workflowId is gone',
      '/src/list_agents/workflowId.txt of my-workflowId is gone',
    ],
    ['a_b C_D e.f JavaScript (dormantly) MUSTER_HOME', 'a_b C_D e.f JavaScript (dormantly) MUSTER_HOME'],
  ];
  for (const [wire, words] of messages) {
    it(`replace ${wire}`, () => expect(inWords(wire)).to.equal(words));
  }

  it('are for people only: muster rpc and JSON keep the contract’s names', async () => {
    const service = await fleetService();
    try {
      const message = 'provisionEnabled is false together with parentAgentId';
      service.on('agent.v1.AgentService/CreateAgent', () => {
        throw refusalWith('invalid_argument', message);
      });
      const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
      const said = async (...argv: string[]) => (await runInside(argv, { env })).err.trim();
      expect(await said('new', 'x')).to.equal('--no-worktree is given together with --parent');
      expect(JSON.parse(await said('new', 'x', '-o', 'json'))).to.deep.include({ message });
      expect(await said('rpc', 'create-agent', '--prompt', 'x', '--workflow-id', 'w')).to.equal(message);
    } finally {
      await service.close();
    }
  });

  it('name a workflow’s fields like its flags', async () => {
    const service = await fleetService();
    try {
      service.on('workflow.v1.WorkflowService/UpdateWorkflow', () => ({ workflow: { id: 'wfl_1', name: 'n' } }));
      const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
      const clear = ['--clear', 'worktree', '--clear', 'base-branch', '--clear', 'copyFiles'];
      expect((await runInside(['workflow', 'edit', 'default', ...clear], { env })).code).to.equal(0);
      expect(service.requestsOf('workflow.v1.WorkflowService/UpdateWorkflow')).to.deep.equal([
        { workflowId: 'wfl_1', clear: ['provisionEnabled', 'baseBranch', 'copyFiles'] },
      ]);
      const help = (await runInside(['workflow', 'edit', '--help'], { env })).out;
      expect(help)
        .to.include('worktree')
        .and.not.match(/provision|baseBranch|copyFiles/);
    } finally {
      await service.close();
    }
  });
});
