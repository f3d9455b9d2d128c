import { expect } from 'chai';
import { type ProjectMember, projectsOf } from '#contract/agent/project.ts';

describe('the project of an agent', () => {
  const shop = 'https://git.example.com/ada/shop';
  const projects = (agents: readonly ProjectMember[]) => agents.map(projectsOf(agents, (id) => `workflow ${id}`));

  it('is its repository, and its workflow if that is unknown', () => {
    expect(projects([{ workflowId: 'w', repositoryUrl: shop }, { workflowId: 'v' }])).to.deep.equal([
      'shop',
      'workflow v',
    ]);
  });

  it('is the only repository of its workflow while its own is not read yet', () => {
    const one = { workflowId: 'w', repositoryUrl: shop };
    expect(projects([one, { workflowId: 'w', repositoryUrl: '' }])).to.deep.equal(['shop', 'shop']);
    const other = { workflowId: 'w', repositoryUrl: 'https://git.example.com/ada/site' };
    expect(projects([one, other, { workflowId: 'w' }])).to.deep.equal(['shop', 'site', 'workflow w']);
  });

  it('is its parent’s, wherever a child pushes to', () => {
    const child = { id: 'c', parentAgentId: 'p', workflowId: 'w', repositoryUrl: 'https://git.example.com/ada/fork' };
    expect(projects([{ id: 'p', workflowId: 'w', repositoryUrl: shop }, child])).to.deep.equal(['shop', 'shop']);
  });

  it('includes the owner’s name if two repositories have the same name', () => {
    const other = 'https://git.example.com/bob/shop';
    expect(projects([{ repositoryUrl: shop }, { repositoryUrl: other }])).to.deep.equal(['ada/shop', 'bob/shop']);
  });
});
