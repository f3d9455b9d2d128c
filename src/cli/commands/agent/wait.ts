import { Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { type OutputFlags, outputOption, writeList } from '#cli/print/output.ts';
import { atLeastZero } from '#cli/print/whole-number.ts';
import { Failure } from '#contract/failure.ts';
import { awaitAgents, awaitedLine, exitCodeFor, exitCodeHelp, outcomes, type WaitRequest } from './awaited.ts';
import { timeLimitMs } from './given-time.ts';

interface WaitFlags extends OutputFlags {
  readonly for?: (keyof typeof outcomes)[];
  readonly any?: true;
  readonly workflow?: string;
  readonly launchedBy?: string;
  readonly afterTurn?: number;
  readonly timeout?: string;
}

/** `muster wait` */
export const define: Define = (command, session) => {
  command
    .description(
      'Waits until agents finish a turn, end, fail or wait for a person, and prints the outcome of each. An earlier outcome ' +
        'counts, so nothing is missed between a launch and this command. An agent that ends or fails ends the wait for it in any case. ' +
        `The exit code is 0 if each outcome is one that was waited for; else ${exitCodeHelp}. It waits through restarts of muster.`,
    )
    .addOption(new Option('--for <outcomes...>', 'what to wait for (anything)').choices(Object.keys(outcomes)))
    .option('--any', 'return at the first outcome; by default once all agents have one')
    .option('-w, --workflow <name>', 'wait for all agents of this workflow')
    .option('--launched-by <agent>', 'wait for all agents that this one launched')
    .addOption(
      new Option('--after-turn <number>', 'only turns after this one count as finished; 0 for every turn').argParser(
        atLeastZero,
      ),
    )
    .option('-t, --timeout <time>', 'how long to wait, such as 90s, 30m or 2h (without limit)')
    .addOption(outputOption())
    .action(async (names: readonly string[], flags: WaitFlags) => {
      const client = session.client();
      const timeoutMs = flags.timeout === undefined ? undefined : timeLimitMs('--timeout', flags.timeout);
      const request = await requestFrom(client, names, flags);
      const agents = await awaitAgents(session, client, request, timeoutMs).catch((error: unknown) =>
        Promise.reject(inNames(error, flags)),
      );
      writeList(session.io, flags, agents, () => agents.map(awaitedLine).join(''));
      exit(session, exitCodeFor(agents, request.until ?? []));
    });
};

/** The refusal of a filter that finds nobody, with the name that was given instead of the id. */
function inNames(error: unknown, { workflow, launchedBy }: WaitFlags): unknown {
  const whose = workflow === undefined ? launchedBy : `workflow ${workflow}`;
  if (!(error instanceof Failure) || error.reason !== 'AGENT_NOT_FOUND' || whose === undefined) return error;
  return error.saying(`${whose} has no agents that are not archived`);
}

function exit(session: Session, code: number): void {
  if (code !== 0) session.exitWith(code);
}

async function requestFrom(client: Client, names: readonly string[], flags: WaitFlags): Promise<WaitRequest> {
  const { workflow, launchedBy, afterTurn } = flags;
  if ([names.length > 0, workflow !== undefined, launchedBy !== undefined].filter(Boolean).length !== 1)
    throw new Failure('INVALID_USAGE', 'name agents, or give --workflow or --launched-by, and only one of the three');
  const agentIds: string[] = [];
  for (const name of names) agentIds.push((await findAgent(client, name)).id);
  return {
    ...(agentIds.length > 0 && { agentIds }),
    ...(workflow !== undefined && { workflowId: (await findWorkflow(client, workflow)).id ?? '' }),
    ...(launchedBy !== undefined && { launchedBy: (await findAgent(client, launchedBy)).id }),
    ...(flags.for && { until: flags.for.map((word) => outcomes[word]) }),
    ...(flags.any && { any: true }),
    ...(afterTurn !== undefined && { afterTurn }),
  };
}
