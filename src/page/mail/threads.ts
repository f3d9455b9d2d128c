import { type Mail, MailState } from '#page/client/agent/v1/agent_pb.js';

/** A mail in its thread. */
export interface MessageNode {
  readonly mail: Mail;
  /** How many mails of the thread led to it. */
  readonly depth: number;
}

/** Mails that reply to or caused each other, from the first on. */
export interface Thread {
  /** The id of its first mail. */
  readonly id: string;
  readonly subject: string;
  /** In the order in which they were sent, but each after the one that led to it. */
  readonly messages: readonly MessageNode[];
  /** The senders and recipients, in the order in which they first appear. */
  readonly people: readonly string[];
  /** How many mails of agents and muster have not been taken by their recipients. */
  readonly unread: number;
  /** How many mails of the person have not been taken. */
  readonly ownUnread: number;
  readonly latestAt: string;
}

/** Whether the recipient has not taken a mail. */
export function isUnread({ state }: Mail): boolean {
  return state !== MailState.TAKEN;
}

const you = 'You';

/**
 * Groups mails into threads, the thread with the latest mail first. A mail whose cause is not among them starts a
 * thread.
 */
export function threadsOf(mails: readonly Mail[]): readonly Thread[] {
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  const led = Map.groupBy(oldestFirst(mails), (mail) => causeOf(mail, byId));
  const threads = (led.get(undefined) ?? []).map((root) => threadOf(root, led));
  return threads.sort((one, other) => other.latestAt.localeCompare(one.latestAt));
}

function oldestFirst(mails: readonly Mail[]): Mail[] {
  return [...mails].sort((one, other) => one.sentAt.localeCompare(other.sentAt) || one.id.localeCompare(other.id));
}

/** The mail to which a mail replies, or else the one that caused it; undefined if unknown. */
function causeOf({ inReplyTo, setOffBy }: Mail, byId: ReadonlyMap<string, Mail>): string | undefined {
  return [inReplyTo, setOffBy].find((id) => byId.has(id));
}

function threadOf(root: Mail, led: ReadonlyMap<string | undefined, readonly Mail[]>): Thread {
  const messages: MessageNode[] = [];
  const waiting: MessageNode[] = [{ mail: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { mail, depth } = next;
    messages.push(next);
    const after = led.get(mail.id) ?? [];
    for (const one of after.toReversed()) waiting.push({ mail: one, depth: depth + 1 });
  }
  const people = new Set(messages.flatMap(({ mail }) => [senderOf(mail), mail.toName || mail.toAgentId]));
  const unread = messages.filter(({ mail }) => isUnread(mail));
  const own = unread.filter(({ mail }) => senderOf(mail) === you);
  const times = messages.map(({ mail }) => mail.sentAt).sort();
  return {
    id: root.id,
    subject: subjectOf(root),
    messages,
    people: [...people],
    unread: unread.length - own.length,
    ownUnread: own.length,
    latestAt: times.at(-1) ?? root.sentAt,
  };
}

/** The sender of a mail: an agent or muster by name, and a person as `You`. */
export function senderOf({ fromAgentId, fromName }: Mail): string {
  return fromAgentId === '' && fromName !== 'muster' ? you : fromName;
}

/** The subject of a mail, or else the start of its text. */
export function subjectOf({ subject, body }: Mail): string {
  return subject || (body.trim().split('\n')[0] ?? '').slice(0, 90);
}
