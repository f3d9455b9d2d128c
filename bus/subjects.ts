import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';

const token = /^\$?[A-Za-z0-9_-]{1,128}$/;

/** Where a gateway asks whether a credential is good: `{credential}`, answered or refused as `unauthenticated`. */
export const authCheckSubject = 'registry.auth.check';
/** Where a gateway exchanges a one-time code for a session: `{code}`, answered by `{token, expiresAt}`. */
export const signInSubject = 'registry.auth.sign-in';
/** Where a gateway ends a session: `{credential}`. */
export const signOutSubject = 'registry.auth.sign-out';

/** Where a gateway asks whether the registry and its database answer: an empty answer, or a refusal. */
export const readySubject = 'registry.health.ready';
/** Where a gateway asks for what the registry counts: answered by `RegistryFigures`. */
export const figuresSubject = 'registry.health.figures';

/** `rpc.<package>.<Service>.<Method>`: where an operation is asked for. */
export function operationSubject(row: Pick<Operation, 'package' | 'service' | 'method'>): string {
  return subjectOf('rpc', ...row.package.split('.'), row.service, row.method);
}

/** `host.<hostId>.<verb>`: what the registry asks of one host. */
export function hostSubject(hostId: string, verb: string): string {
  return subjectOf('host', hostId, verb);
}

/** `bell.<hostId>`: tells a host to look. */
export function bellSubject(hostId: string): string {
  return subjectOf('bell', hostId);
}

/** `pane.<agentId>`: tells whoever watches an agent's pane to look. */
export function paneSubject(agentId: string): string {
  return subjectOf('pane', agentId);
}

/** `fact.<kind>`, such as `fact.agent.state-moved`. */
export function factSubject(kind: string): string {
  return subjectOf('fact', ...kind.split('.'));
}

/** The subject that hears every fact whose kind starts with a prefix: `agent.` gives `fact.agent.>`. */
export function factPattern(prefix: string): string {
  const whole = prefix.split('.').slice(0, -1);
  return `${subjectOf('fact', ...whole)}.>`;
}

/** Refuses a subject that is not made of plain tokens: no blank, no line end, no wildcard. */
export function checkSubject(subject: string): string {
  return subjectOf(...subject.split('.'));
}

/** As `checkSubject`, and a token may be `*`, the last one `>`. */
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
    'invalid_argument',
    `${JSON.stringify(part)} in ${JSON.stringify(subject)} cannot be part of a bus subject: letters, digits, - and _ can`,
  );
}
