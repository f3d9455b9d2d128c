import { z } from 'zod';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';
import { RunLog } from '#contract/run-log.ts';

const runId = [required(z.int32().min(1)), 'The id of the run, from list_run_logs.'] as const;
const service = { package: 'host.v1', service: 'HostService' } as const;

export const listRunLogs = operation({
  ...service,
  method: 'ListRunLogs',
  summary: 'Lists runs of workflow scripts for agents, newest first, with the end of their output.',
  guidance:
    'agentId limits it to one agent, failed to failed runs that nobody has acknowledged. get_run_log returns the whole ' +
    'output.',
  request: message('host.v1.ListRunLogsRequest', {
    agentId: [1, z.string(), 'Only runs for this agent. Unset: all.'],
    failed: [2, z.boolean(), 'true: only failed runs that nobody has acknowledged.'],
    pagination: [3, ...paging],
  }),
  response: message('host.v1.ListRunLogsResponse', {
    runs: [1, z.array(RunLog), 'One page, newest first, each with the end of its output.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
  peopleOnly: { fields: [], guidance: 'The last 100 runs of each agent are kept until it is deleted.' },
});

export const getRunLog = operation({
  ...service,
  method: 'GetRunLog',
  summary: 'Returns one run of a script with all its stored output, also while it runs.',
  guidance: 'id comes from list_run_logs, or from an agent’s failedRunLog.',
  request: message('host.v1.GetRunLogRequest', { id: [1, ...runId] }),
  response: message('host.v1.GetRunLogResponse', { run: [1, RunLog, 'The run, with all its stored output.'] }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const acknowledgeRun = operation({
  ...service,
  method: 'AcknowledgeRun',
  summary: 'Acknowledges a failed run, so that its agent no longer shows it.',
  guidance:
    'failedRun on the agent is then unset, or names an older unacknowledged failure. A run that did not fail is ' +
    'refused as failed_precondition; acknowledging twice changes nothing.',
  request: message('host.v1.AcknowledgeRunRequest', { id: [1, ...runId] }),
  response: message('host.v1.AcknowledgeRunResponse', { run: [1, RunLog, 'The acknowledged run.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});
