import { AgentState } from '#page/client/agent/v1/agent_pb.js';
import { HostState } from '#page/client/host/v1/host_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { useHosts } from '#page/fleet/use-hosts.ts';

/** The key under which this browser stores the workflow of the last launch. */
const workflowKey = 'muster.workflow';

/** The problem of a workflow, by its id; undefined if none is known. */
export type FaultOf = (workflowId: string) => string | undefined;

/** Stores the workflow of a launch, as the default of the next one in this browser. */
export function keepWorkflow(workflowId: string): void {
  window.localStorage.setItem(workflowKey, workflowId);
}

/** The workflow of the last launch, if it still exists and works; else the first one that works. */
export function workflowToBeginWith(known: readonly Workflow[], faultOf: FaultOf): string {
  const last = window.localStorage.getItem(workflowKey);
  const working = known.filter(({ id }) => faultOf(id) === undefined);
  return (working.find(({ id }) => id === last) ?? working[0] ?? known[0])?.id ?? '';
}

/**
 * Why a launch into a workflow would fail: its host is lost, no online host has its CLI, or its newest launch failed
 * and the workflow has not changed since.
 */
export function useWorkflowFaults(): FaultOf {
  const { rows } = useFleet();
  const { data: listed } = useHosts();
  const { data } = useWorkflows();
  const online = listed?.hosts.filter(({ state }) => state === HostState.ONLINE);
  return (workflowId) => {
    const workflow = data?.workflows.find(({ id }) => id === workflowId);
    if (workflow === undefined || online === undefined) return undefined;
    const { host, harness, updatedAt } = workflow;
    const own = host === '' ? online : online.filter(({ id, name }) => host === id || host === name);
    if (own.length === 0) return host === '' ? 'no host is online' : `${host} is not online`;
    if (harness !== '' && !own.some(({ harnesses }) => harnesses.includes(harness))) return 'not installed';
    const launches = [...rows.values()].flatMap(({ agent }) => (agent?.workflowId === workflowId ? agent : []));
    const newest = launches.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
    const hasFailed =
      newest?.state === AgentState.FAILED_TO_CREATE && Date.parse(newest.createdAt) > Date.parse(updatedAt);
    return hasFailed ? 'its last launch failed' : undefined;
  };
}
