import { expect } from 'chai';
import type { LeasedWork } from '#actors/worker/leased-work.ts';
import { LeasedWorker } from '#actors/worker/leased-worker.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Failure } from '#contract/failure.ts';
import { silent } from '#test/actors/actor-fixture.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';

const lease = 30_000;
const heartbeat = 10_000;

interface Row {
  readonly id: string;
  state: 'free' | 'held' | 'done';
  fence: number;
  until: number;
}

interface Lease {
  readonly row: Row;
  readonly fence: number;
}

/** Rows in memory that keep leases like a table: a write with an older fencing token changes nothing. */
class Rows implements LeasedWork<Lease, string> {
  readonly name = 'rows';
  readonly atOnce = 2;
  readonly lease = lease;
  readonly heartbeat = heartbeat;
  readonly rows: Row[] = [];
  readonly done: string[] = [];
  /** What the work of each row waits for. */
  readonly gates = new Map<string, PromiseWithResolvers<void>>();
  readonly signals = new Map<string, AbortSignal>();
  /** What the database fails with; unset while it works. */
  fault: Failure | undefined;
  readonly #timer: TestTimer;

  constructor(timer: TestTimer) {
    this.#timer = timer;
  }

  add(...ids: readonly string[]): void {
    for (const id of ids) this.rows.push({ id, state: 'free', fence: 0, until: 0 });
  }

  async due() {
    return {
      free: this.rows.some(({ state }) => state === 'free'),
      expired: this.#expired().length > 0,
    };
  }

  async rescue(): Promise<void> {
    for (const row of this.#expired()) Object.assign(row, { state: 'free', fence: row.fence + 1 });
  }

  async claim(room: number): Promise<Lease[]> {
    const free = this.rows.filter(({ state }) => state === 'free').slice(0, room);
    return free.map((row) => {
      Object.assign(row, { state: 'held', fence: row.fence + 1, until: this.#timer.now() + lease });
      return { row, fence: row.fence };
    });
  }

  async renew(held: Lease): Promise<boolean> {
    return this.#write(held, { until: this.#timer.now() + lease });
  }

  async perform({ row }: Lease, signal: AbortSignal): Promise<string> {
    this.signals.set(row.id, signal);
    const gate = Promise.withResolvers<void>();
    this.gates.set(row.id, gate);
    signal.addEventListener('abort', () => gate.reject(signal.reason));
    if (signal.aborted) gate.reject(signal.reason);
    await gate.promise;
    return row.id;
  }

  async settle(held: Lease, result: string): Promise<boolean> {
    if (!this.#write(held, { state: 'done' })) return false;
    this.done.push(result);
    return true;
  }

  async release(held: Lease): Promise<void> {
    this.#write(held, { state: 'free' });
  }

  about({ row }: Lease) {
    return { id: row.id };
  }

  states(): string[] {
    return this.rows.map(({ state }) => state);
  }

  #expired(): Row[] {
    return this.rows.filter(({ state, until }) => state === 'held' && until <= this.#timer.now());
  }

  #write({ row, fence }: Lease, change: Partial<Row>): boolean {
    if (this.fault !== undefined) throw this.fault;
    if (row.state !== 'held' || row.fence !== fence) return false;
    Object.assign(row, change);
    return true;
  }
}

describe('a leased worker', () => {
  let timer: TestTimer;
  let rows: Rows;
  let work: WorkFigures;
  let worker: LeasedWorker<Lease, string>;

  beforeEach(() => {
    timer = testTimer();
    rows = new Rows(timer);
    work = new WorkFigures();
    worker = new LeasedWorker(rows, { timer, work, log: silent });
  });
  afterEach(() => worker.stop());

  const finish = async (id: string): Promise<void> => {
    rows.gates.get(id)?.resolve();
    await timer.pass(0);
  };

  it('works on a limited number of rows, and claims the next when one is done', async () => {
    rows.add('a', 'b', 'c');
    await Promise.all([worker.fill(), worker.fill()]);
    await timer.pass(0);
    expect(rows.states()).to.deep.equal(['held', 'held', 'free']);
    await finish('a');
    expect(rows.states()).to.deep.equal(['done', 'held', 'held']);
    await finish('b');
    await finish('c');
    await worker.settled();
    expect(rows.done).to.deep.equal(['a', 'b', 'c']);
    expect(work.workers()['rows']).to.deep.equal({ settled: 3 });
  });

  it('renews its lease while it works', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(5 * lease);
    const other = new LeasedWorker(rows, { timer, work, log: silent });
    await other.fill();
    expect(rows.rows[0]?.fence, 'nobody else has claimed it').to.equal(1);
    await finish('a');
    expect(rows.done).to.deep.equal(['a']);
    await other.stop();
  });

  it('rescues a row with an expired lease, and aborts the old worker, which records nothing more', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(0);
    const lost = rows.signals.get('a');
    // As if the process had been stopped for so long: it renewed nothing meanwhile.
    Object.assign(rows.rows[0] ?? {}, { until: timer.now() });
    const other = new LeasedWorker(rows, { timer, work, log: silent });
    await other.fill();
    await timer.pass(heartbeat);
    expect(lost?.reason).to.equal('lost');
    expect(work.workers()['rows']).to.deep.equal({ lost: 1 });
    await finish('a');
    expect(rows.done).to.deep.equal(['a']);
    expect(work.workers()['rows']).to.deep.equal({ lost: 1, settled: 1 });
    await other.stop();
  });

  it('drops a result that arrives after another worker claimed its row', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(0);
    Object.assign(rows.rows[0] ?? {}, { fence: 9 });
    await finish('a');
    expect(rows.states()).to.deep.equal(['held']);
    expect(rows.done).to.deep.equal([]);
    expect(work.workers()['rows']).to.deep.equal({ lost: 1 });
  });

  it('treats a lease that it cannot renew as lost one second before its end', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(0);
    rows.fault = refusalWith('unavailable', 'the database is away');
    await timer.pass(lease - 1_500);
    expect(rows.signals.get('a')?.aborted).to.equal(false);
    await timer.pass(600);
    expect(rows.signals.get('a')?.reason).to.equal('lost');
  });

  it('retries a result that cannot be written', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(0);
    rows.fault = refusalWith('unavailable', 'the database is away');
    await finish('a');
    await timer.pass(5_000);
    expect(rows.states()).to.deep.equal(['held']);
    rows.fault = undefined;
    await timer.pass(1_100);
    expect(rows.states()).to.deep.equal(['done']);
    expect(rows.done).to.deep.equal(['a']);
  });

  it('releases interrupted work at a stop, and claims nothing more', async () => {
    rows.add('a', 'b', 'c');
    await worker.fill();
    await timer.pass(0);
    await worker.stop();
    expect(rows.states()).to.deep.equal(['free', 'free', 'free']);
    await worker.fill();
    expect(rows.states()).to.deep.equal(['free', 'free', 'free']);
    expect(work.workers()['rows']).to.deep.equal({ released: 2 });
  });

  it('drops work that fails without a result, whose lease then ends', async () => {
    rows.add('a');
    await worker.fill();
    await timer.pass(0);
    rows.gates.get('a')?.reject(new Error('a mistake'));
    await worker.settled();
    expect(rows.states()).to.deep.equal(['held']);
    expect(work.workers()['rows']).to.deep.equal({ failed: 1 });
  });
});
