import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clientOf } from '#cli/client/client.ts';
import { tokenFile } from '#cli/client/connection.ts';
import { pageOrigin } from '#contract/access/page-address.ts';
import { readSecretFile } from '#world/file/private-file.ts';

/** How long the greeting waits to hear what the first workflow runs, in milliseconds. */
const patienceMs = 2_000;

/** What a person is told who has started everything. */
export interface Welcome {
  readonly url: string;
  /** What they type for this installation's command. */
  readonly muster: string;
  /** The harness of the workflow `default`; undefined where there is no such workflow, or it was not heard of. */
  readonly harness: string | undefined;
  /** What there is to say of panes that end with muster; undefined where they live on. */
  readonly embedded: string | undefined;
}

/** Where the service is reached, and what to try next. */
export function greeting({ url, muster, harness, embedded }: Welcome): string {
  const example = harness === 'shell' ? 'echo hello' : 'say hello';
  const lines: readonly (readonly [command: string, what: string])[] = [
    [`${muster} new "${example}"`, 'launch an agent with a prompt'],
    [`${muster} open`, 'see what every agent is doing, in your browser'],
    [`${muster} ls --watch`, 'the same in a terminal'],
    embedded === undefined
      ? [`${muster} attach NAME`, "open an agent's window"]
      : [`${muster} read NAME`, "see what an agent's pane shows"],
  ];
  const width = Math.max(...lines.map(([command]) => command.length));
  return [
    `muster is ready at ${url}`,
    `Its page is at ${pageOrigin(url)}: ${muster} open signs a browser in.`,
    ...(harness === undefined ? [] : [runsText(harness)]),
    ...(embedded === undefined ? [] : [embedded]),
    '',
    ...lines.map(([command, what]) => `  ${command.padEnd(width)}   ${what}`),
    '',
    embedded === undefined
      ? 'Ctrl-C stops muster; the agents live on.'
      : `Ctrl-C stops muster and the agents; ${muster} restore NAME resumes one.`,
    '',
  ].join('\n');
}

function runsText(harness: string): string {
  const what = harness === 'shell' ? 'shell, which is bash: a prompt is a command line' : harness;
  return `Agents of the workflow "default" run ${what}.`;
}

/** The harness of the workflow `default`, asked of the service as its operator; undefined where that is not to be had. */
export async function defaultHarness(home: string, url: string): Promise<string | undefined> {
  const late = delay(patienceMs, undefined, { ref: false });
  return Promise.race([askHarness(home, url).catch(() => undefined), late]);
}

async function askHarness(home: string, url: string): Promise<string | undefined> {
  const token = readSecretFile(join(home, tokenFile))?.trim();
  const { workflows = [] } = await clientOf({ baseUrl: url, token }).call(
    'workflow.v1.WorkflowService/ListWorkflows',
    {},
  );
  return workflows.find(({ name }) => name === 'default')?.harness;
}
