import { create } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { AgentRowSchema, AgentState } from '#page/client/agent/v1/agent_pb.js';
import { orderOf } from '#page/roster/order.ts';

describe('the order of the list', () => {
  it('has an agent that a budget holds beside those that wait for a person', () => {
    const row = (id: string, state: AgentState, more: object = {}) =>
      create(AgentRowSchema, { agent: { id, name: id, state, alive: true, ...more } });
    const rows = [
      row('works', AgentState.THINKING),
      row('rests', AgentState.IDLE),
      row('spent', AgentState.IDLE, { overBudget: { ownerId: 'agt_1', ownerName: 'spent' } }),
      row('asks', AgentState.WAITING),
    ];
    expect(orderOf(rows, () => 'shop').map(({ id }) => id)).to.deep.equal(['asks', 'spent', 'rests', 'works']);
  });
});
