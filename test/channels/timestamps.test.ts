import { fromBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { call } from '#test/gateway/http-call.ts';
import { binaryOf, framed, framesOf, schemaOf } from '#test/gateway/wire-bytes.ts';
import type { Made } from '#test/registry/registry-fixture.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { fieldsWithTimes } from './answer-times.ts';
import { channels, doorOf, rowOf } from './channel.ts';
import { type Instance, startInstance } from './instance.ts';
import { paneAtWork } from './pane-at-work.ts';
import { trials } from './requests.ts';
import { settled } from './settled.ts';

describe('times in answers', () => {
  let instance: Instance;
  let scheduleId: string;
  /** The agent that is asked about, if the last call did not end it. */
  let id = '';
  const seen = new Set<string>();

  before(async () => {
    instance = await startInstance();
    const { fixture } = instance;
    fixture.host.pane = paneAtWork;
    const { id: workflowId }: Made<object> = await fixture.workflow();
    const given = { name: 'at nine', cron: '0 9 * * *', prompt: 'Look', workflowId };
    const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', given);
    scheduleId = schedule.id;
  });
  after(() => instance.close());

  async function anAgent(): Promise<string> {
    const { create, host } = instance.fixture;
    const { id } = await create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
    await host.bringUp(id);
    return id;
  }

  for (const [turn, row] of operations.entries()) {
    // In the suite, `parity.test.ts` reads the times of the same answers.
    inSoak(`of ${row.method} have milliseconds on a full second, on every channel`, async () => {
      const { fixture } = instance;
      const trial = trials[row.method];
      for (const channel of someOf(channels, turn)) {
        if (id === '' || trial?.endsAgent) id = await anAgent();
        const request = { ...trial?.request(id), ...(await trial?.prepare?.(fixture, id)) };
        const outcome = await channel.call(doorOf(instance, fixture.operatorToken), row, request);
        for (const field of fieldsWithTimes(outcome, channel.name)) seen.add(field);
        await settled(fixture);
        // One whose key a person has forgotten is known again.
        await fixture.host.beat();
        if (trial?.endsAgent) id = '';
      }
    });
  }

  inSoak('include those of schedules, firings and agents', () => {
    expect([...seen]).to.include.members(['nextRunAt', 'scheduledFor', 'finalizedAt', 'createdAt', 'stateChangedAt']);
  });

  it('have that format in a GET too, and a type of their own in binary', async () => {
    const path = `/${pathOf(rowOf('GetSchedule'))}`;
    const door = doorOf(instance, instance.fixture.operatorToken);
    const headers = { authorization: `Bearer ${door.token}` };
    const query = new URLSearchParams({ connect: 'v1', encoding: 'json', message: JSON.stringify({ scheduleId }) });
    const got = await call(door, `${path}?${query}`, { method: 'GET', headers: { ...headers, 'content-type': null } });
    expect(got.json).to.have.nested.property('schedule.nextRunAt', '2026-11-22T09:00:00.000Z');

    const body = binaryOf('schedule.v1.GetScheduleRequest', { scheduleId });
    const response = schemaOf('schedule.v1.GetScheduleResponse');
    const seconds = BigInt(Date.UTC(2026, 10, 22, 9) / 1_000);
    const plain = await call(door, path, { body, headers: { ...headers, 'content-type': 'application/proto' } });
    expect(fromBinary(response, plain.bytes)).to.have.nested.property('schedule.nextRunAt.seconds', seconds);
    const grpc = { ...headers, 'content-type': 'application/grpc-web+proto' };
    const [frame] = framesOf((await call(door, path, { body: framed(Buffer.from(body)), headers: grpc })).bytes);
    expect(fromBinary(response, frame?.payload ?? new Uint8Array())).to.have.nested.property(
      'schedule.nextRunAt.seconds',
      seconds,
    );
    const inJson = { ...headers, 'content-type': 'application/grpc-web+json' };
    const asked = framed(Buffer.from(JSON.stringify({ scheduleId })));
    const [told] = framesOf((await call(door, path, { body: asked, headers: inJson })).bytes);
    expect(String(told?.payload)).to.include('"nextRunAt":"2026-11-22T09:00:00.000Z"');
  });
});
