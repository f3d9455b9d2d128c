import type { Command } from 'commander';
import type { Session } from '#cli/client/session.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { details } from '#cli/print/details.ts';
import { isolationDetails } from '#cli/print/isolation-details.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';

/** `muster workflow allow` */
export function defineAllow(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Lets the isolated agents of a workflow connect to hosts: those that run at once, and all later ones. A host is a ' +
        'name (registry.npmjs.org), all names below one (*.example.com), or either with a port (example.com:8443). ' +
        '127.0.0.1:5432 is a port of the agents’ own host, which counts from their next window on.',
    )
    .addOption(outputOption())
    .action(async (name: string, hosts: string[], flags: OutputFlags) => {
      const client = connect();
      const { id: workflowId } = await findWorkflow(client, name);
      const { workflow = {} } = await client.call('workflow.v1.WorkflowService/AllowConnections', {
        workflowId,
        hosts,
      });
      const { isolation, grants } = workflow;
      writeRecord(io, flags, workflow, () =>
        details(io, { name: workflow.name, ...isolationDetails(isolation, grants) }),
      );
    });
}
