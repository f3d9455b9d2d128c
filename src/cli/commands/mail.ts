import { type Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent, typedName } from '#cli/find/find-agent.ts';
import { ownNamed } from '#cli/find/own-agent.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { textTable } from '#cli/print/text-table.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { shortName } from '#cli/print/words.ts';
import type { Mail } from '#contract/mail.ts';
import { printable, printableLines } from '#contract/printable.ts';

interface SendFlags extends OutputFlags {
  readonly subject?: string;
  readonly kind?: string;
  readonly inReplyTo?: string;
  readonly key?: string;
}

interface LsFlags extends OutputFlags {
  readonly sent?: true;
  readonly waiting?: true;
  readonly number: number;
}

interface TakeFlags extends OutputFlags {
  readonly claim?: string;
  readonly number?: number;
}

/** `muster mail` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'Mail between agents, and from you to them. It waits until it is taken. One line, typed when the agent is idle, ' +
        'notifies it. In an agent’s pane, NAME of ls and take defaults to that agent.',
    );
  defineSend(command.command('send <name> [text]').summary('send mail to an agent'), session);
  defineLs(command.command('ls [name]').summary('list mail and its progress, without taking it'), session);
  defineTake(command.command('take [name]').summary('take waiting mail, in order'), session);
};

function defineSend(command: Command, session: Session): void {
  command
    .description('Sends mail to an agent. TEXT is the text, - for standard input (the default), or @file.')
    .option('-s, --subject <text>', 'the subject, on one line')
    .option('--kind <word>', 'what kind of mail it is, for programs')
    .option('--in-reply-to <id>', 'the mail that it answers')
    .option('--key <text>', 'idempotency key: repeating the command with it sends nothing again')
    .addOption(outputOption())
    .action(async (name: string, text: string | undefined, flags: SendFlags) => {
      const client = session.client();
      const { id: agentId, agent } = await findAgent(client, name);
      const body = await textSource(session.io).read('the text', text ?? '-');
      const { subject, kind, inReplyTo, key: idempotencyKey } = flags;
      const letter = Object.fromEntries(
        Object.entries({ subject, kind, inReplyTo, idempotencyKey }).filter(([, value]) => value !== undefined),
      );
      const { mail = {} } = await client.call('agent.v1.AgentService/SendMail', { agentId, body, ...letter });
      const when = agent.heldAt ? `once it is given back (muster unhold ${typedName(agent)})` : 'when idle';
      const said = `${mail.id} is stored; ${mail.toName} will be notified ${when}`;
      writeRecord(session.io, flags, mail, () => `${printable(said)}\n`);
    });
}

function defineLs(command: Command, session: Session): void {
  const { io, client: connect } = session;
  command
    .description('Lists mail, newest first, with its progress: accepted, notified (the doorbell has rung), taken.')
    .option('--sent', 'mail that the agent sent, instead of received')
    .option('--waiting', 'only mail that was not taken')
    .addOption(new Option('-n, --number <count>', 'how many at most').default(50).argParser(atLeastOne))
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: LsFlags) => {
      const client = connect();
      const asked = {
        ...(await ownNamed(session, client, name, 'muster mail ls')),
        ...(flags.sent && { box: 'MAIL_BOX_SENT' as const }),
        ...(flags.waiting && { taken: false }),
      };
      const mail = await listed(client, asked, flags.number);
      writeList(io, flags, mail, () => mailTable(io, mail, flags.sent === true));
    });
}

interface MailFilter {
  readonly agentId?: string;
  readonly box?: 'MAIL_BOX_SENT';
  readonly taken?: boolean;
}

async function listed(client: Client, asked: MailFilter, max: number): Promise<Mail[]> {
  let left = max;
  const mail = await everyPage(
    async (pagination) => {
      const pageSize = Math.min(pagination.pageSize, left);
      const page = await client.call('agent.v1.AgentService/ListMail', {
        ...asked,
        pagination: { ...pagination, pageSize },
      });
      left -= page.mail?.length ?? 0;
      return left > 0 ? page : { mail: page.mail };
    },
    (page) => page.mail,
  );
  return mail;
}

function mailTable(io: CliIo, mail: readonly Mail[], isSent: boolean): string {
  if (mail.length === 0) return isSent ? 'It sent no mail\n' : 'It has no mail\n';
  const cells = (one: Mail) => {
    const { id = '', fromName = '', toName = '', sentAt, subject, body = '' } = one;
    const texts = [id, isSent ? toName : fromName, stateWord(one), ago(sentAt, io.now()), subject || body];
    return texts.map((text) => ({ text: printable(text) }));
  };
  const titles = [
    { title: 'ID' },
    { title: isSent ? 'TO' : 'FROM', min: 8 },
    { title: 'STATE' },
    { title: 'SENT' },
    { title: 'ABOUT', min: 8 },
  ];
  return textTable(titles, mail.map(cells), io.stdout.columns);
}

function stateWord({ state = 'MAIL_STATE_UNSPECIFIED' }: Mail): string {
  return state === 'MAIL_STATE_RUNG' ? 'notified' : shortName(state);
}

function defineTake(command: Command, session: Session): void {
  const { io, client: connect } = session;
  command
    .description(
      'Takes waiting mail, in order, and marks it taken. It is printed as text, with the sender’s ' +
        'words between marker lines; with -o json as a record.',
    )
    .option('--claim <id>', 'a word of your choice: repeating it returns the same mail')
    .addOption(new Option('-n, --number <count>', 'how many at most').argParser(atLeastOne))
    .addOption(outputOption(undefined, 'the text'))
    .action(async (name: string | undefined, flags: TakeFlags) => {
      const client = connect();
      // An agent gets the text too, as it is written to be read.
      const { output = 'table' } = flags;
      const asText = output === 'table';
      const taken = await client.call('agent.v1.AgentService/TakeMail', {
        ...(await ownNamed(session, client, name, 'muster mail take')),
        ...(flags.claim !== undefined && { claimId: flags.claim }),
        ...(flags.number !== undefined && { limit: flags.number }),
        ...(asText ? {} : { view: 'VIEW_FULL' as const }),
      });
      writeRecord(io, { output }, taken, () => printableLines(taken.text ?? ''));
    });
}
