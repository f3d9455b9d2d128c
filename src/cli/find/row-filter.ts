import { type Command, Option } from 'commander';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { agentKinds, kindOf } from '#contract/agent/attention.ts';
import { projectsOf } from '#contract/agent/project.ts';
import { wordFilter } from '#contract/agent/row-text.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { namesToChoose } from './find-named.ts';
import { noHost } from './no-host.ts';

/** The flags that `addRowFilters` adds. */
export interface RowFilterFlags {
  readonly state?: readonly string[];
  readonly project?: string;
  readonly workflow?: string;
  readonly host?: string;
  readonly search?: string;
}

/** The names of workflows and hosts by id. */
export interface RowNames {
  readonly workflows: ReadonlyMap<string, string>;
  /** All hosts, if the caller may see them. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** Adds flags that filter a list of agents. */
export function addRowFilters(command: Command): Command {
  return command
    .addOption(new Option('--state <state...>', 'only agents in these states').choices(agentKinds))
    .option('--project <name>', 'only agents in this project: a repository, or else a workflow')
    .option('--workflow <name>', 'only agents of this workflow, by name or id')
    .option('--host <name>', 'only agents on this host, by name or id')
    .option(
      '--search <words>',
      'only agents whose name, task, question, last words, branch or folder contain all these words',
    );
}

/** Whether any filter is set. */
export function isNarrowed({ state, project, workflow, host, search }: RowFilterFlags): boolean {
  return [state, project, workflow, host, search].some((one) => one !== undefined);
}

/** A filter of rows by the flags. `rows` are all rows, which decide the project of each. */
export function rowFilter(
  { state, project, workflow, host, search = '' }: RowFilterFlags,
  { workflows, hosts }: RowNames,
  rows: readonly AgentRow[],
): (row: AgentRow) => boolean {
  const projectOf = projectNames(rows, workflows);
  const hasWords = wordFilter(search);
  const isMeant = (wanted: string | undefined, id = '', name = id): boolean =>
    wanted === undefined || wanted === id || wanted === name;
  return ({ agent = {} }) => {
    const { workflowId = '', hostId = '' } = agent;
    const [workflowName, hostName, own, kind] = [
      workflows.get(workflowId),
      hosts.get(hostId),
      projectOf(agent),
      kindOf(agent),
    ];
    return (
      (state === undefined || state.includes(kind)) &&
      isMeant(project, own) &&
      isMeant(workflow, workflowId, workflowName) &&
      isMeant(host, hostId, hostName) &&
      hasWords(agent, [kind, own, workflowName ?? '', hostName ?? ''])
    );
  };
}

/**
 * Requires that what the flags name exists, as far as the caller may see it, so that a wrong name is not taken for an
 * empty list.
 * @throws NOT_FOUND naming those that exist
 */
export function requireNamed(
  { project, workflow, host }: RowFilterFlags,
  { workflows, hosts }: RowNames,
  rows: readonly AgentRow[],
): void {
  const isKnown = (names: RowNames['hosts'], wanted: string): boolean =>
    names.size === 0 || names.has(wanted) || [...names.values()].includes(wanted);
  if (host !== undefined && !isKnown(hosts, host)) throw noHost(host);
  if (workflow !== undefined && !isKnown(workflows, workflow)) {
    const hint = namesToChoose(named(workflows.values()), workflow, 'muster workflow create');
    throw new Failure('WORKFLOW_NOT_FOUND', `there is no workflow ${quoted(workflow)}: ${hint}`, {
      metadata: { workflowId: workflow },
    });
  }
  const projectOf = projectNames(rows, workflows);
  const projects = new Set(rows.flatMap(({ agent }) => (agent === undefined ? [] : [projectOf(agent)])));
  // A workflow without a repository is a project too, also while it has no agents.
  if (project === undefined || projects.has(project) || [...workflows.values()].includes(project)) return;
  const hint = namesToChoose(named(projects), project, 'muster new');
  throw new Failure('AGENT_NOT_FOUND', `no agent is in a project ${quoted(project)}: ${hint}`, {
    metadata: { agentId: project },
  });
}

function named(names: Iterable<string>): readonly { readonly name: string }[] {
  return [...names].map((name) => ({ name }));
}

/** Returns a function that names the project of an agent of these rows. */
export function projectNames(rows: readonly AgentRow[], workflows: RowNames['workflows']) {
  return projectsOf(
    rows.flatMap(({ agent }) => agent ?? []),
    (id) => workflows.get(id) ?? id,
  );
}
