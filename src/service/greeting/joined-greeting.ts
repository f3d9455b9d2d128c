import type { JoinRecord } from '#service/join/joined-state.ts';

/** The message after the start of a machine that has joined another installation. */
interface JoinedWelcome {
  readonly joined: Pick<JoinRecord, 'name' | 'url'>;
  /** The address of the gateway on this machine. */
  readonly url: string;
  readonly home: string;
  /** Why the registry refuses this host; undefined if it does not. */
  readonly refusal: string | undefined;
  /** A notice that panes end with muster; undefined if they do not. */
  readonly embedded: string | undefined;
}

/** The installation that this machine belongs to, and how agents and people here reach muster. */
export function joinedGreeting({
  joined: { name, url: central },
  url,
  home,
  embedded,
  refusal,
}: JoinedWelcome): string {
  return [
    refusal === undefined
      ? `This machine is ready as host ${name} of ${central}`
      : `The registry at ${central} refuses this host, which waits until that is fixed. ${refusal}`,
    `Agents here reach muster at ${url}. Your commands do too, once operator.token of the registry's machine is in ${home}.`,
    ...(embedded === undefined ? [] : [embedded]),
    embedded === undefined
      ? 'Ctrl-C stops muster; the agents keep running. `muster start` continues as the same host.'
      : 'Ctrl-C stops muster and the agents. `muster start` continues as the same host.',
    '',
  ].join('\n');
}
