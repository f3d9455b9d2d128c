import type { QueryKey } from '@tanstack/react-query';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';

/** The queries that a fact makes stale, by prefixes of their keys. */
type StaleQueries = (fact: Pick<Fact, 'subjectId' | 'detail'>) => readonly QueryKey[];

const hosts: StaleQueries = () => [['hosts']];
const listed: StaleQueries = ({ subjectId }) => [['hosts'], ['archived'], ['agent', subjectId]];
const mail: StaleQueries = () => [['mail']];
const review: StaleQueries = ({ subjectId }) => [['review', subjectId]];
const runs: StaleQueries = () => [['runs'], ['run']];
const pulls: StaleQueries = () => [['pull-requests']];
const schedule: StaleQueries = ({ subjectId }) => [
  ['schedules'],
  ['schedule', subjectId],
  ['schedule-runs', subjectId],
];
/** Doctor reports backups. */
const health: StaleQueries = () => [['doctor'], ['readyz']];
const times: StaleQueries = (fact) => [...schedule(fact), ['coming']];

const everything: StaleQueries = (fact) => [
  ...listed(fact),
  ...mail(fact),
  ...runs(fact),
  ...pulls(fact),
  ...times(fact),
  ...['review', 'forges', 'workflows'].map((one) => [one]),
];

/**
 * The queries that each kind of fact makes stale, by kind or by prefix of kinds. Agents’ rows are not listed, because
 * the stream delivers them.
 */
const staleBy: Readonly<Record<string, StaleQueries>> = {
  'agent.created': hosts,
  'agent.archived': listed,
  'agent.restored': listed,
  'agent.moves': listed,
  'agent.moved': listed,
  'agent.move-failed': listed,
  'agent.gone': (fact) => [...listed(fact), ...mail(fact), ...runs(fact)],
  'mail.': mail,
  'review.': review,
  // The doorbell of a comment shows whether the comment was read.
  'doorbell.claimed': review,
  'run.begun': runs,
  'run.ended': runs,
  'run.looked-at': runs,
  'run.wrote': ({ detail }) => [['runs'], ['run', String((JSON.parse(detail) as { run: number }).run)]],
  'schedule.created': times,
  'schedule.changed': times,
  'schedule.paused': times,
  'schedule.resumed': times,
  'schedule.fired': times,
  'schedule.run-moved': schedule,
  'schedule.deleted': times,
  'approvals.': () => [['approvals'], ['doctor']],
  'forge.': () => [['forges'], ['pull-requests']],
  'repository.': pulls,
  'host.': hosts,
  'workflow.': () => [['workflows'], ['approvals']],
  'budget.': () => [['budgets']],
  'profile.': () => [['profiles']],
  'installation.restored': everything,
  'installation.backed-up': health,
  'installation.backup-failed': health,
};

/** The kinds of facts that a tab requests. */
export const watchedKinds: readonly string[] = Object.keys(staleBy);

/** The queries that a fact makes stale. */
export function staleAfter(fact: Pick<Fact, 'kind' | 'subjectId' | 'detail'>): readonly QueryKey[] {
  const { kind } = fact;
  const stale = staleBy[kind] ?? staleBy[kind.slice(0, kind.indexOf('.') + 1)];
  return stale?.(fact) ?? [];
}

/** All queries that facts can make stale, for when it is unknown which facts were missed. */
export const staleAtWorst: readonly QueryKey[] = [
  ...new Set(
    Object.values(staleBy).flatMap((stale) => stale({ subjectId: '', detail: '{"run":0}' }).map(([first]) => first)),
  ),
].map((first) => [first]);
