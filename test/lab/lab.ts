import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { PersonTerminal } from '#test/cli/person-terminal.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder } from '#world/tmux/socket-folder.ts';
import type { LabCli } from './cli/definition.ts';
import { GitRemote } from './git-remote.ts';
import { LabAgent } from './lab-agent.ts';
import { isolation, Muster } from './muster.ts';
import { makeRepository, ownHookMark, setUpPerson } from './person.ts';
import { StubModel } from './stub-model/stub-model.ts';

const cache = fileURLToPath(new URL('../../.cache/lab', import.meta.url));

/** A script of the lab's workflow that notes from where it ran. */
export type NotedScript = 'setup' | 'teardown';

/** A whole muster with one real CLI on its PATH, a person's home without history, and a stub model. */
export interface Lab {
  readonly model: StubModel;
  /** The person's home folder. */
  readonly home: string;
  /** The state folder of its muster. */
  readonly state: string;
  /** A git repository with one commit. */
  readonly repository: string;
  /** A repository that agents may push to. */
  readonly remote: GitRemote;
  /** The operator's token, which no isolated program may read. */
  readonly tokenFile: string;
  /** The folder of muster's own program, which is on the PATH of agents. */
  readonly programs: string;
  /** The workflow that agents are launched into. */
  readonly workflowId: string;
  /** Every agent that is not archived, by name, as the person sees it. */
  agents(): Promise<Readonly<Record<string, Agent>>>;
  /**
   * Launches an agent, in its own worktree, in the repository itself or as a child, and follows it from its first
   * moment.
   */
  launch(prompt: string, where: 'worktree' | 'repository' | LabAgent, further?: object): Promise<LabAgent>;
  /** Follows an agent that another one has launched. */
  follow(agent: Agent): Promise<LabAgent>;
  /** Whether the person’s own hook has run in an agent, which has a home of its own if it is isolated. */
  ranOwnHook(agent: LabAgent): boolean;
  /** From where a script of the workflow has run, a line each: `inside` of what isolates its agents, or `outside`. */
  ranScript(script: NotedScript): string;
  /** Waits until `muster attach`, in a terminal of the person's, shows a text of an agent's window. */
  attachedTo(agent: LabAgent, text: string): Promise<void>;
  /** Calls an operation as the person. */
  call: Muster['call'];
  /** Deletes every agent, stops everything and removes the folder. */
  stop(): Promise<void>;
}

/** Starts everything, in its own folder. `program` is the CLI's. */
export async function startLab(cli: LabCli, program: string, preApprovedTools: readonly string[] = []): Promise<Lab> {
  const folder = folderFor(cli);
  const state = join(folder.path, 'state');
  const person = join(folder.path, 'person');
  const repository = join(folder.path, 'project');
  const notes = join(folder.path, 'notes');
  const tokenFile = join(state, 'operator.token');
  makeRepository(repository);
  mkdirSync(notes);
  const remote = await GitRemote.open(folder.path);
  const model = new StubModel(cli.unwrap);
  await model.start();
  const environment = { ...setUpPerson(cli, person, program, model.url) };
  // What the model is sent is compared with the prompt alone.
  mkdirSync(join(state, 'briefings'), { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'briefings', 'implementer.md'), '');
  const muster = await Muster.start(state, repository, environment);
  const noting = (script: NotedScript) =>
    `{ [ -r '${tokenFile}' ] && echo outside || echo inside; } >> '${join(notes, script)}'`;
  const request = {
    ...{ name: 'lab', cwd: repository, harness: cli.harness, flags: cli.flags, preApprovedTools },
    scripts: { setup: noting('setup'), teardown: noting('teardown') },
    // A CLI may know its model from a file, in which muster does not look.
    ...(isolation !== 'none' && {
      grants: { loopbackPorts: [Number(new URL(model.url).port), remote.port], writable: [notes] },
    }),
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
    state,
    remote,
    tokenFile,
    programs: join(state, 'bin'),
    ranOwnHook: ({ id }) =>
      [person, join(state, 'sandboxes', id, 'home')].some((home) => existsSync(ownHookMark(home))),
    ranScript: (script) => (existsSync(join(notes, script)) ? readFileSync(join(notes, script), 'utf8') : ''),
    repository,
    workflowId: workflow.id,
    async agents() {
      const listed = await muster.call<{ agents?: AgentRow[] }>('agent.v1.AgentService/ListAgents', {});
      return Object.fromEntries((listed.agents ?? []).map(({ agent }) => [agent?.name ?? '', agent ?? {}]));
    },
    async launch(prompt, where, further = {}) {
      const { agent } = await muster.call<{ agent: Agent }>('agent.v1.AgentService/CreateAgent', {
        prompt,
        workflowId: workflow.id,
        ...(where instanceof LabAgent ? { parentAgentId: where.id } : { provisionEnabled: where === 'worktree' }),
        ...further,
      });
      return follow(agent);
    },
    follow,
    async attachedTo({ id }, text) {
      const terminal = new PersonTerminal();
      try {
        const { shows } = await terminal.open(['attach', id], muster.environment);
        await shows(text);
      } finally {
        await terminal.close();
      }
    },
    call: (method, request) => muster.call(method, request),
    async stop() {
      // A child would go with its parent.
      for (const agent of agents.toReversed()) await agent.remove();
      await muster.stop();
      await endTerminals(join(state, 'run'));
      await remote.close();
      await model.stop();
      folder.remove();
    },
  };
}

/**
 * Gemini believes muster's settings only where root alone can have put them there, which is not so in a temporary
 * folder.
 */
function folderFor({ harness }: LabCli): TemporaryFolder {
  if (harness !== 'gemini') return temporaryFolder('lab');
  mkdirSync(cache, { recursive: true });
  const path = mkdtempSync(join(cache, 'gemini-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
