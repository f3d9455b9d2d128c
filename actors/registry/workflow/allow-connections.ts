import { change, send } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { Grants } from '#contract/host/isolation.ts';
import { allowConnections } from '#contract/operations/workflow.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { findWorkflow, workflowOf } from './workflow-resource.ts';

/** Maximum number of hosts and of ports that a workflow grants. */
const max = { hosts: 200, loopbackPorts: 50 } as const;

/** Lets the isolated agents of a workflow connect to more hosts: running ones immediately, and all later ones. */
export const allowConnectionsHandler = handler(allowConnections, ({ workflowId, hosts }, caller, scope) =>
  change(scope, async (writing) => {
    const { tables, now } = writing;
    const workflow = await findWorkflow(tables.workflows, workflowId);
    const grants = withHosts(workflow.grants, hosts);
    if (JSON.stringify(grants) !== JSON.stringify(workflow.grants)) {
      await tables.workflows.update({ ...workflow, grants, updatedAt: now });
      await tables.facts.append([
        { kind: 'workflow.changed', subjectId: workflowId, detail: { fields: ['grants'], hosts } },
      ]);
    }
    for (const agent of await tables.agents.presentOf({ workflowId })) {
      const { launch } = agent;
      if (launch.isolation === undefined) continue;
      await tables.journal.setLaunch(agent.id, { ...launch, grants: withHosts(launch.grants ?? {}, hosts) });
      const refused = readAgentContext(agent.snapshot).refusedConnections ?? [];
      const destinations = refused.filter((one) => hosts.some((host) => covers(host, one)));
      await send(writing, agent, { type: 'CONNECTIONS_ALLOWED', destinations });
    }
    return { workflow: workflowOf({ ...workflow, grants, updatedAt: now }, caller) };
  }),
);

/** Grants with more hosts. An address of the host itself, such as 127.0.0.1:5432, means a port. */
function withHosts(grants: Grants, hosts: readonly string[]): Grants {
  const own = hosts.flatMap((host) => ownPort(host) ?? []);
  const names = hosts.filter((host) => ownPort(host) === undefined);
  const added = {
    hosts: [...new Set([...(grants.hosts ?? []), ...names])],
    loopbackPorts: [...new Set([...(grants.loopbackPorts ?? []), ...own])],
  };
  for (const list of ['hosts', 'loopbackPorts'] as const) {
    if (added[list].length <= max[list]) continue;
    throw new Failure('INVALID_FIELD', `grants.${list} would have more than ${max[list]} entries: remove some first`, {
      field: 'hosts',
    });
  }
  return {
    ...grants,
    ...(added.hosts.length > 0 && { hosts: added.hosts }),
    ...(added.loopbackPorts.length > 0 && { loopbackPorts: added.loopbackPorts }),
  };
}

function ownPort(host: string): number | undefined {
  const [name = '', port] = host.split(':');
  if (!isLoopback(name)) return undefined;
  if (port !== undefined) return Number(port);
  throw new Failure('INVALID_FIELD', `hosts has ${host}, which needs a port: give one, such as ${host}:5432`, {
    field: 'hosts',
  });
}

/** Whether a granted host covers a refused destination. */
function covers(host: string, destination: string): boolean {
  const name = host.replace(/^\*/, '');
  const [asked = ''] = destination.split(':');
  return host === destination || asked === host || (host.startsWith('*') && asked.endsWith(name));
}
