import { z } from 'zod';
import { Chart } from '#contract/machine/chart.ts';
import { computerName, Transition } from '#contract/machine/transition.ts';
import { int64, message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { logCursor, nextCursor, nextPageToken, paging } from '#contract/page.ts';

const service = { package: 'fact.v1', service: 'FactService' } as const;

/** A changed value in a machine's context. */
const Change = message('fact.v1.ContextChange', {
  path: [1, z.string(), 'The path of the value in the context, such as `checkout.branch`.'],
  before: [2, z.string(), 'The value as JSON, cut after 1,000 characters. Empty if there was none.'],
  after: [3, z.string(), 'The value afterwards, likewise. Empty if there is none.'],
});

/** What one event would do. */
const Prospect = message('fact.v1.Prospect', {
  event: [1, z.string(), 'The type of the event.'],
  sample: [2, z.string(), 'The sample event that was tried, as a JSON object: its data may decide its effect.'],
  accepted: [3, z.boolean(), 'Whether the machine accepts it now. If not, only `refusedBy` is set.'],
  to: [4, z.string(), 'The path of the state it would lead to.'],
  effects: [5, z.array(z.string()), 'The kinds of the effects it would request, in order.'],
  facts: [6, z.array(z.string()), 'The kinds of the facts it would publish.'],
  refusedBy: [7, z.array(z.string()), 'The guards that refuse it.'],
  changes: [8, z.array(Change), 'What would change in the machine’s context.'],
});

const Count = message('fact.v1.StateCount', {
  state: [1, z.string(), 'The path of the state, such as `live.idle`.'],
  count: [2, z.int32(), 'How many instances are in it.'],
});

const Subject = message('fact.v1.MachineSubject', {
  id: [1, z.string(), 'The id of the instance: of an agent, a schedule, a firing and so on.'],
  name: [2, z.string(), 'The name of the instance.'],
  state: [3, z.string(), 'The path of its state.'],
});

export const getMachineChart = operation({
  ...service,
  method: 'GetMachineChart',
  summary: 'Returns the chart of a state machine: the position of each state and the path of each arrow.',
  guidance: 'name is one of the machines, such as agent. The chart changes only with the machine, as does its hash.',
  request: message('fact.v1.GetMachineChartRequest', { name: [1, ...computerName] }),
  response: message('fact.v1.GetMachineChartResponse', { chart: [1, Chart, 'The laid-out chart of the machine.'] }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const surveyMachine = operation({
  ...service,
  method: 'SurveyMachine',
  summary: 'Counts the instances of a machine by state, and names the newest of them.',
  guidance:
    'name is one of the machines, such as agent. Omits deleted agents, and reviews that are not ' +
    'released. It names at most 100 instances but counts all; list_lives lists all.',
  request: message('fact.v1.SurveyMachineRequest', { name: [1, ...computerName] }),
  response: message('fact.v1.SurveyMachineResponse', {
    counts: [1, z.array(Count), 'The number of instances in each state.'],
    subjects: [2, z.array(Subject), 'The newest instances, at most 100.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const listLives = operation({
  ...service,
  method: 'ListLives',
  summary: 'Lists the instances of a machine, newest first.',
  guidance:
    'Each of words must occur in the name, the id or the state. state is a state or a group of states, such ' +
    'as live.idle or live. Omits the same instances as survey_machine.',
  request: message('fact.v1.ListLivesRequest', {
    machine: [1, ...computerName],
    words: [2, z.string().max(200), 'Each word must occur in the name, the id or the state.'],
    state: [3, z.string().max(200), 'Only instances in this state or group of states, such as `live.idle` or `live`.'],
    pagination: [4, ...paging],
  }),
  response: message('fact.v1.ListLivesResponse', {
    lives: [1, z.array(Subject), 'One page of instances, newest first.'],
    nextPageToken: [2, ...nextPageToken],
    total: [3, z.int32(), 'How many there are in all. Set only on the first page.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const listTransitions = operation({
  ...service,
  method: 'ListTransitions',
  summary: 'Lists the transitions of a machine, newest first.',
  guidance: 'subjectId limits it to one instance. The last 200 transitions of each are kept, for as long as facts are.',
  request: message('fact.v1.ListTransitionsRequest', {
    machine: [1, ...computerName],
    subjectId: [2, z.string(), 'Only transitions of this instance. Unset: all.'],
    cursor: [3, z.string(), 'nextPageToken of the last answer. Unset: the first page.'],
    pageSize: [4, z.int32(), 'Rows per page, at most 200. Unset: 50.'],
  }),
  response: message('fact.v1.ListTransitionsResponse', {
    transitions: [1, z.array(Transition), 'One page, newest first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const watchTransitions = operation({
  ...service,
  method: 'WatchTransitions',
  summary: 'Follows the transitions of machines, in order, without gaps.',
  guidance:
    'machine and subjectId limit it to one machine or one instance. Without a cursor it starts with the next transition; the ' +
    'cursor "0" starts with the oldest one that is kept.',
  request: message('fact.v1.WatchTransitionsRequest', {
    machine: [1, z.string(), 'Only transitions of this machine, such as `agent`. Unset: all.'],
    subjectId: [2, z.string(), 'Only transitions of this instance. Unset: all.'],
    cursor: [3, ...logCursor],
  }),
  response: message('fact.v1.WatchTransitionsResponse', {
    transitions: [1, z.array(Transition), 'The transitions since the cursor, oldest first.'],
    cursor: [2, ...nextCursor],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { facts: '', narrowing: { of: 'transitions', by: ['machine', 'subjectId'] }, shared: 'all' },
});

export const explainMachine = operation({
  ...service,
  method: 'ExplainMachine',
  summary: 'Returns the state of an instance, its context, and what each event would do to it.',
  guidance:
    'Without seq it explains the current state; with the seq of a transition, the state after that. Nothing is done: each ' +
    'event is tried on a copy, with sample data.',
  request: message('fact.v1.ExplainMachineRequest', {
    machine: [1, ...computerName],
    subjectId: [2, required(z.string().min(1)), 'The instance, by its id.'],
    seq: [3, int64(), 'Explain the moment after this transition. Unset: now.'],
  }),
  response: message('fact.v1.ExplainMachineResponse', {
    machine: [1, z.string(), 'The machine of the request.'],
    subjectId: [2, z.string(), 'The instance of the request.'],
    name: [3, z.string(), 'The name of the instance.'],
    state: [4, z.string(), 'The path of its state.'],
    context: [5, z.string(), 'The machine’s context, as a JSON object.'],
    transition: [6, Transition, 'The transition that led there. Unset if none is on record.'],
    next: [7, z.array(Prospect), 'What each event would do.'],
    changes: [8, z.array(Change), 'What that transition changed in the context.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
