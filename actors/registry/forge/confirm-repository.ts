import { change } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { findWorkflow, workflowOf } from '#actors/registry/workflow/workflow-resource.ts';
import { Failure } from '#contract/failure.ts';
import { confirmRepository, withdrawRepository } from '#contract/operations/workflow.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { remoteWebUrl, requireRemote } from '#world/git/remote/remote-url.ts';
import { addressOf } from './repositories.ts';

/** Maximum number of repositories of a workflow. */
const maxRepositories = 100;

/** Allows muster to read a repository for the agents of a workflow. */
export const confirmRepositoryHandler = handler(confirmRepository, ({ workflowId, remoteUrl }, caller, scope) => {
  const url = webUrlOf(remoteUrl);
  return change(scope, async (writing) => {
    const workflow = await findWorkflow(writing.tables.workflows, workflowId);
    const { repositories } = workflow;
    if (repositories.some((one) => isSame(one, url))) return { workflow: workflowOf(workflow, caller) };
    if (repositories.length >= maxRepositories) {
      throw new Failure(
        'REPOSITORY_LIMIT_REACHED',
        `Workflow ${quoted(workflow.name)} has ${maxRepositories} repositories, which is the maximum: withdraw one first`,
      );
    }
    const saved = await save(writing, { ...workflow, repositories: [...repositories, url] }, url);
    await writing.tables.facts.append([
      { kind: 'repository.confirmed', subjectId: workflowId, detail: { repositoryUrl: url } },
    ]);
    return { workflow: workflowOf(saved, caller) };
  });
});

/** Stops reading a repository for the agents of a workflow. */
export const withdrawRepositoryHandler = handler(withdrawRepository, ({ workflowId, remoteUrl }, caller, scope) => {
  const url = webUrlOf(remoteUrl);
  return change(scope, async (writing) => {
    const workflow = await findWorkflow(writing.tables.workflows, workflowId);
    const repositories = workflow.repositories.filter((one) => !isSame(one, url));
    if (repositories.length === workflow.repositories.length) {
      throw new Failure(
        'REPOSITORY_NOT_FOUND',
        `Workflow ${quoted(workflow.name)} has no repository ${url}: it has ${workflow.repositories.join(', ') || 'none'}`,
      );
    }
    const saved = await save(writing, { ...workflow, repositories }, url);
    await writing.tables.facts.append([
      { kind: 'repository.withdrawn', subjectId: workflowId, detail: { repositoryUrl: url } },
    ]);
    return { workflow: workflowOf(saved, caller) };
  });
});

/** Saves a workflow's repositories and refreshes the rows of the agents that push to the changed one. */
async function save({ tables, now }: Change, workflow: StoredWorkflow, confirmed: string): Promise<StoredWorkflow> {
  const unconfirmedRepositories = workflow.unconfirmedRepositories.filter((url) => !isSame(url, confirmed));
  const saved = { ...workflow, unconfirmedRepositories, updatedAt: now };
  await tables.workflows.update(saved);
  const named = await tables.agents.branchesNamed();
  const urls = named.filter(({ workflowId }) => workflowId === workflow.id).map(({ repositoryUrl }) => repositoryUrl);
  for (const id of await tables.agents.pushingTo(workflow.id, [...new Set(urls)])) {
    await tables.journal.touchPullRequest(id, { repositories: saved.repositories });
  }
  return saved;
}

/** Accepts the address that a row shows, or one that git accepts. A plain http address names the same repository. */
function webUrlOf(remoteUrl: string): string {
  return remoteWebUrl(requireRemote(remoteUrl.replace(/^http:\/\//i, 'https://')));
}

function isSame(one: string, other: string): boolean {
  return addressOf(one) === addressOf(other);
}
