import { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { Failure } from '#contract/failure.ts';
import { acknowledgeRun, getRunLog, listRunLogs } from '#contract/operations/run.ts';
import type { RunLog } from '#contract/run-log.ts';
import { errorLineOf } from '#machines/agent/error-line.ts';
import type { StoredRun } from '#store/run/run-entity.ts';
import { showFailure } from './note-run.ts';

const cursors = cursorCodec('runs', { agentId: z.string(), failed: z.boolean(), id: z.int() });

/** Lists runs, newest first. */
export const listRunLogsHandler = handler(listRunLogs, (request, _caller, { store }) => {
  const { agentId = '', failed = false, pagination } = request;
  const limit = pageLimit(pagination?.pageSize);
  const at = cursors.read(pagination?.cursor);
  if (at !== undefined && (at.agentId !== agentId || at.failed !== failed)) {
    throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing with another agentId or failed: start again', {
      field: 'pagination.cursor',
    });
  }
  return store.read(async ({ agents, runs }) => {
    if (agentId) await findAgent(agents, agentId);
    const found = await runs.page({ agent: agentId || undefined, failed }, at?.id, limit + 1);
    const page = fitRows(found.slice(0, limit).map((run) => runOf(run, run.tail)));
    const last = found[page.length - 1];
    const more = last !== undefined && found.length > page.length;
    return { runs: page, ...(more ? { nextPageToken: cursors.write({ agentId, failed, id: last.id }) } : {}) };
  });
});

/** Returns one run with its output. */
export const getRunLogHandler = handler(getRunLog, ({ id }, _caller, { store }) =>
  store.read(async ({ runs }) => {
    const run = found(await runs.whole(id), id);
    return { run: runOf(run, run.output ?? '') };
  }),
);

/** Records that a person has acknowledged a failed run. */
export const acknowledgeRunHandler = handler(acknowledgeRun, ({ id }, _caller, { store }) =>
  store.write(async (tables) => {
    const { runs, facts } = tables;
    const run = found(await runs.find(id), id);
    if (run.state !== 'RUN_STATE_FAILED') {
      throw new Failure('RUN_NOT_FAILED', `Run ${id} did not fail (${run.state}): there is nothing to acknowledge`);
    }
    await runs.acknowledge(id);
    if (run.acknowledgedAt == null) {
      await facts.append([{ kind: 'run.looked-at', subjectId: run.agent, detail: { run: id } }]);
    }
    await showFailure(tables, run.agent);
    return { run: runOf(found(await runs.find(id), id), run.tail) };
  }),
);

function found(run: StoredRun | undefined, id: number): StoredRun {
  if (run !== undefined) return run;
  throw new Failure('RUN_NOT_FOUND', `There is no run ${id}: list_run_logs lists them`, {
    metadata: { runId: String(id) },
  });
}

function runOf(run: StoredRun, output: string): RunLog {
  return {
    id: run.id,
    agentId: run.agent,
    hostId: run.host,
    script: run.script,
    state: run.state,
    startedAt: timeOf(run.startedAt),
    endedAt: run.endedAt == null ? undefined : timeOf(run.endedAt),
    reason: run.reason,
    output,
    outputTruncated: run.outputCut || (run.output === undefined && run.tail.length >= 2_000),
    acknowledgedAt: run.acknowledgedAt == null ? undefined : timeOf(run.acknowledgedAt),
    errorLine: (run.state === 'RUN_STATE_FAILED' && errorLineOf(output)) || undefined,
  };
}
