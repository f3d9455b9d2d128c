import { z } from 'zod';
import { int64, message } from '#contract/message.ts';

/** Every kind of fact and its meaning. Logs, watches and tests use the same names. */
export const factKinds = {
  'agent.created': 'an agent was accepted and stored',
  'agent.state-moved': 'an agent changed from one state to another',
  'agent.phase-moved':
    'an agent’s machine changed from one state to another, including the steps of a launch and a clean-up',
  'agent.changed': 'something visible on an agent’s row changed, other than its state',
  'agent.waits': 'an agent started to wait for a person',
  'agent.finished': 'an agent finished its turn, or its CLI ended',
  'agent.failed': 'an agent’s launch or clean-up failed',
  'agent.run-failed': 'a script that ran for an agent failed',
  'run.begun': 'a script started for an agent, or started again',
  'run.ended': 'a script that ran for an agent ended or was cancelled',
  'run.looked-at': 'a person acknowledged a failed run',
  'notice.failed': 'a person could not be notified about an agent',
  'agent.prompted': 'a prompt was typed into an agent’s pane and its CLI accepted it',
  'agent.interrupted': 'an agent’s turn was ended',
  'agent.answered': 'a question on an agent’s screen was answered',
  'agent.held': 'a person took an agent over, and muster types nothing into its pane',
  'agent.unheld': 'a person gave an agent back',
  'agent.tokens-ended': 'a person revoked the tokens of one agent, or of all if none is named',
  'agent.archived': 'an agent was archived',
  'agent.restored': 'an agent that was archived or whose CLI had ended was resumed',
  'agent.gone': 'an agent was deleted, or abandoned with its host',
  'mail.sent': 'a mail to an agent was accepted',
  'mail.taken': 'mail was handed over to its recipient',
  'doorbell.raised': 'a doorbell was raised: something waits for its agent',
  'doorbell.rung': 'a doorbell rang, by a line typed into the pane or by the answer that its agent waited for',
  'doorbell.claimed': 'an agent claimed its doorbell',
  'doorbell.dropped': 'a doorbell was withdrawn because its agent had ended',
  'review.round-started': 'an agent’s work was snapshotted for review',
  'review.released': 'a batch of review comments on an agent’s work was released',
  'review.answered': 'an agent answered in a thread of a review of its work',
  'review.applied': 'a suggestion was applied to an agent’s file',
  'review.resolved': 'a person resolved a review thread',
  'review.reopened': 'a person reopened a resolved review thread',
  'review.looked-at': 'a person read review threads',
  'workflow.created': 'a workflow was created',
  'workflow.changed': 'a workflow was changed',
  'workflow.deleted': 'a workflow was deleted',
  'schedule.created': 'a schedule was created',
  'schedule.changed': 'a schedule was changed',
  'schedule.paused': 'a schedule was paused, by a person or by failed firings in a row',
  'schedule.resumed': 'a paused schedule was resumed',
  'schedule.fired': 'occurrences of a schedule came due, or a person fired it: each has a firing on record',
  'schedule.run-moved': 'a firing of a schedule changed from one state to another',
  'schedule.deleted': 'a schedule was deleted',
  'forge.connected': 'a person connected a forge',
  'forge.disconnected': 'a person disconnected a forge',
  'repository.read': 'the first sweep of a repository was completed: its pull requests are known',
  'repository.unconfirmed':
    'agents of a workflow push to a repository that no person has confirmed for it, so it is not read',
  'repository.confirmed': 'a person confirmed a repository for the agents of a workflow',
  'repository.withdrawn': 'a person withdrew the confirmation of a repository for the agents of a workflow',
  'repository.changed': 'something visible about a repository’s pull requests changed',
  'repository.failed': 'a repository’s pull requests could not be read',
  'repository.recovered': 'a repository’s pull requests can be read again',
  'pull-request.moved': 'a pull request was found, or its state changed',
  'host.seen': 'a host came online',
  'host.harness-confirmed': 'a person confirmed what a rules file on a host launches',
  'host.key-forgotten': 'a person allowed a host to return with a new key',
  'host.drained': 'a person closed a host to new agents, or opened it again',
  'host.set': 'a person set labels, limits or the patience of a host',
  'host.changed': 'the name of a host changed, or its harnesses',
  'host.forgotten': 'a person had a lost host without agents forgotten',
  'host.invited': 'a person invited a machine to join as a host',
  'host.invitation-withdrawn': 'a person withdrew an invitation',
  'host.joined': 'a machine joined with an invitation, and was certified as a host',
  'host.removed': 'a person removed a host: its keys are refused for ever',
  'host.silent': 'a host has not answered for 30 s: what its agents do is not known',
  'host.lost': 'a host has been silent for longer than its patience',
  'installation.backed-up': 'a scheduled backup was made',
  'installation.backup-failed': 'a scheduled backup could not be made; recorded once until one is made again',
  'installation.restored': 'the installation was restored from a backup: what was done after the backup is lost',
} as const;
export type FactKind = keyof typeof factKinds;

/** Kinds of events that go to current watchers only and are not stored. */
export const ephemeralEventKinds = {
  'run.wrote': 'a script that runs for an agent wrote output',
} as const;
export type EphemeralEventKind = keyof typeof ephemeralEventKinds;

/** A recorded event. */
export const Fact = message('fact.v1.Fact', {
  seq: [1, int64(), 'The position in the log, ascending from one, perhaps with gaps. 0 if no log stores it.'],
  kind: [2, z.string(), 'What happened, such as `agent.created`.'],
  subjectId: [3, z.string(), 'What it is about: the id of an agent, workflow, schedule, host or other resource.'],
  at: [4, z.string(), 'When it happened: RFC 3339, UTC.'],
  detail: [5, z.string(), 'Details as a JSON object, such as `{"from":…,"to":…}`.'],
});
export type Fact = z.infer<typeof Fact>;
