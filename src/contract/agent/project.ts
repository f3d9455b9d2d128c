/** The fields of an agent that decide its project. An unknown one is empty or unset. */
export interface ProjectMember {
  readonly id?: string | undefined;
  readonly parentAgentId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly repositoryUrl?: string | undefined;
}

/**
 * Returns a function that names an agent's project: its repository, else the only repository of its workflow's agents,
 * else its workflow. A child belongs to its parent's project. A repository is called by the last part of its path, with
 * its owner if two share that.
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
