import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import type { Mail } from '#contract/mail.ts';
import { type AgentCaller, agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';
import { randomFrom } from '#test/support/random.ts';
import { timesOf } from '#test/support/soak.ts';

/** How many mails are sent between how many agents; the same seed sends and kills in the same order. */
const mails = timesOf('MUSTER_TEST_MAILS', 8, 5_000);
const agentsCount = mails >= 5_000 ? 50 : 3;
/** How long a call may take, in milliseconds: many agents at once keep a small machine busy. */
const answersWithin = agentsCount > 10 ? 10_000 : 2_000;
const seed = Number(process.env['MUSTER_TEST_SEED'] ?? 20_261_122);
/** How many kills the sending is spread over, at least. */
const minKills = Math.max(3, Math.round(mails / 200));
const service = 'agent.v1.AgentService';

/** A mail as its sender and its recipient know it: who sent which of their mails to whom. */
interface Word {
  readonly from: string;
  readonly to: string;
  /** Counts the sender's mails. */
  readonly count: number;
}

/** What an installation runs on. */
interface Shape {
  readonly name: string;
  readonly registries: readonly Piece[];
  /** Starts its database; gives the variables that it is found by, and its end. */
  begin(): Promise<{ readonly settings: Readonly<Record<string, string>>; end(): void }>;
}

const shapes: readonly Shape[] = [
  {
    name: 'one registry on SQLite',
    registries: ['registry'],
    begin: async () => ({ settings: {}, end: () => {} }),
  },
  {
    name: 'two registries on PostgreSQL',
    registries: ['registry', 'otherRegistry'],
    async begin() {
      const server = await startPostgres();
      await server.execute('postgres', 'create database muster');
      const url = `postgres:///muster?user=${superuser}&host=${server.socket}`;
      return { settings: { MUSTER_DATABASE_URL: url }, end: () => server.remove() };
    },
  },
];

for (const { name, registries, begin } of shapes)
  describe(`${mails} mails between ${agentsCount} agents on two hosts and ${name}, whose processes are killed (seed ${seed})`, function () {
    this.timeout(1_800_000);
    const random = randomFrom(seed);
    const kills: Record<Piece | 'bus', number> = {
      registry: 0,
      otherRegistry: 0,
      host: 0,
      otherHost: 0,
      gateway: 0,
      bus: 0,
    };
    const accepted: Word[] = [];
    const taken: Word[] = [];
    const takenIds: string[] = [];
    let pieces: Pieces;
    let endDatabase: (() => void) | undefined;
    let agents: AgentCaller[];
    let sent = 0;
    let isSent = false;

    before(async () => {
      const unlimited = { MUSTER_MAIL_PER_MINUTE: '1000000', MUSTER_MAIL_HOPS: '1000000' };
      const { settings, end } = await begin();
      endDatabase = end;
      pieces = await setUpPieces(undefined, { ...unlimited, ...settings });
      for (const piece of [...registries, 'host', 'otherHost', 'gateway'] as const) await pieces.start(piece);
      agents = await launchAll();
    });
    after(async () => {
      await pieces.stop();
      endDatabase?.();
    });

    const killed = () => Object.values(kills).reduce((sum, count) => sum + count, 0);

    /** Launches the agents, each a shell, half of them on either host. */
    async function launchAll(): Promise<AgentCaller[]> {
      const { hosts } = await pieces.call<{ hosts: { id: string }[] }>('host.v1.HostService/ListHosts', {});
      expect(hosts).to.have.length(2);
      const { workflow } = await pieces.call<{ workflow: { id: string } }>(
        'workflow.v1.WorkflowService/CreateWorkflow',
        {
          name: 'mail',
          cwd: pieces.repository,
          harness: 'shell',
          provisionEnabled: false,
          host: hosts[0]?.id,
        },
      );
      const callers: AgentCaller[] = [];
      for (let place = 0; place < agentsCount; place += 1) {
        const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, {
          prompt: 'true',
          title: `agent-${place}`,
          workflowId: workflow.id,
          host: hosts[place % 2]?.id,
          idempotencyKey: `agent-${place}`,
        });
        callers.push(await agentCaller(pieces, agent.id, answersWithin));
      }
      for (const { agentId } of callers) await moment(`${agentId} is idle`, () => isIdle(agentId), 120_000);
      return callers;
    }

    async function isIdle(agentId: string): Promise<boolean> {
      const { agent } = await pieces.call<{ agent: { agent: { state: string } } }>(`${service}/GetAgent`, { agentId });
      return agent.agent.state === 'AGENT_STATE_IDLE';
    }

    /** Sends one agent's mails one after another, each until it is accepted. */
    async function sendAll(sender: AgentCaller, place: number): Promise<void> {
      for (let count = 0; sent < mails; count += 1) {
        sent += 1;
        await moment('the next kill', () => killed() * mails >= (sent - 1) * minKills - mails, 600_000);
        const to = agents[(place + 1 + Math.floor(random() * (agents.length - 1))) % agents.length] ?? sender;
        const word: Word = { from: sender.agentId, to: to.agentId, count };
        await sendOne(sender, word);
        accepted.push(word);
      }
    }

    async function sendOne(sender: AgentCaller, word: Word): Promise<void> {
      const letter = { agentId: word.to, body: JSON.stringify(word), idempotencyKey: `mail-${word.count}` };
      for (;;) {
        try {
          await sender.call('SendMail', letter);
          return;
        } catch (error) {
          // What one mail may set off is bounded: the next one that it takes, here the person's, begins again.
          if (!(error instanceof Failure) || error.code !== 'resource_exhausted') throw error;
          const go: Word = { from: 'person', to: sender.agentId, count: accepted.length };
          const request = {
            agentId: go.to,
            body: JSON.stringify(go),
            idempotencyKey: `go-${go.to}-${accepted.length}`,
          };
          await pieces.call(`${service}/SendMail`, request);
          if (!accepted.some(({ from, to, count }) => from === go.from && to === go.to && count === go.count)) {
            accepted.push(go);
          }
          await moment(
            'it is taken',
            () => taken.some(({ from, to, count }) => from === 'person' && to === go.to && count === go.count),
            120_000,
          );
        }
      }
    }

    /** Takes one agent's mail, each time until it is answered, until all mail is sent and nothing is left. */
    async function takeAll(taker: AgentCaller): Promise<void> {
      for (let claim = 0; ; claim += 1) {
        const isLast = isSent;
        const request = { claimId: `claim-${claim}`, limit: 1 + Math.floor(random() * 20), view: 'VIEW_FULL' };
        const { mail = [] } = await taker.call<{ mail?: Mail[] }>('TakeMail', request);
        for (const { id = '', body = '' } of mail) {
          takenIds.push(id);
          taken.push(JSON.parse(body) as Word);
        }
        if (mail.length === 0 && isLast) return;
        if (mail.length === 0) await pause(30 * agents.length * (1 + random()));
      }
    }

    /** Kills one or several processes at random times until everything is done. */
    async function killOn(isDone: () => boolean): Promise<void> {
      while (!isDone()) {
        // Faults come at random moments: this pause is the fault's own time, not a wait for something.
        await pause(100 + random() * 900);
        const dice = random();
        const registry = registries[Math.floor(random() * registries.length)] ?? 'registry';
        // The first one is a registry that hosts may have a session with alone.
        const victim =
          killed() < registries.length
            ? (registries[killed()] ?? registry)
            : dice < 0.3
              ? registry
              : dice < 0.5
                ? 'host'
                : dice < 0.7
                  ? 'otherHost'
                  : dice < 0.85
                    ? 'gateway'
                    : 'bus';
        if (victim === 'bus') await pieces.replaceBus();
        else {
          await pieces.kill(victim);
          await pieces.start(victim);
        }
        kills[victim] += 1;
      }
    }

    it('are each taken once, in the order of their sender, and none is lost', async () => {
      const start = performance.now();
      const sending = Promise.all(agents.map(sendAll)).then(() => {
        isSent = true;
      });
      await Promise.all([sending, killOn(() => isSent), ...agents.map(takeAll)]);
      const seconds = Math.round((performance.now() - start) / 1000);

      const keyOf = ({ from, to, count }: Word) => `${from} ${to} ${count}`;
      const twice = taken.length - new Set(taken.map(keyOf)).size;
      const known = new Set(taken.map(keyOf));
      const lost = accepted.filter((word) => !known.has(keyOf(word)));
      expect({ twice, lost, repeated: takenIds.length - new Set(takenIds).size }).to.deep.equal({
        twice: 0,
        lost: [],
        repeated: 0,
      });
      expect(taken.length).to.equal(accepted.length);
      const outOfOrder = [...Map.groupBy(taken, ({ from, to }) => `${from} ${to}`).values()].filter((words) =>
        words.some(({ count }, at) => at > 0 && count <= (words[at - 1]?.count ?? -1)),
      );
      expect(outOfOrder).to.deep.equal([]);
      await moment('no row shows mail', async () => (await rowsWithMail()) === 0);
      console.log(
        `      accepted ${accepted.length}, taken ${taken.length}, lost 0, doubled 0, out of order 0; ` +
          `killed ${JSON.stringify(kills)} in ${seconds} s; rung ${await rings()} times`,
      );
    });

    async function rowsWithMail(): Promise<number> {
      const { agents: rows = [] } = await pieces.call<{ agents?: { unreadMail?: boolean }[] }>(
        `${service}/ListAgents`,
        {
          pagination: { pageSize: 200 },
        },
      );
      return rows.filter(({ unreadMail }) => unreadMail).length;
    }

    /** How many lines were typed, according to the record. */
    async function rings(): Promise<number> {
      let count = 0;
      let cursor = '';
      do {
        const page = await pieces.call<{ facts: { kind: string }[]; nextPageToken?: string }>(
          'fact.v1.FactService/ListFacts',
          { cursor, pageSize: 200 },
        );
        count += page.facts.filter(({ kind }) => kind === 'doorbell.rung').length;
        cursor = page.nextPageToken ?? '';
      } while (cursor !== '');
      return count;
    }
  });
