import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';
import { bellViewOf, type DoorbellEvent, type DoorbellInput, doorbellDefinition } from '#machines/doorbell/doorbell.ts';
import { asksTheSame, ringLine, ringLineIn } from '#machines/doorbell/ring-line.ts';

const mail = { cause: 'DOORBELL_CAUSE_MAIL', count: 1 } as const;

/** A doorbell after some events, each of which must be accepted. */
function bellAfter(events: readonly DoorbellEvent[], input: Partial<DoorbellInput> = {}): Decision {
  return events.reduce<Decision>(
    ({ snapshot }, event) => {
      const decision = decide(doorbellDefinition, snapshot, event);
      if (decision === undefined) throw new Error(`${event.type} makes no sense in ${String(snapshot.value)}`);
      return decision;
    },
    begin(doorbellDefinition, { ...mail, awaited: false, ...input }),
  );
}

const makesSense = (snapshot: StoredSnapshot, event: DoorbellEvent) =>
  decide(doorbellDefinition, snapshot, event) !== undefined;

describe('the machine of a doorbell', () => {
  it('requests one ring for any number of causes, and is claimed', () => {
    const raised = bellAfter([{ type: 'RAISE', ...mail, count: 4 }]);
    expect(bellViewOf(raised.snapshot)).to.deep.equal({
      state: 'DOORBELL_STATE_RAISED',
      causes: { DOORBELL_CAUSE_MAIL: 5 },
      wantsRing: true,
    });
    const rung = bellAfter([{ type: 'RUNG' }]);
    expect(rung.facts.map(({ kind }) => kind)).to.deep.equal(['doorbell.rung']);
    expect(makesSense(rung.snapshot, { type: 'RUNG' })).to.equal(false);
    const more = bellAfter([{ type: 'RUNG' }, { type: 'RAISE', ...mail }]);
    expect(bellViewOf(more.snapshot)).to.include({ state: 'DOORBELL_STATE_RUNG', wantsRing: false });
    const claimed = bellAfter([{ type: 'RUNG' }, { type: 'CLAIM' }]);
    expect(claimed.facts.map(({ kind }) => kind)).to.deep.equal(['doorbell.claimed']);
    for (const type of ['RUNG', 'TOLD', 'CLAIM', 'DROP'] as const) {
      expect(makesSense(claimed.snapshot, { type }), type).to.equal(false);
    }
  });

  it('is not typed while its agent waits for it, unless the wait ends or claims nothing', () => {
    const awaited = bellAfter([], { awaited: true });
    expect(bellViewOf(awaited.snapshot).wantsRing).to.equal(false);
    expect(awaited.deadlines).to.deep.equal({ awaited: 3_000 });
    const late = bellAfter([{ type: 'DEADLINE', name: 'awaited' }], { awaited: true });
    expect(bellViewOf(late.snapshot).wantsRing).to.equal(true);
    const told = bellAfter([{ type: 'TOLD' }], { awaited: true });
    expect(told.deadlines).to.deep.equal({ awaited: null, told: 30_000 });
    expect(bellViewOf(told.snapshot)).to.include({ state: 'DOORBELL_STATE_RUNG', wantsRing: false });
    const forgotten = bellAfter([{ type: 'TOLD' }, { type: 'DEADLINE', name: 'told' }], { awaited: true });
    expect(bellViewOf(forgotten.snapshot)).to.include({ state: 'DOORBELL_STATE_RAISED', wantsRing: true });
    expect(makesSense(told.snapshot, { type: 'DEADLINE', name: 'awaited' })).to.equal(false);
  });

  it('is claimed by taking all of its causes, and stays open for the rest', () => {
    const met = { type: 'MET', cause: 'DOORBELL_CAUSE_MAIL' } as const;
    expect(bellViewOf(bellAfter([met]).snapshot).state).to.equal('DOORBELL_STATE_CLAIMED');
    const both = bellAfter([{ type: 'RAISE', cause: 'DOORBELL_CAUSE_REVIEW', count: 1 }, met]);
    expect(bellViewOf(both.snapshot)).to.deep.equal({
      state: 'DOORBELL_STATE_RAISED',
      causes: { DOORBELL_CAUSE_REVIEW: 1 },
      wantsRing: true,
    });
  });

  it('is dropped when its agent ends', () => {
    const dropped = bellAfter([{ type: 'DROP' }]);
    expect(bellViewOf(dropped.snapshot)).to.include({ state: 'DOORBELL_STATE_DROPPED', wantsRing: false });
    expect(dropped.facts.map(({ kind }) => kind)).to.deep.equal(['doorbell.dropped']);
  });

  it('is rung by a line that explains what to do, in one row of a pane', () => {
    const lines = [
      ringLine({ DOORBELL_CAUSE_MAIL: 2 }),
      ringLine({ DOORBELL_CAUSE_MAIL: 2, DOORBELL_CAUSE_REVIEW: 1 }, '# '),
    ];
    expect(lines[0]).to.contain('(2)').and.contain('take_mail').and.contain('muster mail take');
    expect(lines[1])
      .to.match(/^# muster: /)
      .and.contain('claim_doorbells')
      .and.contain('muster bell claim');
    for (const line of lines) expect(line).to.match(/^[ -~]{20,150}$/);
  });

  it('has a line that is recognized in a pane, however it is wrapped, and no other text is', () => {
    const [mail, other] = [ringLine({ DOORBELL_CAUSE_MAIL: 12 }, '# '), ringLine({ DOORBELL_CAUSE_REVIEW: 1 }, '# ')];
    const wrapped = (line: string) => `$ ${line.slice(0, 30)}\n${line.slice(30)} `;
    for (const line of [mail, other]) expect(ringLineIn(wrapped(line), '# ')).to.equal(line);
    for (const text of ['', 'muster: you have mail (1).', mail.replace('12', ''), mail.slice(2)])
      expect(ringLineIn(text, '# '), text).to.equal(undefined);
    expect(asksTheSame(mail, ringLine({ DOORBELL_CAUSE_MAIL: 1 }, '# '))).to.equal(true);
    expect(asksTheSame(mail, other)).to.equal(false);
  });
});
