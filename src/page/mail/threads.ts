import { type Mail, MailState } from '#page/client/agent/v1/agent_pb.js';

/** One mail in its thread. */
export interface MessageNode {
  readonly mail: Mail;
  /** How many mails before it in the thread led to it. */
  readonly depth: number;
}

/** Mails that answer each other or set each other off, from the first on. */
export interface Thread {
  /** The id of its first mail. */
  readonly id: string;
  readonly subject: string;
  /** In the order in which they were sent, each after the one that led to it. */
  readonly messages: readonly MessageNode[];
  /** Who wrote and who was written to, in the order in which they came up. */
  readonly people: readonly string[];
  /** How many of others were not taken by those that they were sent to, and how many of the person's own. */
  readonly unread: number;
  readonly ownUnread: number;
  readonly latestAt: string;
}

/** Whether the agent that a mail was sent to has not read it. */
export function isUnread({ state }: Mail): boolean {
  return state !== MailState.TAKEN;
}

const you = 'You';

/** Mails as threads, the one with the latest mail first. A mail whose cause is not among them begins a thread. */
export function threadsOf(mails: readonly Mail[]): readonly Thread[] {
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  const led = Map.groupBy(oldestFirst(mails), (mail) => causeOf(mail, byId));
  const threads = (led.get(undefined) ?? []).map((root) => threadOf(root, led));
  return threads.sort((one, other) => other.latestAt.localeCompare(one.latestAt));
}

function oldestFirst(mails: readonly Mail[]): Mail[] {
  return [...mails].sort((one, other) => one.sentAt.localeCompare(other.sentAt) || one.id.localeCompare(other.id));
}

/** What a mail answers, or else what set it off; undefined if that is not known. */
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

/** Who sent a mail: an agent or muster by name, and a person as `You`. */
export function senderOf({ fromAgentId, fromName }: Mail): string {
  return fromAgentId === '' && fromName !== 'muster' ? you : fromName;
}

/** What a mail is about: its subject, or how it begins. */
export function subjectOf({ subject, body }: Mail): string {
  return subject || (body.trim().split('\n')[0] ?? '').slice(0, 90);
}
