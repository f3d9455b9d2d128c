import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type PostgresServer, startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';

/** What `readyz` answers. */
interface Answer {
  readonly status: number;
  readonly said: string;
  readonly registries: readonly { readonly ok: boolean }[];
}

describe('a gateway while one of two registries hangs', () => {
  let pieces: Pieces;
  let server: PostgresServer;

  before(async () => {
    server = await startPostgres();
    await server.execute('postgres', 'create database first');
    const MUSTER_DATABASE_URL = `postgres:///first?user=${superuser}&host=${server.socket}`;
    pieces = await setUpPieces(undefined, { MUSTER_DATABASE_URL });
    for (const piece of ['registry', 'otherRegistry', 'gateway'] as const) await pieces.start(piece);
  });
  after(async () => {
    await pieces.stop();
    server.remove();
  });

  const readyz = async (): Promise<Answer> => {
    const answer = await fetch(`${pieces.url}/readyz`);
    const { status: said, registries = [] } = (await answer.json()) as Pick<Answer, 'registries'> & { status: string };
    return { status: answer.status, said, registries };
  };
  const both = (areWell: boolean) =>
    moment(areWell ? 'both answer' : 'one of them does not', async () => {
      const { registries } = await readyz();
      return registries.length === 2 && registries.every(({ ok }) => ok) === areWell;
    });

  it('is ready all the time, and names the hung one', async () => {
    await both(true);
    pieces.signal('registry', 'SIGSTOP');
    try {
      const answers: Answer[] = [];
      // It counts as present for up to 2.5 s.
      for (const until = performance.now() + 4_000; performance.now() < until; ) {
        answers.push(...(await Promise.all(Array.from({ length: 4 }, readyz))));
      }
      expect(answers.map(({ status }) => status).filter((status) => status !== 200)).to.deep.equal([]);
      expect(answers.at(-1)?.said).to.equal('degraded');
    } finally {
      pieces.signal('registry', 'SIGCONT');
    }
    await both(true);
  });
});
