import { z } from 'zod';
import { removeBudget } from '#actors/registry/budget/count-budgets.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { approvalsSetting } from '#contract/approval/approvals-setting.ts';
import { Failure } from '#contract/failure.ts';
import { isolationBy } from '#contract/host/isolation.ts';
import { deleteWorkflow, getWorkflow, listWorkflows } from '#contract/operations/workflow.ts';
import { quoted } from '#contract/quoted.ts';
import { defaultIsolation } from './default-isolation.ts';
import { findWorkflow, workflowOf } from './workflow-resource.ts';
import type { WorkflowScope } from './workflow-scope.ts';

const cursors = cursorCodec('workflows', { updatedAt: z.int(), id: z.string() });

/** Lists workflows, most recently updated first. */
export const listWorkflowsHandler = handler(listWorkflows, async ({ pagination }, caller, scope: WorkflowScope) => {
  const { store } = scope;
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  const { found, setting } = await store.read(async (tables) => ({
    found: await tables.workflows.page(after, limit + 1),
    setting: await defaultIsolation(tables, scope),
  }));
  const page = fitRows(found.slice(0, limit).map((one) => workflowOf(one, caller)));
  const last = found[page.length - 1];
  const more = last !== undefined && found.length > page.length;
  return {
    workflows: page,
    defaultIsolation: isolationBy(setting === 'none' ? undefined : setting) ?? 'ISOLATION_NONE',
    ...(more ? { nextPageToken: cursors.write({ updatedAt: last.updatedAt, id: last.id }) } : {}),
  };
});

/** Returns one workflow. */
export const getWorkflowHandler = handler(getWorkflow, ({ workflowId }, caller, { store }) =>
  store.read(async ({ workflows }) => ({ workflow: workflowOf(await findWorkflow(workflows, workflowId), caller) })),
);

/** Deletes a workflow that has no agents. */
export const deleteWorkflowHandler = handler(deleteWorkflow, ({ workflowId }, _caller, { store }) =>
  store.write(async (tables) => {
    const { workflows, agents, facts, settings } = tables;
    const { name } = await findWorkflow(workflows, workflowId);
    if (await agents.isFiledUnder(workflowId)) {
      throw new Failure(
        'WORKFLOW_IN_USE',
        `Workflow ${quoted(name)} (${workflowId}) still has agents, archived ones included: delete those first`,
      );
    }
    await workflows.remove(workflowId);
    await settings.drop(approvalsSetting(workflowId));
    await removeBudget(tables, workflowId);
    await facts.append([{ kind: 'workflow.deleted', subjectId: workflowId, detail: { name } }]);
    return {};
  }),
);
