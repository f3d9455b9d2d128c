import { create, fromJson, toBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { operations, resources } from '#contract/table.ts';
import { describeTable } from '#gateway/proto/descriptors.ts';
import { readMessage } from '#gateway/rpc/request-message.ts';

const registry = describeTable(operations, resources);

function schema(name: string) {
  const found = registry.getMessage(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (name: string, value: unknown) => readMessage(schema(name), bytes(value), true);
const refusal = (name: string, value: unknown): string => {
  try {
    read(name, value);
  } catch (error) {
    expect(error).to.be.instanceOf(Failure).with.property('code', 'invalid_argument');
    return (error as Failure).message;
  }
  throw new Error(`it was taken: ${JSON.stringify(value)}`);
};

describe('the gateway’s message parser', () => {
  it('ignores unknown fields, unless the operation refuses them: at any depth, in JSON and in binary', () => {
    const request = schema('approval.v1.SetApprovalsRequest');
    const rule = { action: 'APPROVAL_ACTION_REFUSE', comand: { glob: 'git push *' } };
    expect(readMessage(request, bytes({ rules: [rule] }), true)).to.deep.equal({ rules: [{ action: rule.action }] });
    const strictly = (given: Uint8Array, json: boolean) => () => readMessage(request, given, json, { isStrict: true });
    expect(strictly(bytes({ rules: [rule] }), true)).to.throw('there is no field rules.comand: did you mean command?');
    const deeper = { action: rule.action, command: { globs: 'x' } };
    expect(strictly(bytes({ rules: [deeper] }), true)).to.throw('there is no field rules.command.globs');
    const known = { workflow_id: 'wfl_1', rules: [{ action: rule.action, command: { glob: 'git *' } }] };
    expect(strictly(bytes(known), true)()).to.have.property('workflowId', 'wfl_1');
    const sent = toBinary(request, fromJson(request, known));
    expect(strictly(sent, false)()).to.have.property('workflowId', 'wfl_1');
    // Field 99 of a rule, a text of one letter, in a second rule that says nothing else.
    expect(strictly(Buffer.concat([sent, Buffer.from([0x12, 0x04, 0x9a, 0x06, 0x01, 0x78])]), false)).to.throw(
      'a field that SetApprovalsRequest does not have',
    );
  });

  it('accepts camelCase and snake_case names, and returns camelCase', () => {
    expect(read('agent.v1.CreateAgentRequest', { workflow_id: 'w', prompt: 'p' })).to.deep.equal({
      workflowId: 'w',
      prompt: 'p',
    });
    expect(refusal('agent.v1.CreateAgentRequest', { workflow_id: 'w', workflowId: 'v' })).to.contain('workflowId');
  });

  it('treats empty fields as absent, and keeps a meaningful false', () => {
    const empty = { prompt: '', title: null, dir: '', role: 'AGENT_ROLE_UNSPECIFIED' };
    expect(read('agent.v1.CreateAgentRequest', empty)).to.deep.equal({});
    expect(read('agent.v1.ListAgentsRequest', { archived: false, pagination: null })).to.deep.equal({});
    expect(read('shared.v1.Pagination', { pageSize: 0, cursor: '' })).to.deep.equal({});
    expect(read('agent.v1.ReviewThread', { quotedLines: [], messages: null })).to.deep.equal({});
    expect(read('agent.v1.CreateAgentRequest', { provisionEnabled: false })).to.deep.equal({ provisionEnabled: false });
    expect(read('agent.v1.CreateAgentRequest', { provisionEnabled: null })).to.deep.equal({});
  });

  it('drops unknown fields, at any depth', () => {
    const row = { agent: { id: 'a', nope: { x: [1] } }, nope: 1, pullRequests: [{ id: 'p', nope: 'BOGUS' }] };
    expect(read('agent.v1.AgentRow', row)).to.deep.equal({ agent: { id: 'a' }, pullRequests: [{ id: 'p' }] });
  });

  it('refuses an unknown enum name, at any depth', () => {
    expect(refusal('agent.v1.ListAgentsRequest', { view: 'BOGUS' }))
      .to.contain('BOGUS')
      .and.to.contain('View');
    expect(refusal('agent.v1.AgentRow', { agent: { state: 'IDLE' } })).to.contain('IDLE');
    expect(refusal('agent.v1.AgentRow', { pullRequests: [{}, { checks: 'checks_none' }] })).to.contain('checks_none');
    expect(read('agent.v1.ListAgentsRequest', { view: 2 })).to.deep.equal({ view: 'VIEW_FULL' });
  });

  it('keeps 64-bit integers exact, as strings', () => {
    for (const id of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      expect(read('schedule.v1.ScheduleRun', { id })).to.deep.equal({ id });
    }
    expect(read('schedule.v1.ScheduleRun', { id: 12 })).to.deep.equal({ id: '12' });
    expect(read('schedule.v1.ScheduleRun', '{"id":9007199254740993}')).to.deep.equal({ id: '9007199254740993' });
    expect(read('schedule.v1.Schedule', '{"recentRuns":[{"id":-9223372036854775808}]}')).to.deep.equal({
      recentRuns: [{ id: '-9223372036854775808' }],
    });
    for (const id of ['9223372036854775808', '1 OR 1=1', '0x1', '', ' 1', '1e3', '-', 1.5, true])
      refusal('schedule.v1.ScheduleRun', { id });
    refusal('schedule.v1.ScheduleRun', '{"id":9223372036854775808}');
  });

  it('returns times in UTC', () => {
    expect(read('schedule.v1.ScheduleRun', { scheduledFor: '2026-11-21T10:00:00.5+01:00' })).to.deep.equal({
      scheduledFor: '2026-11-21T09:00:00.500Z',
    });
    refusal('schedule.v1.ScheduleRun', { scheduledFor: 'tomorrow' });
  });

  it('refuses a value of another type, and names the field', () => {
    expect(refusal('shared.v1.Pagination', { pageSize: 'many' })).to.contain('pageSize');
    for (const pageSize of ['1e3', '0x1', ' 1', '']) refusal('shared.v1.Pagination', { pageSize });
    expect(refusal('agent.v1.ListAgentsRequest', { archived: 'yes' })).to.contain('archived');
    expect(refusal('agent.v1.ListAgentsRequest', { pagination: [] })).to.contain('Pagination');
    for (const value of ['[]', '"x"', '1', 'null', '']) refusal('agent.v1.ListAgentsRequest', value);
  });

  it('refuses bytes that are not UTF-8', () => {
    const broken = new Uint8Array([...bytes('{"title":"'), 0xff, ...bytes('"}')]);
    expect(() => readMessage(schema('agent.v1.CreateAgentRequest'), broken, true)).to.throw(Failure, 'UTF-8');
  });

  it('reads binary, and refuses malformed binary', () => {
    const run = schema('schedule.v1.ScheduleRun');
    const sent = fromJson(run, { id: '9223372036854775807', state: 'SCHEDULE_RUN_STATE_RUNNING' });
    expect(readMessage(run, toBinary(run, sent), false)).to.deep.equal({
      id: '9223372036854775807',
      state: 'SCHEDULE_RUN_STATE_RUNNING',
    });
    expect(readMessage(run, toBinary(run, create(run)), false)).to.deep.equal({});
    expect(() => readMessage(run, new Uint8Array([0xff, 0xff]), false))
      .to.throw(Failure)
      .with.property('code', 'invalid_argument');
  });
});
