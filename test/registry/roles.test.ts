import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { handlers } from '#actors/registry/handlers.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { RoleName } from '#contract/access/caller.ts';
import type { Failure } from '#contract/failure.ts';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, agentRoles, type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('the table of operations and the registry', () => {
  it('has a handler for every operation and an operation for every handler', () => {
    const answered = handlers.map(({ operation }) => pathOf(operation)).toSorted();
    expect(answered).to.deep.equal(operations.map(pathOf).toSorted());
    expect(new Set(answered).size).to.equal(answered.length);
  });
});

describe('the rights of roles', () => {
  let fixture: RegistryFixture;
  const callers = new Map<RoleName | 'person', As>([['person', 'person']]);

  before(async () => {
    fixture = await registryFixture();
    for (const role of agentRoles) {
      const { id } = await fixture.create({ prompt: role, role });
      callers.set(role.replace('AGENT_ROLE_', '').toLowerCase() as RoleName, { agentId: id });
    }
  });
  after(() => fixture.close());

  /** The result of a call with an empty request: refused by role, or not. */
  async function outcome(method: string, as: As): Promise<Failure['code'] | 'answered'> {
    return fixture.call(method, {}, as).then(
      () => 'answered' as const,
      (error: Failure) => error.code,
    );
  }

  for (const operation of operations) {
    for (const role of ['person', 'implementer', 'reviewer', 'orchestrator'] as const) {
      const offered = role === 'person' || operation.roles.includes(role);
      it(`${operation.method} is ${offered ? '' : 'not '}offered to ${role}`, async () => {
        const code = await outcome(operation.method, callers.get(role) ?? 'person');
        if (offered) expect(code).to.be.oneOf(['answered', 'invalid_argument', 'failed_precondition']);
        else expect(code).to.equal('permission_denied');
      });
    }

    it(`${operation.method} is refused to an unknown token`, async () => {
      expect(await outcome(operation.method, { token: 'mst_made-up' })).to.equal('unauthenticated');
    });

    it(`${operation.method} is refused without a credential`, async () => {
      const failure = await failureOf(() =>
        fixture.gateway.request(operationSubject(operation), { request: {} }, { timeoutMs: 5_000 }),
      );
      expect(failure.code).to.equal('invalid_argument');
    });
  }

  it('names the role and the operation in the refusal', async () => {
    const failure = await failureOf(() => fixture.call('DeleteAgent', {}, callers.get('implementer')));
    expect(failure.message).to.contain('DeleteAgent').and.contain('implementer');
  });

  it('accepts no token itself as a credential, only its hash', async () => {
    const failure = await failureOf(() =>
      fixture.gateway.request(
        'rpc.agent.v1.AgentService.ListAgents',
        { credential: fixture.operatorToken, request: {} },
        { timeoutMs: 5_000 },
      ),
    );
    expect(failure.code).to.equal('unauthenticated');
    expect(hashOf(fixture.operatorToken)).to.match(/^[0-9a-f]{64}$/);
  });
});
