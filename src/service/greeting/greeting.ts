import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, clientOf } from '#cli/client/client.ts';
import { tokenFile } from '#cli/client/connection.ts';
import { pageOrigin } from '#contract/access/page-address.ts';
import { readSecretFile } from '#world/file/private-file.ts';
import { type DefaultAgent, defaultAgent, isolationText, offerText } from './offered-agents.ts';

/** How long the greeting waits to learn what the workflow `default` runs, in milliseconds. */
const patienceMs = 2_000;

/** The content of the message after a start. */
export interface Welcome {
  readonly url: string;
  /** How they type this installation's command. */
  readonly muster: string;
  /** The harness of the workflow `default`; undefined if it does not exist or is unknown. */
  readonly runs: DefaultAgent | undefined;
  /** A notice that panes end with muster; undefined if they do not. */
  readonly embedded: string | undefined;
  /** Where other machines join; undefined if they cannot. */
  readonly entrance?: string | undefined;
}

/** The address of the service, and what to try next. */
export function greeting({ url, muster, runs, embedded, entrance }: Welcome): string {
  const example = runs?.harness === 'shell' ? 'echo hello' : 'say hello';
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
    ...(entrance === undefined ? [] : [entrance]),
    ...(runs === undefined ? [] : runsTexts(runs, muster)),
    ...(embedded === undefined ? [] : [embedded]),
    '',
    ...lines.map(([command, what]) => `  ${command.padEnd(width)}   ${what}`),
    '',
    embedded === undefined
      ? 'Ctrl-C stops muster; the agents keep running.'
      : `Ctrl-C stops muster and the agents; ${muster} restore NAME resumes one.`,
    '',
  ].join('\n');
}

function runsTexts(runs: DefaultAgent, muster: string): readonly string[] {
  const what = runs.harness === 'shell' ? 'shell, which is bash: a prompt is a command line' : runs.harness;
  const more = [offerText(runs, muster), isolationText(runs, muster)].filter((text) => text !== undefined);
  return [`Agents of the workflow "default" run ${what}.`, ...more];
}

/** Requests the harness of the workflow `default` from the service as its operator; undefined if that fails. */
export async function askDefaultAgent(home: string, url: string): Promise<DefaultAgent | undefined> {
  const late = delay(patienceMs, undefined, { ref: false });
  const token = readSecretFile(join(home, tokenFile))?.trim();
  return Promise.race([defaultAgent({ baseUrl: url, token }).catch(() => undefined), late]);
}

/** A client of the service as its operator. */
export function operatorClient(home: string, url: string): Client {
  return clientOf({ baseUrl: url, token: readSecretFile(join(home, tokenFile))?.trim() });
}
