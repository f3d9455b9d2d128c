import { expect } from 'chai';
import { isOrder, mailRefusal } from '#machines/agent/mailing.ts';

const family = {
  parent: { id: 'parent' },
  child: { id: 'child', parentAgentId: 'parent' },
  sibling: { id: 'sibling', parentAgentId: 'parent' },
  other: { id: 'other', parentAgentId: null },
  nephew: { id: 'nephew', parentAgentId: 'other' },
} as const;
type Name = keyof typeof family;

/** Whom each may mail. */
const allowed: Readonly<Record<Name, readonly Name[]>> = {
  parent: ['parent', 'child', 'sibling', 'other'],
  child: ['parent', 'sibling'],
  sibling: ['parent', 'child'],
  other: ['parent', 'other', 'nephew'],
  nephew: ['other'],
};

describe('mail between agents', () => {
  it('reaches only agents that its sender may mail', () => {
    const names = Object.keys(family) as Name[];
    for (const sender of names) {
      const reached = names.filter((to) => mailRefusal(family[sender], family[to]) === undefined);
      expect(reached, sender).to.deep.equal(allowed[sender]);
    }
    expect(mailRefusal(family.child, family.other)).to.equal('not kin');
    expect(mailRefusal(family.parent, family.nephew)).to.equal('child of another');
  });

  it('is an order to those that its sender launched, has as children, or directs', () => {
    const agent = (id: string, more: object = {}) => ({
      id,
      role: 'AGENT_ROLE_IMPLEMENTER' as const,
      spawnedByAgentId: null,
      ...more,
    });
    const lead = agent('lead', { role: 'AGENT_ROLE_ORCHESTRATOR' });
    expect(isOrder(agent('a'), agent('b', { spawnedByAgentId: 'a' }))).to.equal(true);
    expect(isOrder(agent('a'), agent('b', { parentAgentId: 'a' }))).to.equal(true);
    expect(isOrder(lead, agent('b'))).to.equal(true);
    expect(isOrder(lead, agent('other lead', { role: 'AGENT_ROLE_ORCHESTRATOR' }))).to.equal(false);
    expect(isOrder(agent('b', { spawnedByAgentId: 'a' }), agent('a'))).to.equal(false);
    expect(isOrder(agent('a'), agent('b'))).to.equal(false);
  });
});
