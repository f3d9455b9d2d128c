import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder } from '#world/tmux/socket-folder.ts';
import type { LabCli } from './cli/definition.ts';
import { LabAgent } from './lab-agent.ts';
import { isolation, Muster } from './muster.ts';
import { StubModel } from './stub-model/stub-model.ts';

/** A whole muster with one real CLI on its PATH, a person's home without history, and a stub model. */
export interface Lab {
  readonly model: StubModel;
  /** The person's home folder. */
  readonly home: string;
  /** A git repository with one commit. */
  readonly repository: string;
  /** The workflow that agents are launched into. */
  readonly workflowId: string;
  /** Every agent that is not archived, by name, as the person sees it. */
  agents(): Promise<Readonly<Record<string, Agent>>>;
  /**
   * Launches an agent, in its own worktree, in the repository itself or as a child, and follows it from its first
   * moment.
   */
  launch(prompt: string, where: 'worktree' | 'repository' | LabAgent): Promise<LabAgent>;
  /** Follows an agent that another one has launched. */
  follow(agent: Agent): Promise<LabAgent>;
  /** Whether the person’s own hook has run in an agent, which has a home of its own if it is isolated. */
  ranOwnHook(agent: LabAgent): boolean;
  /** Calls an operation as the person. */
  call: Muster['call'];
  /** Deletes every agent, stops everything and removes the folder. */
  stop(): Promise<void>;
}

/** Starts everything, in its own folder. `program` is the CLI's. */
export async function startLab(
  cli: LabCli,
  program: string,
  folder = temporaryFolder('lab'),
  preApprovedTools: readonly string[] = [],
): Promise<Lab> {
  const state = join(folder.path, 'state');
  const person = join(folder.path, 'person');
  const repository = join(folder.path, 'project');
  makeRepository(repository);
  const model = new StubModel(cli.unwrap);
  await model.start();
  const environment = { ...setUpPerson(cli, person, program, model.url) };
  // What the model is sent is compared with the prompt alone.
  mkdirSync(join(state, 'briefings'), { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'briefings', 'implementer.md'), '');
  const muster = await Muster.start(state, repository, environment);
  const request = {
    ...{ name: 'lab', cwd: repository, harness: cli.harness, flags: cli.flags, preApprovedTools },
    // A CLI may know its model from a file, in which muster does not look.
    ...(isolation !== 'none' && { grants: { loopbackPorts: [Number(new URL(model.url).port)] } }),
  };
  const { workflow } = await muster.call<{ workflow: { id: string } }>(
    'workflow.v1.WorkflowService/CreateWorkflow',
    request,
  );
  const agents: LabAgent[] = [];
  const follow = async (agent: Agent): Promise<LabAgent> => {
    const followed = await LabAgent.follow(muster, agent, socketFolder(join(state, 'run')));
    agents.push(followed);
    return followed;
  };
  return {
    model,
    home: person,
    ranOwnHook: ({ id }) =>
      [person, join(state, 'sandboxes', id, 'home')].some((home) => existsSync(ownHookMark(home))),
    repository,
    workflowId: workflow.id,
    async agents() {
      const listed = await muster.call<{ agents?: AgentRow[] }>('agent.v1.AgentService/ListAgents', {});
      return Object.fromEntries((listed.agents ?? []).map(({ agent }) => [agent?.name ?? '', agent ?? {}]));
    },
    async launch(prompt, where) {
      const { agent } = await muster.call<{ agent: Agent }>('agent.v1.AgentService/CreateAgent', {
        prompt,
        workflowId: workflow.id,
        ...(where instanceof LabAgent ? { parentAgentId: where.id } : { provisionEnabled: where === 'worktree' }),
      });
      return follow(agent);
    },
    follow,
    call: (method, request) => muster.call(method, request),
    async stop() {
      // A child would go with its parent.
      for (const agent of agents.toReversed()) await agent.remove();
      await muster.stop();
      await endTerminals(join(state, 'run'));
      await model.stop();
      folder.remove();
    },
  };
}

/** The file that the person's own hook leaves. */
function ownHookMark(home: string): string {
  return join(home, 'own-hook');
}

/**
 * Puts the CLI into a person's home; answers with the environment that the person starts muster in, made from nothing.
 */
function setUpPerson(cli: LabCli, home: string, program: string, modelUrl: string): Record<string, string> {
  const bin = join(home, 'bin');
  const temporary = join(home, 'tmp');
  for (const folder of [bin, temporary]) mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(bin, cli.harness));
  return {
    HOME: home,
    PATH: [bin, process.env['PATH'] ?? ''].join(':'),
    // Some of them leave things there.
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    USER: 'person',
    TERM: 'xterm-256color',
    // Whatever a CLI wants of the world outside, it asks the stub for, which refuses.
    HTTP_PROXY: modelUrl,
    HTTPS_PROXY: modelUrl,
    NO_PROXY: '127.0.0.1,localhost',
    ...cli.setUp({ home, modelUrl, ownHook: `touch '${ownHookMark(home)}'` }),
  };
}

function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' });
  mkdirSync(path, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'begin');
}
