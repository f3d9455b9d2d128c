import { z } from 'zod';
import { Fact } from '../fact.ts';
import { message, required } from '../message.ts';
import { operation } from '../operation.ts';

const service = { package: 'fact.v1', service: 'FactService' } as const;

export const listFacts = operation({
  ...service,
  method: 'ListFacts',
  summary: 'Lists what happened, newest first.',
  guidance: 'subjectId narrows to one agent, workflow or host. Pass nextPageToken back as cursor.',
  request: message('fact.v1.ListFactsRequest', {
    subjectId: [1, z.string()],
    cursor: [2, z.string()],
    pageSize: [3, z.int32()],
  }),
  response: message('fact.v1.ListFactsResponse', { facts: [1, z.array(Fact)], nextPageToken: [2, z.string()] }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const watchFacts = operation({
  ...service,
  method: 'WatchFacts',
  summary: 'Follows what happens, in order, none left out.',
  guidance:
    'Without a cursor it starts with the next fact; the cursor "0" starts with the oldest one that is kept. Each answer ' +
    'carries a cursor that stays good over restarts. Old facts are forgotten (30 days, and the newest 100,000, are kept ' +
    'where nothing else is set): a cursor from before them is refused as out_of_range, and so is one of a log that a copy of the ' +
    'database has replaced: read how things stand, and watch on without one.',
  request: message('fact.v1.WatchFactsRequest', { cursor: [1, z.string()], subjectId: [2, z.string()] }),
  response: message('fact.v1.WatchFactsResponse', { facts: [1, z.array(Fact)], cursor: [2, z.string()] }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { facts: '' },
});

export const getMachine = operation({
  ...service,
  method: 'GetMachine',
  summary: 'Returns a state machine as it is defined: as a drawing and as a table of its transitions.',
  guidance: 'name is one of the machines, such as agent.',
  request: message('fact.v1.GetMachineRequest', { name: [1, required(z.string().min(1))] }),
  response: message('fact.v1.GetMachineResponse', {
    name: [1, z.string()],
    /** A Mermaid state diagram. */
    mermaid: [2, z.string()],
    transitions: [
      3,
      z.array(
        message('fact.v1.MachineTransition', {
          from: [1, z.string()],
          event: [2, z.string()],
          guard: [3, z.string()],
          to: [4, z.string()],
          effects: [5, z.array(z.string())],
        }),
      ),
    ],
    /** What the machine is made of, as XState's JSON; guards and actions stand by their names. */
    definition: [4, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
