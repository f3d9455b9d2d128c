import { Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { details } from '#cli/print/details.ts';
import { notifyDetails } from '#cli/print/notify-details.ts';
import { formatOf, type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import type { NoticeKind, Notify } from '#contract/fact/notify.ts';
import { printable } from '#contract/printable.ts';

interface NotifyFlags extends OutputFlags {
  readonly webhook?: string;
  readonly command?: string;
  readonly on?: string[];
  readonly off?: true;
  readonly test?: string | true;
}

const service = 'fact.v1.FactService';
const kinds: Readonly<Record<string, NoticeKind>> = {
  waiting: 'NOTICE_KIND_WAITING',
  failed: 'NOTICE_KIND_FAILED',
  finished: 'NOTICE_KIND_FINISHED',
  ended: 'NOTICE_KIND_ENDED',
  budget: 'NOTICE_KIND_BUDGET',
  'account-limited': 'NOTICE_KIND_ACCOUNT_LIMITED',
  'host-lost': 'NOTICE_KIND_HOST_LOST',
  'host-back': 'NOTICE_KIND_HOST_BACK',
  'backup-failed': 'NOTICE_KIND_BACKUP_FAILED',
};

/** `muster notify` */
export const define: Define = (command, session) => {
  command
    .description(
      'Shows or sets the notifications for when an agent starts to wait for you, fails, finishes a turn or ends, when an account is limited, when a budget is nearly or wholly used, when a host is ' +
        'lost or back, and when a scheduled backup fails. A workflow can have its own webhook and command for its agents: muster workflow edit --notify-webhook, --notify-command, --notify-on.\n\n' +
        'A webhook gets a POST with {event, text, at, seq, agent, host, budget} as JSON; chat services show "text". A command ' +
        'finds MUSTER_EVENT, MUSTER_TEXT, MUSTER_AGENT_ID, MUSTER_AGENT_NAME, MUSTER_AGENT_STATE, ' +
        'MUSTER_HOST_ID, MUSTER_HOST_NAME and, with that JSON, ' +
        'MUSTER_NOTICE in its environment.',
    )
    .option('--webhook <address>', 'the address to post to; empty removes it')
    .option('--command <command>', 'the shell command to run; empty removes it')
    .addOption(new Option('--on <kinds...>', 'the events to notify of; by default all').choices(Object.keys(kinds)))
    .addOption(new Option('--off', 'turn notifications off').conflicts(['webhook', 'command', 'on']))
    .option('--test [workflow]', 'send a test, to your own or to a workflow’s webhook and command')
    .addOption(outputOption())
    .action((flags: NotifyFlags) => (flags.test ? trial(session, flags) : set(session, flags)));
};

async function set({ io, client: connect }: Session, flags: NotifyFlags): Promise<void> {
  const client = connect();
  const { webhook, command, on, off } = flags;
  const given = { ...(webhook !== undefined && { webhook }), ...(command !== undefined && { command }) };
  const isChange = off || on !== undefined || Object.keys(given).length > 0;
  const { notify: before = {} } = await client.call(`${service}/GetNotify`, {});
  const wanted: Notify = off
    ? {}
    : { ...before, ...given, ...(on && { on: on.map((kind) => kinds[kind] ?? 'NOTICE_KIND_UNSPECIFIED') }) };
  const { notify = {} } = isChange
    ? await client.call(`${service}/UpdateNotify`, { notify: wanted })
    : { notify: before };
  const isSet = Boolean(notify.webhook || notify.command);
  const failure = isChange || !isSet || formatOf(io, flags) !== 'table' ? undefined : await lastFailure(client);
  writeRecord(
    io,
    flags,
    notify,
    () =>
      details(io, { ...notifyDetails(notify), 'last failure': failure }) ||
      'Notifications are off. Try: muster notify --command \'notify-send "$MUSTER_TEXT"\' --on waiting\n',
  );
}

/** The last failed notification, if it is among the newest facts. */
async function lastFailure(client: Client): Promise<string | undefined> {
  const { facts = [] } = await client.call(`${service}/ListFacts`, { pageSize: 200 });
  const failed = facts.find(({ kind }) => kind === 'notice.failed');
  if (failed === undefined) return undefined;
  const { through, reason } = JSON.parse(failed.detail ?? '{}') as { through?: unknown; reason?: unknown };
  return `${failed.at}, by ${through}: ${reason}`;
}

async function trial({ io, client: connect, exitWith }: Session, flags: NotifyFlags): Promise<void> {
  const client = connect();
  const workflowId = typeof flags.test === 'string' ? (await findWorkflow(client, flags.test)).id : undefined;
  const { results = [] } = await client.call(`${service}/TestNotify`, { ...(workflowId && { workflowId }) });
  const line = ({ through = '', failure }: { through?: string | undefined; failure?: string | undefined }) =>
    `${through}: ${failure ? `did not arrive: ${printable(failure)}` : 'arrived'}\n`;
  writeRecord(io, flags, results, () => results.map(line).join(''));
  if (results.some(({ failure }) => failure)) exitWith(1);
}
