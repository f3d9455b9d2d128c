import { expect } from 'chai';
import { defaultAdmission } from '#gateway/http/admission.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { call, createAgent, getAgent, listAgents } from '#test/gateway/http-call.ts';
import { moment } from '#test/support/moment.ts';

describe('many calls of one person at once', () => {
  let instance: Instance;
  beforeEach(async () => {
    instance = await startInstance();
  });
  afterEach(() => instance.close());

  const ask = async (path: string, body: object, token: string) => {
    const { status, json } = await call(instance, path, { body, headers: { authorization: `Bearer ${token}` } });
    return status === 200 ? 'answered' : json?.['code'];
  };

  it('are all answered up to 150, even with a new token', async () => {
    const { operatorToken } = instance.fixture;
    const workflowId = (await instance.fixture.workflow()).id;
    for (let round = 0; round < 2; round += 1) {
      const calls = Array.from({ length: 150 }, (_, count) =>
        count % 3 === 0
          ? ask(createAgent, { prompt: `Agent ${count}`, workflowId, provisionEnabled: false }, operatorToken)
          : ask(listAgents, {}, operatorToken),
      );
      expect(new Set(await Promise.all(calls))).to.deep.equal(new Set(['answered']));
    }
  });
});

describe('more calls of one caller than it may hold', () => {
  it('are refused at once beyond 192, and the earlier ones are answered', async () => {
    const gateway = await gatewayFixture({ admission: { ...defaultAdmission, slowMs: 3_600_000 } });
    const release = Promise.withResolvers<object>();
    gateway.answer('GetAgent', () => release.promise);
    expect((await call(gateway, listAgents)).status).to.equal(200);
    const answers: number[] = [];
    const calls = Array.from({ length: 210 }, async () => {
      const { status, json } = await call(gateway, getAgent, { body: { agentId: 'agt_1' } });
      answers.push(status);
      return json?.['code'];
    });
    await moment('those beyond are refused', () => answers.length === 210 - defaultAdmission.ofOneCaller);
    expect(gateway.calls.filter(({ method }) => method === 'GetAgent')).to.have.length(defaultAdmission.atOnce);
    release.resolve({});
    const codes = await Promise.all(calls);
    expect(codes.filter((code) => code === undefined)).to.have.length(192);
    expect(codes.filter((code) => code === 'resource_exhausted')).to.have.length(18);
    await gateway.close();
  });
});
