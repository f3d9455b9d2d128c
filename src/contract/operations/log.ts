import { z } from 'zod';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const listLogRecords = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListLogRecords',
  summary: 'Reads the newest records of the logs of muster’s own processes on a host’s machine, merged by time.',
  guidance:
    'hostId is an id or a name. Only processes that share the host’s state folder have their logs there. Each record is a line of ' +
    'JSON, cut after 2,000 characters; fewer are given where one answer has no room for all.',
  request: message('host.v1.ListLogRecordsRequest', {
    hostId: [1, required(z.string().min(1)), 'The host, by id or name.'],
    process: [2, z.string().max(64), 'Only this one, such as `gateway`. Unset: all.'],
    count: [3, z.int32().min(0).max(200), 'How many records at most, 1 to 200. Unset: 100.'],
  }),
  response: message('host.v1.ListLogRecordsResponse', {
    records: [1, z.array(z.string()), 'The newest records, the oldest of them first, as they stand in the files.'],
    processes: [2, z.array(z.string()), 'The processes that have a log there.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
