import { askHost, describeHost } from '#actors/registry/host/host-call.ts';
import { Failure } from '#contract/failure.ts';
import { type Isolation, isolationBy } from '#contract/host/isolation.ts';
import type { IsolationSetting } from '#contract/process-context.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import type { WorkflowScope } from './workflow-scope.ts';

const setting = 'default-isolation';
/** How long a host may take to try a sandbox, in milliseconds. A command waits for it. */
const withinMs = 5_000;

/** The isolation of a new workflow that asks for none in particular. */
export interface NewIsolation {
  readonly isolation: Isolation | null;
  /** Why there is none, if there should be; undefined otherwise. */
  readonly fault: string | undefined;
}

/**
 * What isolates agents of new workflows, where it works. Installations from before that default have a setting that
 * says `none`.
 */
export async function defaultIsolation(
  { settings }: Pick<Tables, 'settings'>,
  { isolationSetting }: Pick<WorkflowScope, 'isolationSetting'>,
): Promise<IsolationSetting> {
  if (isolationSetting !== undefined) return isolationSetting;
  return (await settings.get(setting)) === 'none' ? 'none' : 'sandbox';
}

/**
 * What decides whether the agents of a workflow can be isolated. Not its grants: one that is not safe fails the launch,
 * and must not cost the isolation.
 */
type Tried = Pick<StoredWorkflow, 'cwd' | 'harness' | 'environment'>;

/** The default isolation of a workflow, if it works for its agents on each of the hosts that may run them. */
export async function isolationOfNew(
  scope: Pick<WorkflowScope, 'store' | 'lines' | 'isolationSetting'>,
  workflow: Tried,
  hosts: readonly StoredHost[],
): Promise<NewIsolation> {
  const wanted = await scope.store.read((tables) => defaultIsolation(tables, scope));
  if (wanted === 'none') return { isolation: null, fault: undefined };
  const faults = await Promise.all(hosts.map((host) => faultOn(scope, host, workflow)));
  const fault = faults.find((one) => one !== undefined);
  return { isolation: fault === undefined ? (isolationBy(wanted) ?? null) : null, fault };
}

/** Why agents cannot be isolated on a host, as a sentence; undefined if they can. */
async function faultOn(
  { lines }: Pick<WorkflowScope, 'lines'>,
  host: StoredHost,
  { cwd: path, harness, environment }: Tried,
): Promise<string | undefined> {
  try {
    const asked = { path, harness, environment: [...environment] };
    const { fault } = await askHost(lines, host, hostCalls.trySandbox, asked, withinMs);
    return fault && `On host ${host.name}, agents ${fault}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${describeHost(host)} has not tried whether agents can be isolated: ${error.message}`;
  }
}
