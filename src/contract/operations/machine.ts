import { z } from 'zod';
import { Chart } from '../chart.ts';
import { int64, message, required } from '../message.ts';
import { operation } from '../operation.ts';
import { Pagination } from '../page.ts';
import { Transition } from '../transition.ts';

const service = { package: 'fact.v1', service: 'FactService' } as const;
const name = required(z.string().min(1));

/** What became different in what a machine remembers. */
const Change = message('fact.v1.ContextChange', {
  /** Where it stands, such as checkout.branch. */
  path: [1, z.string()],
  /** As JSON, cut after 1000 characters; empty where there was nothing. */
  before: [2, z.string()],
  /** The same; empty where there is nothing any more. */
  after: [3, z.string()],
});

/** What one event would do. */
const Prospect = message('fact.v1.Prospect', {
  event: [1, z.string()],
  /** The event that it was tried with, as a JSON object: what it says may decide what it does. */
  sample: [2, z.string()],
  /** Whether it makes sense now; where not, nothing below is there but what refused it. */
  accepted: [3, z.boolean()],
  /** The state that it would lead to. */
  to: [4, z.string()],
  effects: [5, z.array(z.string())],
  facts: [6, z.array(z.string())],
  /** Guards that do not let it take a way that it would otherwise take. */
  refusedBy: [7, z.array(z.string())],
  /** What the machine would remember otherwise. */
  changes: [8, z.array(Change)],
});

const Count = message('fact.v1.StateCount', { state: [1, z.string()], count: [2, z.int32()] });

const Subject = message('fact.v1.MachineSubject', {
  id: [1, z.string()],
  /** What people know it by. */
  name: [2, z.string()],
  state: [3, z.string()],
});

export const getMachineChart = operation({
  ...service,
  method: 'GetMachineChart',
  summary: 'Returns a state machine laid out: where each state stands and how each arrow runs.',
  guidance: 'name is one of the machines, such as agent. The layout changes only with the machine, as its hash does.',
  request: message('fact.v1.GetMachineChartRequest', { name: [1, name] }),
  response: message('fact.v1.GetMachineChartResponse', { chart: [1, Chart] }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const surveyMachine = operation({
  ...service,
  method: 'SurveyMachine',
  summary: 'Counts the lives of a machine by the state that they are in, and names the newest of them.',
  guidance:
    'name is one of the machines, such as agent. Agents that are gone are left out, and batches of review that are not ' +
    'released. At most 100 lives are named; the counts are of all, and list_lives finds each of them.',
  request: message('fact.v1.SurveyMachineRequest', { name: [1, name] }),
  response: message('fact.v1.SurveyMachineResponse', { counts: [1, z.array(Count)], subjects: [2, z.array(Subject)] }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const listLives = operation({
  ...service,
  method: 'ListLives',
  summary: 'Lists the lives of a machine by what people know them by, newest first.',
  guidance:
    'words narrow it: each of them must stand in the name, the id or the state. state is a state or a group of states, such ' +
    'as live or live.idle. The same lives are left out as in survey_machine. Pass nextPageToken back as pagination.cursor.',
  request: message('fact.v1.ListLivesRequest', {
    machine: [1, name],
    words: [2, z.string().max(200)],
    state: [3, z.string().max(200)],
    pagination: [4, Pagination],
  }),
  response: message('fact.v1.ListLivesResponse', {
    lives: [1, z.array(Subject)],
    nextPageToken: [2, z.string()],
    /** How many there are in all; told with the first page. */
    total: [3, z.int32()],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const listTransitions = operation({
  ...service,
  method: 'ListTransitions',
  summary: 'Lists the moves of a machine, newest first.',
  guidance:
    'subjectId narrows to one life. The last 200 moves of each are kept, for as long as facts are. Pass nextPageToken back ' +
    'as cursor.',
  request: message('fact.v1.ListTransitionsRequest', {
    machine: [1, name],
    subjectId: [2, z.string()],
    cursor: [3, z.string()],
    pageSize: [4, z.int32()],
  }),
  response: message('fact.v1.ListTransitionsResponse', {
    transitions: [1, z.array(Transition)],
    nextPageToken: [2, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const watchTransitions = operation({
  ...service,
  method: 'WatchTransitions',
  summary: 'Follows the moves of machines, in order, none left out.',
  guidance:
    'machine and subjectId narrow to one kind of life and to one life. Without a cursor it starts with the next move; the ' +
    'cursor "0" starts with the oldest one that is kept.',
  request: message('fact.v1.WatchTransitionsRequest', {
    machine: [1, z.string()],
    subjectId: [2, z.string()],
    cursor: [3, z.string()],
  }),
  response: message('fact.v1.WatchTransitionsResponse', {
    transitions: [1, z.array(Transition)],
    cursor: [2, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { facts: '' },
});

export const explainMachine = operation({
  ...service,
  method: 'ExplainMachine',
  summary: 'Says what state a life is in, what it remembers, and what each event would do to it.',
  guidance:
    'Without seq it is about now; with the seq of one of its moves, about the moment after that move. Nothing is done: each ' +
    'event is decided on a copy, with an example of what such an event says.',
  request: message('fact.v1.ExplainMachineRequest', {
    machine: [1, name],
    subjectId: [2, required(z.string().min(1))],
    seq: [3, int64()],
  }),
  response: message('fact.v1.ExplainMachineResponse', {
    machine: [1, z.string()],
    subjectId: [2, z.string()],
    /** What people know it by. */
    name: [3, z.string()],
    state: [4, z.string()],
    /** What the machine remembers, as a JSON object. */
    context: [5, z.string()],
    /** The move that led there; unset where it is about now and no move is on record. */
    transition: [6, Transition],
    next: [7, z.array(Prospect)],
    /** What that move changed in what the machine remembers, since the move before it that is on record. */
    changes: [8, z.array(Change)],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
