import { expect } from 'chai';
import { z } from 'zod';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import { Permits } from '#actors/registry/host/permits.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { testClock } from '#test/support/test-clock.ts';

const record = { id: 'agt_1' } as AgentRecord;
const host = { id: 'hst_1', name: 'here' };
const call = { verb: 'prompt', request: z.object({ ticket: z.string() }), response: z.object({}) };
const act = { withinMs: 28_000, minMs: 10_000, decide: async () => record };
const silence = (code: 'unavailable' | 'deadline_exceeded') =>
  new Failure(code === 'unavailable' ? 'HOST_SILENT' : 'HOST_TIMED_OUT', 'nobody');

describe('a host’s permits', () => {
  let clock = testClock();
  let permits = new Permits(() => clock.monotonic(), 'reg_1');
  beforeEach(() => {
    clock = testClock();
    permits = new Permits(() => clock.monotonic(), 'reg_1');
  });

  const wanted = { withinMs: 26_000, minMs: 10_000, decide: async () => record };
  const refusal = async (ticket: string, hostId = 'hst_1') =>
    (await failureOf(() => permits.grant(ticket, hostId))).code;

  it('are granted with the current agent and their duration, once, to that host only', async () => {
    const { ticket } = permits.open('hst_1', wanted);
    expect(await refusal(ticket, 'hst_2')).to.equal('unavailable');
    expect(await refusal('another')).to.equal('unavailable');
    clock.pass(6_000);
    clock.step(-3_600_000);
    expect(await permits.grant(ticket, 'hst_1')).to.deep.equal({ record, leftMs: 20_000 });
    expect(await refusal(ticket)).to.equal('unavailable');
  });

  it('are never longer than the caller waits, and need less time for a short wait', async () => {
    const short = permits.within(10_000).open('hst_1', wanted);
    clock.pass(4_000);
    expect((await permits.grant(short.ticket, 'hst_1')).leftMs).to.equal(5_000);
    const late = permits.within(10_000).open('hst_1', wanted);
    clock.pass(5_000);
    expect(await refusal(late.ticket)).to.equal('unavailable');
    const long = permits.within(300_000).open('hst_1', wanted);
    expect((await permits.grant(long.ticket, 'hst_1')).leftMs).to.equal(26_000);
    const its = permits.within(30_000);
    clock.pass(28_000);
    expect(await refusal(its.open('hst_1', wanted).ticket)).to.equal('unavailable');
  });

  it('end when the caller stops waiting, also during the decision', async () => {
    const closed = permits.open('hst_1', wanted);
    closed.close();
    expect(await refusal(closed.ticket)).to.equal('unavailable');
    const late = permits.open('hst_1', wanted);
    clock.pass(16_001);
    expect(await refusal(late.ticket)).to.equal('unavailable');
    const decided = Promise.withResolvers<AgentRecord>();
    const slow = permits.open('hst_1', { ...wanted, decide: () => decided.promise });
    const refused = refusal(slow.ticket);
    slow.close();
    decided.resolve(record);
    expect(await refused).to.equal('unavailable');
    expect(slow.isGranted).to.equal(false);
  });

  it('are never granted after the caller’s failure, whenever the host gets the request', async () => {
    const tickets: string[] = [];
    const ask = async (_id: string, _verb: string, body: unknown) => {
      tickets.push((body as { ticket: string }).ticket);
      throw silence('deadline_exceeded');
    };
    const { code, reason } = await failureOf(() =>
      askWithPermit({ lines: { ask } as never, permits }, host, call, {}, act),
    );
    expect({ code, reason }).to.deep.equal({ code: 'unavailable', reason: 'HOST_SILENT' });
    for (const ticket of tickets) expect(await refusal(ticket)).to.equal('unavailable');
    expect(tickets).to.have.lengthOf(1);
  });

  it('are certainly unused if the host itself reports that it is too late', async () => {
    const late = refusalWith('deadline_exceeded', 'The question came when nobody waited for its answer any more');
    const lines = { ask: () => Promise.reject(late) } as never;
    const { code } = await failureOf(() => askWithPermit({ lines, permits }, host, call, {}, act));
    expect(code).to.equal('unavailable');
  });

  it('may have been used if the host has begun and does not report the result', async () => {
    const ask = async (_id: string, _verb: string, body: unknown) => {
      await permits.grant((body as { ticket: string }).ticket, 'hst_1');
      throw silence('unavailable');
    };
    const failure = await failureOf(() => askWithPermit({ lines: { ask } as never, permits }, host, call, {}, act));
    expect(failure.code).to.equal('deadline_exceeded');
    expect(failure.message).to.contain('it may have been done');
  });

  it('are refused for the agent’s current state, and on the host’s own refusal', async () => {
    const held = refusalWith('failed_precondition', 'a person holds it');
    const ask = async (_id: string, _verb: string, body: unknown) =>
      permits.grant((body as { ticket: string }).ticket, 'hst_1');
    const scope = { lines: { ask } as never, permits };
    expect(
      await failureOf(() => askWithPermit(scope, host, call, {}, { ...act, decide: () => Promise.reject(held) })),
    ).to.equal(held);
    const refused = refusalWith('unavailable', 'the terminal does not answer');
    const refusing = { lines: { ask: () => Promise.reject(refused) } as never, permits };
    expect(await failureOf(() => askWithPermit(refusing, host, call, {}, act))).to.equal(refused);
  });
});
