import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { chartOf } from '#machines/chart/layout.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

const move = (seq: number, event: string, from: string, to: string, effects: string[] = []) => ({
  seq: String(seq),
  machine: 'agent',
  subjectId: 'agt_busy',
  at: '2026-11-21T08:57:00.000Z',
  event,
  eventDetail: '{}',
  from,
  to,
  effects,
  facts: ['agent.phase-moved'],
});
const first = move(3, '', '', 'settingUp.opening', ['openWindow']);
const second = move(5, 'READING', 'live.thinking', 'live.idle');
const third = move(9, 'ARCHIVE', 'live.idle', 'archiving', ['closePane']);

describe('muster graph --live', () => {
  let service: FakeService;
  let state: string;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  beforeEach(async () => {
    service = await fleetService();
    state = 'live.idle';
    service.on('fact.v1.FactService/GetMachineChart', ({ name }) => ({ chart: chartOf(name) }));
    service.on('fact.v1.FactService/ListTransitions', () => ({ transitions: [second, first] }));
    service.on('fact.v1.FactService/ExplainMachine', ({ seq }) => ({
      machine: 'agent',
      name: 'busy\u001b[31m',
      state: seq === '3' ? 'settingUp.opening' : state,
      changes: [{ path: 'checkout.branch', after: '"muster/busy"' }],
      next: [
        { event: 'HOLD', accepted: true, to: 'live.idle', effects: ['stopTurn'], sample: '{}' },
        { event: 'UNHOLD', accepted: false, refusedBy: ['isHeld'], sample: '{}' },
      ],
    }));
    service.onWatch('fact.v1.FactService/WatchTransitions', async function* () {
      state = 'archiving';
      yield { transitions: [third], cursor: '9' };
    });
  });
  afterEach(() => service.close());

  it('draws an instance with its state, last transitions and possible events, and redraws on a transition', async () => {
    const stop = new AbortController();
    const setting: Setting = {
      tty: true,
      size: { columns: 100, rows: 60, listeners: new Set() },
      signal: stop.signal,
      onOut: (text) => text.includes('ARCHIVE') && stop.abort(),
    };
    const { out } = await muster(['graph', 'agent', '--live', 'busy'], setting);
    const plain = stripVTControlCharacters(out);
    const [before = '', after = ''] = plain.split('agent busy').slice(1);
    expect(before)
      .to.match(/: live\.idle\n/)
      .and.match(/^● live$/m)
      .and.match(/^ {2}● idle$/m)
      .and.match(/^ {2}○ thinking$/m);
    expect(before).to.match(/READING +live\.thinking → live\.idle {2}\(agent\.phase-moved\)/);
    expect(before)
      .to.match(/HOLD +→ live\.idle {2}▸stopTurn/)
      .and.match(/UNHOLD +refused by isHeld/);
    expect(after)
      .to.match(/: archiving\n/)
      .and.match(/^● archiving$/m)
      .and.match(/^○ live$/m);
    expect(after).to.match(/ARCHIVE +live\.idle → archiving {2}\(▸closePane agent\.phase-moved\)/);
    expect(out).not.to.include('\u001b[31m');
    expect(service.requestsOf('fact.v1.FactService/WatchTransitions')).to.deep.include({
      machine: 'agent',
      subjectId: 'agt_busy',
      cursor: '5',
    });
  });

  it('prints a line for each transition without a terminal', async () => {
    const stop = new AbortController();
    const setting: Setting = { signal: stop.signal, onOut: (text) => text.includes('ARCHIVE') && stop.abort() };
    const { out } = await muster(['graph', 'agent', '--live', 'busy'], setting);
    expect(
      out
        .split('\n')
        .slice(0, 3)
        .map((line) => line.trim().split(/ +/).slice(0, 3).toSpliced(1, 1)),
    ).to.deep.equal([
      ['3', 'begun'],
      ['5', 'READING'],
      ['9', 'ARCHIVE'],
    ]);
  });

  it('shows a past moment once', async () => {
    const { out } = await muster(['graph', 'agent', '--live', 'busy', '--at', '3']);
    expect(out)
      .to.match(/: settingUp\.opening\n/)
      .and.not.match(/READING/);
    expect(out).to.match(/^ +checkout\.branch: nothing → "muster\/busy"$/m);
    expect(service.requestsOf('fact.v1.FactService/ExplainMachine')).to.deep.equal([
      { machine: 'agent', subjectId: 'agt_busy', seq: '3' },
    ]);
    expect((await muster(['graph', 'agent', '--live', 'busy', '--at', 'x'])).code).to.equal(2);
  });

  it('finds an instance by its id or name, and suggests similar ones', async () => {
    service.on('fact.v1.FactService/SurveyMachine', () => ({ subjects: [{ id: 'sch_1', name: 'nightly' }] }));
    service.on('fact.v1.FactService/ListLives', ({ words, pagination }) => {
      const { cursor } = pagination as { cursor?: string };
      if (words !== 'nightly') return {};
      if (cursor === undefined) return { lives: [{ id: 'sch_2', name: 'nightly-more' }], nextPageToken: 'two' };
      return { lives: [{ id: 'sch_1', name: 'nightly' }] };
    });
    await muster(['graph', 'schedule', '--live', 'nightly', '--at', '3']);
    expect(service.requestsOf('fact.v1.FactService/ExplainMachine')).to.deep.equal([
      { machine: 'schedule', subjectId: 'sch_1', seq: '3' },
    ]);
    const { code, err } = await muster(['graph', 'schedule', '--live', 'nightli', '--at', '3']);
    expect([code, err]).to.deep.equal([4, 'there is no schedule "nightli": did you mean nightly?\n']);
  });
});
