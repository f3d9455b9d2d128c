import type { Launch } from '#contract/wire/agent-record.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import type { LaunchRights } from './rights.ts';

/** What a workflow gives its agents in addition to their command line. */
export interface LaunchExtras {
  readonly environment: readonly string[];
  readonly scripts: Launch['scripts'];
  readonly copyFiles: readonly string[];
  /** The tools that a CLI calls without asking a person. */
  readonly preApprovedTools: readonly string[];
}

/**
 * The extras of a launch. An agent that launches into its own workflow passes on its own extras, except those that the
 * workflow no longer has. Later additions and changes are only for agents that people launch. A launch into
 * a granted workflow gets that workflow's extras.
 */
export function launchExtrasOf(workflow: StoredWorkflow, rights: LaunchRights | undefined): LaunchExtras {
  const { environment, scripts, copyFiles, preApprovedTools } = workflow;
  if (rights === undefined || rights.workflow.id !== workflow.id) {
    return { environment, scripts, copyFiles, preApprovedTools };
  }
  const own = rights.agent.launch;
  const names = new Set(environment.map(variableOf));
  return {
    environment: own.environment?.filter((entry) => names.has(variableOf(entry))) ?? [],
    scripts: Object.fromEntries(
      Object.entries(own.scripts).filter(([script]) => scripts[script as keyof typeof scripts]),
    ),
    copyFiles: copyFiles.filter((file) => own.copyFiles.includes(file)),
    preApprovedTools: preApprovedTools.filter((tool) => own.preApprovedTools?.includes(tool)),
  };
}

/**
 * The first extra of an agent that other extras lack, with its field; undefined if there is none. Never contains values
 * of variables or texts of scripts.
 */
export function findExcess(
  { environment = [], scripts, copyFiles, preApprovedTools = [] }: Pick<Launch, keyof LaunchExtras>,
  other: LaunchExtras,
): { readonly field: keyof LaunchExtras; readonly value: string } | undefined {
  const variable = environment.find((entry) => !other.environment.includes(entry));
  if (variable !== undefined) return { field: 'environment', value: variableOf(variable) };
  const tool = preApprovedTools.find((one) => !other.preApprovedTools.includes(one));
  if (tool !== undefined) return { field: 'preApprovedTools', value: tool };
  const file = copyFiles.find((one) => !other.copyFiles.includes(one));
  if (file !== undefined) return { field: 'copyFiles', value: file };
  const known: Readonly<Record<string, string | undefined>> = other.scripts;
  const script = Object.entries(scripts).find(([name, text]) => text && known[name] !== text);
  return script && { field: 'scripts', value: script[0] };
}

function variableOf(entry: string): string {
  return entry.split('=', 1)[0] ?? '';
}
