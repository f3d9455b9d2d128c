import type { BusMember } from '#contract/access/bus-member.ts';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';

const token = /^\$?[A-Za-z0-9_-]{1,128}$/;

/** The name by which registries announce themselves on the bus. */
export const registryServiceName = 'muster-registry';

/**
 * The subject at which a gateway checks whether a credential is valid: `{credential}`, answered or refused as
 * `unauthenticated`.
 */
export const authCheckSubject = 'registry.auth.check';
/** Where a gateway asks which of many credentials have ended: `{credentials}`, answered by `{ended}`. */
export const endedCredentialsSubject = 'registry.auth.ended';
/** Where a gateway exchanges a one-time code for a session: `{code}`, answered by `{token, expiresAt}`. */
export const signInSubject = 'registry.auth.sign-in';
/** Where a gateway ends a session: `{credential}`. */
export const signOutSubject = 'registry.auth.sign-out';
/** Where a gateway reads an invitation for a machine: answered by `JoinPreview`. */
export const invitationSubject = 'registry.auth.invitation';
/** Where a gateway exchanges the token of an invitation for certificates: `JoinRequest`, answered by `JoinAnswer`. */
export const joinSubject = 'registry.auth.join';
/** Where a gateway asks for new certificates of a host: `RenewalRequest`, answered by `Certificates`. */
export const renewalSubject = 'registry.auth.renewal';

/** Where a gateway asks whether the registry and its database answer: an empty answer, or a refusal. */
export const readySubject = 'registry.health.ready';
/** Where a gateway reads the registry's metrics: answered by `RegistryFigures`. */
export const figuresSubject = 'registry.health.figures';

/** Where a registry announces itself to gateways. */
export const presenceSubject = 'registry.present';

/** Where one registry, by its instance, answers what any of them answers at a subject. */
export function instanceSubject(subject: string, registry: string): string {
  return checkSubject(`${subject}.${registry}`);
}

/** Where every registry identifies itself, by the services protocol: `PingedRegistry`. */
export const registryPingSubject = `$SRV.PING.${registryServiceName}`;

/** Where a starting registry asks which one has the bus: answered by `RegistryHolder`. */
export const leaseSubject = 'registry.lease';
/** Where each registry regularly publishes that it has the bus: `RegistryHolder`. */
export const claimSubject = 'registry.claim';

/** `rpc.<package>.<Service>.<Method>`: the subject of an operation. */
export function operationSubject(row: Pick<Operation, 'package' | 'service' | 'method'>): string {
  return subjectOf('rpc', ...row.package.split('.'), row.service, row.method);
}

/** `host.<hostId>.<verb>`: a request from the registry to a host. */
export function hostSubject(hostId: string, verb: string): string {
  return subjectOf('host', hostId, verb);
}

/**
 * `registry.from.<hostId>.<verb>.<registry>`: a request from a host to one registry; without the last token, to any.
 */
export function fromHostSubject(hostId: string, verb: string, registry?: string): string {
  return subjectOf('registry', 'from', hostId, verb, ...(registry === undefined ? [] : [registry]));
}

/** The pattern of a verb's requests from all hosts: those for one registry, or without an instance, those for any. */
export function fromHostsPattern(verb: string, registry?: string): string {
  return `registry.from.*.${subjectOf(verb, ...(registry === undefined ? [] : [registry]))}`;
}

/** `registry.peer.<topic>`: hints among the registries of one database. */
export function peerSubject(topic: string): string {
  return subjectOf('registry', 'peer', topic);
}

/** The host that a subject of `fromHostSubject` names. */
export function senderOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}

/** Whether a subject of `fromHostSubject` names one registry. */
export function isForOne(subject: string): boolean {
  return subject.split('.').length > 4;
}

/** The prefix of the inboxes where a member receives answers: a host has its own. */
export function inboxOf({ kind, hostId }: BusMember): string {
  return hostId === undefined ? `_INBOX.${kind}` : `_INBOX.${kind}.${hostId}`;
}

/**
 * Whether a request's reply subject is an inbox of a member that may send requests to its subject. A reply to any other
 * subject would be a message in the responder's name.
 */
export function isInboxFor(reply: string | undefined, subject: string): boolean {
  return reply !== undefined && isWithin(reply, inboxOf(askerAt(subject)));
}

function isWithin(reply: string, inbox: string): boolean {
  return reply.startsWith(`${inbox}.`) && reply.split('.').every((part) => token.test(part));
}

function askerAt(subject: string): BusMember {
  if (subject.startsWith('$SRV.')) return { kind: 'start' };
  if (subject.startsWith('host.') || subject === leaseSubject) return { kind: 'registry' };
  if (subject.startsWith('registry.from.')) return { kind: 'host', hostId: senderOf(subject) };
  return { kind: 'gateway' };
}

/** `bell.<hostId>`: hints for a host. */
export function hostHintSubject(hostId: string): string {
  return subjectOf('bell', hostId);
}

/** `pane.<hostId>.<agentId>`: hints of a host for the watchers of an agent's pane. */
export function paneSubject(hostId: string, agentId: string): string {
  return subjectOf('pane', hostId, agentId);
}

/** The host that a subject of `paneSubject` names: the bus lets no other host publish there. */
export function paneSender(subject: string): string {
  return subject.split('.')[1] ?? '';
}

/** The pattern of the hints about an agent's pane, whichever host it is on. */
export function panePattern(agentId: string): string {
  return `pane.*.${subjectOf(agentId)}`;
}

/** `fact.<kind>`, such as `fact.agent.state-moved`. */
export function factSubject(kind: string): string {
  return subjectOf('fact', ...kind.split('.'));
}

/** The pattern of all facts whose kind starts with a prefix: `agent.` gives `fact.agent.>`. */
export function factPattern(prefix: string): string {
  const whole = prefix.split('.').slice(0, -1);
  return `${subjectOf('fact', ...whole)}.>`;
}

/**
 * Returns a subject if it consists of plain tokens, without blanks, line ends and wildcards.
 * @throws INVALID_ARGUMENT when it does not
 */
export function checkSubject(subject: string): string {
  return subjectOf(...subject.split('.'));
}

/** As `checkSubject`, but a token may be `*`, and the last one `>`. */
export function checkPattern(pattern: string): string {
  const tokens = pattern.split('.');
  const plain = tokens.filter((part, place) => part !== '*' && !(part === '>' && place === tokens.length - 1));
  for (const part of plain) checkToken(part, pattern);
  return pattern;
}

function subjectOf(...tokens: string[]): string {
  const subject = tokens.join('.');
  for (const part of tokens) checkToken(part, subject);
  return subject;
}

function checkToken(part: string, subject: string): void {
  if (token.test(part)) return;
  throw new Failure(
    'BUS_ADDRESS_INVALID',
    `${JSON.stringify(part)} in ${JSON.stringify(subject)} cannot be part of a bus subject: letters, digits, - and _ can`,
  );
}
