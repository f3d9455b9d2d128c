import type { QueryKey } from '@tanstack/react-query';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';

/** The answers that a fact makes stale, by the beginnings of their keys. */
type Stale = (fact: Pick<Fact, 'subjectId' | 'detail'>) => readonly QueryKey[];

const hosts: Stale = () => [['hosts']];
const listed: Stale = ({ subjectId }) => [['hosts'], ['archived'], ['agent', subjectId]];
const mail: Stale = () => [['mail']];
const review: Stale = ({ subjectId }) => [['review', subjectId]];
const runs: Stale = () => [['runs'], ['run']];
const pulls: Stale = () => [['pull-requests']];
const schedule: Stale = ({ subjectId }) => [['schedules'], ['schedule', subjectId], ['schedule-runs', subjectId]];
const times: Stale = (fact) => [...schedule(fact), ['coming']];

const everything: Stale = (fact) => [
  ...listed(fact),
  ...mail(fact),
  ...runs(fact),
  ...pulls(fact),
  ...times(fact),
  ...['review', 'forges', 'workflows'].map((one) => [one]),
];

/**
 * What each kind of fact makes stale: a whole kind, or the beginning of kinds. What agents’ rows show is not among
 * them, for the rows themselves arrive.
 */
const staleBy: Readonly<Record<string, Stale>> = {
  'agent.created': hosts,
  'agent.archived': listed,
  'agent.restored': listed,
  'agent.gone': (fact) => [...listed(fact), ...mail(fact), ...runs(fact)],
  'mail.': mail,
  'review.': review,
  // The doorbell of a comment shows whether it was read.
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
  'forge.': () => [['forges'], ['pull-requests']],
  'repository.': pulls,
  'host.': hosts,
  'workflow.': () => [['workflows']],
  'installation.restored': everything,
};

/** The facts that a tab asks for. */
export const kindsHeard: readonly string[] = Object.keys(staleBy);

/** What a fact makes stale. */
export function staleAfter(fact: Pick<Fact, 'kind' | 'subjectId' | 'detail'>): readonly QueryKey[] {
  const { kind } = fact;
  const stale = staleBy[kind] ?? staleBy[kind.slice(0, kind.indexOf('.') + 1)];
  return stale?.(fact) ?? [];
}

/** All that facts can make stale: what is to be read again if it is not known which ones came. */
export const staleAtWorst: readonly QueryKey[] = [
  ...new Set(
    Object.values(staleBy).flatMap((stale) => stale({ subjectId: '', detail: '{"run":0}' }).map(([first]) => first)),
  ),
].map((first) => [first]);
