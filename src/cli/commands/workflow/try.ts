import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { formatOf, type OutputFlags, outputOption, writeJson } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import { printable, printableLines } from '#contract/printable.ts';
import type { WorkflowTrial } from '#contract/workflow-trial.ts';

const service = 'workflow.v1.WorkflowService';

interface TryFlags extends OutputFlags {
  readonly setup?: string;
}

/** `muster workflow try` */
export function defineTry(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Runs the setup script of a workflow as a launch would, in a worktree that is removed afterwards, and prints what it ' +
        'writes immediately. It has 30 minutes, as in a launch. Ctrl-C ends it; if this command is killed, it ends within 15 seconds. MUSTER_AGENT_NAME is the workflow’s name, and ' +
        'there is no SERVICE_TOKEN: no agent is launched. Exits with 6 if the script fails.',
    )
    .option('--setup <text>', 'try this script in place of the workflow’s: - reads standard input, @file a file')
    .addOption(outputOption())
    .action(async (name: string, flags: TryFlags) => {
      const client = connect();
      const { id: workflowId } = await findWorkflow(client, name);
      const setup = flags.setup === undefined ? undefined : await textSource(io).read('--setup', flags.setup);
      const request = { workflowId, ...(setup !== undefined && { setup }) };
      const { trial = {} } = await client.call(`${service}/TryWorkflow`, request);
      const isLive = formatOf(io, flags) === 'table';
      const end = await followed(io, client, trial, (text) => isLive && io.stdout.write(text));
      if (!isLive) writeJson(io, end);
      requireSuccess(name, end);
    });
}

/** Follows a trial to its end. If the wait is aborted, stops the trial and waits for its end. */
async function followed(
  io: CliIo,
  client: Client,
  { id: trialId = '', hostId = '' }: WorkflowTrial,
  show: (text: string) => void,
): Promise<WorkflowTrial> {
  const about = { trialId, hostId };
  const stop = (): void => {
    client.call(`${service}/StopWorkflowTrial`, about).catch(() => io.stderr.write('the trial could not be stopped\n'));
  };
  process.once('SIGINT', stop);
  io.signal?.addEventListener('abort', stop);
  try {
    let output = '';
    for (let cursor = ''; ; ) {
      const { trial = {} } = await client.call(`${service}/GetWorkflowTrial`, { ...about, cursor });
      show(printableLines(trial.output ?? ''));
      output += trial.output ?? '';
      cursor = trial.cursor ?? '';
      if (trial.state !== 'RUN_STATE_RUNNING') return { ...trial, output };
    }
  } finally {
    process.off('SIGINT', stop);
    io.signal?.removeEventListener('abort', stop);
  }
}

/** Checks the result of a trial. @throws FAILED_PRECONDITION when the script failed or was stopped */
function requireSuccess(name: string, { state, reason = '' }: WorkflowTrial): void {
  if (state === 'RUN_STATE_SUCCEEDED') return;
  const how = state === 'RUN_STATE_CALLED_OFF' ? 'was stopped' : reason;
  throw new Failure('SCRIPT_FAILED', `the setup script of ${printable(name)} ${how}`);
}
