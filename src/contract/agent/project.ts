/** The fields of an agent that decide its project. An unknown one is empty or unset. */
export interface ProjectMember {
  readonly id?: string | undefined;
  readonly parentAgentId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly repositoryUrl?: string | undefined;
}

/**
 * Returns the project of each of these agents: its repository, else the only one of its workflow, else its workflow. A
 * child is of its parent's project. Repositories are called by their last name, and with their owner if two bear the
 * same.
 */
export function projectsOf(
  agents: Iterable<ProjectMember>,
  workflowName: (workflowId: string) => string,
): (agent: ProjectMember) => string {
  const byId = new Map<string, ProjectMember>();
  const urls = new Set<string>();
  const only = new Map<string, string>();
  for (const agent of agents) {
    const { id = '', workflowId = '', repositoryUrl = '' } = agent;
    byId.set(id, agent);
    if (repositoryUrl === '') continue;
    urls.add(repositoryUrl);
    const known = only.get(workflowId);
    only.set(workflowId, known === undefined || known === repositoryUrl ? repositoryUrl : '');
  }
  const names = repositoryNames(urls);
  return (agent) => {
    const parent = agent.parentAgentId ? byId.get(agent.parentAgentId) : undefined;
    const { repositoryUrl, workflowId = '' } = parent ?? agent;
    return names.get(repositoryUrl || only.get(workflowId) || '') ?? workflowName(workflowId);
  };
}

function repositoryNames(urls: Iterable<string>): ReadonlyMap<string, string> {
  const paths = [...urls].map((url) => ({ url, path: url.replace(/^[a-z]+:\/\/[^/]*\/|\/+$/gi, '').split('/') }));
  const byName = Map.groupBy(paths, ({ path }) => path.at(-1) ?? '');
  return new Map(
    paths.map(({ url, path }) => {
      const name = path.at(-1) ?? url;
      return [url, byName.get(name)?.length === 1 ? name : path.slice(-2).join('/')];
    }),
  );
}
