import { z } from 'zod';
import { int64, message } from '#contract/message.ts';

/** Every kind of fact, with what it says. Logs, watches and tests use the same names. */
export const factKinds = {
  'agent.created': 'an agent was accepted and is durable',
  'agent.state-moved': 'an agent changed from one state to another',
  'agent.phase-moved':
    'an agent’s machine changed from one state to another, including the steps of a launch and a clean-up',
  'agent.changed': 'something a person would see on the row changed, other than its state',
  'agent.waits': 'an agent began to wait for a person',
  'agent.finished': 'an agent finished its turn, or its CLI ended',
  'agent.failed': 'an agent’s launch or clean-up failed',
  'agent.run-failed': 'a script that was run for an agent failed',
  'run.begun': 'a script began to run for an agent, or was begun again',
  'run.ended': 'a script run for an agent ended or was cancelled',
  'run.looked-at': 'a person has acknowledged a failed run',
  'notice.failed': 'a person could not be notified about an agent',
  'agent.prompted': 'a prompt was typed into an agent’s pane and taken',
  'agent.interrupted': 'an agent’s turn was ended',
  'agent.answered': 'a question on an agent’s screen was answered',
  'agent.held': 'a person took an agent over: muster types nothing into its pane',
  'agent.unheld': 'a person gave an agent back',
  'agent.tokens-ended': 'a person ended the tokens of an agent, or of all where none is named',
  'agent.archived': 'an agent was archived',
  'agent.restored': 'an agent was brought back that was archived or whose CLI had ended',
  'agent.gone': 'an agent was deleted and nothing of it is left, or it was abandoned with its host',
  'mail.sent': 'a mail to an agent was accepted',
  'mail.taken': 'mail was handed over to the agent that it was sent to',
  'doorbell.raised': 'an agent was to be called: its doorbell was raised',
  'doorbell.rung': 'an agent was called, by a line typed into its pane or by the answer that it waited for',
  'doorbell.claimed': 'an agent claimed its doorbell',
  'doorbell.dropped': 'a doorbell was taken back, because its agent had ended',
  'review.round-started': 'an agent’s work was snapshotted for review',
  'review.released': 'a batch of review comments on an agent’s work was released',
  'review.answered': 'an agent answered in a thread of a review of its work',
  'review.applied': 'a suggestion was put into an agent’s file',
  'review.resolved': 'a person settled a review thread',
  'review.reopened': 'a person opened a settled review thread again',
  'review.looked-at': 'a person has read review threads',
  'workflow.created': 'a workflow was made',
  'workflow.changed': 'a workflow was changed',
  'workflow.deleted': 'a workflow was deleted',
  'schedule.created': 'a schedule was made',
  'schedule.changed': 'a schedule was changed',
  'schedule.paused': 'a schedule was paused, by a person or by failed firings in a row',
  'schedule.resumed': 'a paused schedule was armed again',
  'schedule.fired': 'occurrences of a schedule came due, or a person fired it: each is a recorded firing',
  'schedule.run-moved': 'a firing of a schedule changed from one state to another',
  'schedule.deleted': 'a schedule was deleted',
  'forge.connected': 'a person connected a forge',
  'forge.disconnected': 'a person took a forge’s connection away',
  'repository.read': 'the first sweep of a repository has ended: what its forge knows of its pull requests is known',
  'repository.unconfirmed':
    'agents of a workflow push to a repository that no person has confirmed for it: nothing of it is read',
  'repository.confirmed': 'a person had a repository read for the agents of a workflow',
  'repository.withdrawn': 'a person had a repository read no more for the agents of a workflow',
  'repository.changed':
    'something that a person would see of a repository’s pull requests changed, their standing included',
  'repository.failed': 'a repository’s pull requests could not be read, and why',
  'repository.recovered': 'a repository’s pull requests could be read again',
  'pull-request.moved': 'a pull request was found, or its state changed',
  'host.seen': 'a host came online',
  'host.harness-confirmed': 'a person let what a file of rules has a harness launch on a host count',
  'host.key-forgotten': 'a person lets a host come with a new key',
  'host.drained': 'a person wants no new agents on a host, or wants them there',
  'host.changed': 'what a host says of itself changed: its name, or the harnesses that it knows',
  'host.forgotten': 'a person had a lost host forgotten that nothing stood on',
  'host.lost': 'a host has not answered for too long',
  'installation.restored': 'the installation was restored from a backup: what was done after the backup is lost',
} as const;
export type FactKind = keyof typeof factKinds;

/** Kinds of events that go to current watchers only and are not stored. */
export const ephemeralEventKinds = {
  'run.wrote': 'a script that runs for an agent wrote something',
} as const;
export type EphemeralEventKind = keyof typeof ephemeralEventKinds;

/** Something that happened, as the log keeps it. */
export const Fact = message('fact.v1.Fact', {
  seq: [1, int64(), 'Place in the log, from one and growing; gaps mean nothing. 0 for what no log keeps.'],
  kind: [2, z.string(), 'What happened, such as `agent.created`.'],
  subjectId: [3, z.string(), 'What it happened to: the id of an agent, workflow, schedule, host or other resource.'],
  at: [4, z.string(), 'When it happened: RFC 3339, UTC.'],
  detail: [5, z.string(), 'JSON object that says more, such as `{"from":…,"to":…}`.'],
});
export type Fact = z.infer<typeof Fact>;
