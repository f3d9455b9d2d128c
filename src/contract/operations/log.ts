import { z } from 'zod';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const listLogRecords = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListLogRecords',
  summary: 'Reads the newest log records of muster’s own processes on a host’s computer, merged by time.',
  guidance:
    'hostId is an id or a name. Covers the processes that share the host’s state folder. Each record is a line of ' +
    'JSON, cut after 2,000 characters. There may be fewer than count, as many as fit into one answer.',
  request: message('host.v1.ListLogRecordsRequest', {
    hostId: [1, required(z.string().min(1)), 'The host, by id or name.'],
    process: [2, z.string().max(64), 'Only this process, such as `gateway`. Unset: all.'],
    count: [3, z.int32().min(0).max(200), 'How many records at most, 1 to 200. Unset: 100.'],
  }),
  response: message('host.v1.ListLogRecordsResponse', {
    records: [1, z.array(z.string()), 'The newest records in ascending order of time, unchanged.'],
    processes: [2, z.array(z.string()), 'The processes that have a log there.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
