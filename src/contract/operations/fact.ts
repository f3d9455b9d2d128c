import { z } from 'zod';
import { Fact } from '#contract/fact/fact.ts';
import { computerName } from '#contract/machine/transition.ts';
import { message, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { logCursor, nextCursor, nextPageToken } from '#contract/page.ts';

const service = { package: 'fact.v1', service: 'FactService' } as const;

export const listFacts = operation({
  ...service,
  method: 'ListFacts',
  summary: 'Lists facts (recorded events), newest first.',
  guidance: 'subjectId limits it to one agent, workflow or host, kinds to what happened.',
  request: message('fact.v1.ListFactsRequest', {
    subjectId: [1, z.string(), 'Only facts about this agent, workflow, host or other resource. Unset: all.'],
    cursor: [2, z.string(), 'nextPageToken of the last answer. Unset: the first page.'],
    pageSize: [3, z.int32(), 'Rows per page, at most 200. Unset: 50.'],
    kinds: [
      4,
      z.array(text(100)).max(20),
      'Only facts of these kinds, such as `agent.approved`, or of prefixes such as `agent.`. Empty: all.',
    ],
  }),
  response: message('fact.v1.ListFactsResponse', {
    facts: [1, z.array(Fact), 'One page, newest first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const watchFacts = operation({
  ...service,
  method: 'WatchFacts',
  summary: 'Follows facts, in order, without gaps.',
  guidance:
    'Without a cursor it starts with the next fact; the cursor "0" starts with the oldest one that is kept. Each answer ' +
    'has a cursor that stays valid across restarts. Old facts are deleted (by default 30 days and the newest 100,000 are ' +
    'kept). An older cursor is refused as out_of_range, and so is a cursor of a log that a restored backup has ' +
    'replaced: then read the current state, and watch without a cursor.',
  request: message('fact.v1.WatchFactsRequest', {
    cursor: [1, ...logCursor],
    subjectId: [2, z.string(), 'Only facts about this agent, workflow, host or other resource. Unset: all.'],
  }),
  response: message('fact.v1.WatchFactsResponse', {
    facts: [1, z.array(Fact), 'What happened since the cursor, oldest first.'],
    cursor: [2, ...nextCursor],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { facts: '', narrowing: { of: 'facts', by: ['subjectId'] }, shared: 'all' },
});

export const getMachine = operation({
  ...service,
  method: 'GetMachine',
  summary: 'Returns the definition of a state machine: a diagram and a table of its transitions.',
  guidance: 'name is one of the machines, such as agent.',
  request: message('fact.v1.GetMachineRequest', { name: [1, ...computerName] }),
  response: message('fact.v1.GetMachineResponse', {
    name: [1, z.string(), 'The machine that is described.'],
    mermaid: [2, z.string(), 'A state diagram in Mermaid.'],
    transitions: [
      3,
      z.array(
        message('fact.v1.MachineTransition', {
          from: [1, z.string(), 'The path of the state before, such as `live.idle`.'],
          event: [2, z.string(), 'The type of the event that causes it. Empty if it happens at once.'],
          guard: [3, z.string(), 'The name of its condition. Empty without one.'],
          to: [4, z.string(), 'The path of the state after.'],
          effects: [5, z.array(z.string()), 'The kinds of the effects it requests, in order.'],
        }),
      ),
      'Every transition of the definition.',
    ],
    definition: [4, z.string(), 'The definition as XState’s JSON, guards and actions by name.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
