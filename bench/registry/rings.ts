import type { Typed } from '#test/rings/player-link.ts';
import { openStage, type PlayedAgent, restScreen } from '#test/rings/stage.ts';
import type { AgentCaller } from '#test/support/agent-caller.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { ms, quantile, timed } from '../stage/sample.ts';

const rounds = 60;

/** Measures how long after `send_mail` the line is typed into an idle agent's pane, and submitted. */
export async function benchRings(_homes: Homes): Promise<void> {
  const stage = await openStage();
  try {
    const sender = await stage.launch('sender', 0);
    const near = await stage.launch('near', 0);
    const far = await stage.launch('far', 1);
    const figures = new Map([
      ['the same host', { to: near, answered: [] as number[], typed: [] as number[], submitted: [] as number[] }],
      ['another host', { to: far, answered: [] as number[], typed: [] as number[], submitted: [] as number[] }],
    ]);
    const lines = new Map([...figures.values()].map(({ to }) => [to, linesOf(to)]));
    for (let round = 0; round < rounds; round += 1) {
      for (const { to, answered, typed, submitted } of figures.values()) {
        const line = lines.get(to)?.next();
        const start = Date.now();
        answered.push(await timed(() => sender.call('SendMail', { agentId: to.agentId, body: String(round) })));
        typed.push(((await line?.pasted) ?? start) - start);
        submitted.push(((await line?.submitted) ?? start) - start);
        await rested(to);
      }
    }
    report(
      'rings',
      `From the call of send_mail by an agent to the line in the pane of an idle one, ${rounds} mails each; real tmux, NATS, ` +
        'gateway, registry and hosts, each its own process.',
      ['recipient on', 'answered p50', 'p95', 'line typed p50', 'p95', 'submitted p50', 'p95'],
      [...figures].map(([where, { answered, typed, submitted }]) => [
        where,
        ...[answered, typed, submitted].flatMap((sample) => [ms(quantile(sample, 0.5)), ms(quantile(sample, 0.95))]),
      ]),
    );
  } finally {
    await stage.close();
  }
}

/** When the next line is typed for an agent, and submitted, in milliseconds since 1970. */
function linesOf(agent: PlayedAgent) {
  let pasted = Promise.withResolvers<number>();
  let submitted = Promise.withResolvers<number>();
  agent.onTyped(({ what, at }: Typed) => {
    if (what === 'pasted') pasted.resolve(at);
    if (what === 'submitted') submitted.resolve(at);
  });
  return {
    next() {
      pasted = Promise.withResolvers<number>();
      submitted = Promise.withResolvers<number>();
      return { pasted: pasted.promise, submitted: submitted.promise };
    },
  };
}

/** Takes the mail as the agent does in its turn, ends the turn, and waits until muster reports it idle. */
async function rested(agent: PlayedAgent & AgentCaller): Promise<void> {
  await agent.comesTo('AGENT_STATE_THINKING');
  await agent.call('TakeMail', {});
  agent.show(restScreen);
  await agent.comesTo('AGENT_STATE_IDLE');
}
