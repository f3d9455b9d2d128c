import type { Client } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { paintFor } from '#cli/print/color.ts';
import { screenOf } from '#cli/print/screen.ts';
import { Failure } from '#contract/failure.ts';
import type { Transition } from '#contract/machine/transition.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { instanceText, transitionLine } from './instance-text.ts';

/** How often the screen is redrawn without a transition, in milliseconds. */
const redrawEvery = 5_000;
const maxTransitions = 200;

/**
 * Draws an instance on its machine's chart, and redraws it at each transition. Without a terminal, prints transitions.
 */
export async function showLive({ io, client: connect }: Session, machine: string, nameOrId: string): Promise<void> {
  const client = connect();
  const id = await subjectOf(client, machine, nameOrId);
  const asked = { machine, subjectId: id };
  const [{ chart = {} }, listed] = await Promise.all([
    client.call('fact.v1.FactService/GetMachineChart', { name: machine }),
    client.call('fact.v1.FactService/ListTransitions', { ...asked, pageSize: maxTransitions }),
  ]);
  const shown: Transition[] = (listed.transitions ?? []).toReversed();
  const from = shown.at(-1)?.seq ?? '0';
  const changes = follow(
    io,
    (cursor) =>
      client.watch(
        'fact.v1.FactService/WatchTransitions',
        { ...asked, ...(cursor !== undefined && { cursor }) },
        io.signal,
      ),
    { from },
  );
  if (!io.stdout.isTTY) {
    for (const transition of shown) io.stdout.write(`${transitionLine(transition)}\n`);
    for await (const { transitions = [] } of changes) {
      for (const transition of transitions) io.stdout.write(`${transitionLine(transition)}\n`);
    }
    return;
  }
  let text = '';
  const screen = screenOf(io, () => text, redrawEvery);
  const draw = async (): Promise<void> => {
    text = instanceText(chart, await client.call('fact.v1.FactService/ExplainMachine', asked), shown, paintFor(io));
    screen.draw();
  };
  try {
    await draw();
    for await (const { transitions = [] } of changes) {
      shown.push(...transitions);
      if (transitions.length > 0) await draw();
    }
  } finally {
    screen.close();
  }
}

/** Prints an instance as it was after a transition, or as it is now. */
export async function showMoment(
  { io, client: connect }: Session,
  machine: string,
  nameOrId: string,
  seq: string,
): Promise<void> {
  const client = connect();
  const id = await subjectOf(client, machine, nameOrId);
  const asked = { machine, subjectId: id };
  const [{ chart = {} }, moment, listed] = await Promise.all([
    client.call('fact.v1.FactService/GetMachineChart', { name: machine }),
    client.call('fact.v1.FactService/ExplainMachine', { ...asked, seq }),
    client.call('fact.v1.FactService/ListTransitions', { ...asked, pageSize: maxTransitions }),
  ]);
  const before = (listed.transitions ?? [])
    .toReversed()
    .filter((transition) => BigInt(transition.seq ?? 0) <= BigInt(seq));
  io.stdout.write(instanceText(chart, moment, before, paintFor(io)));
}

/**
 * Finds the instance that a person means: an agent by all of its names, any other by id or name, the newest if several
 * match.
 */
async function subjectOf(client: Client, machine: string, nameOrId: string): Promise<string> {
  if (machine === 'agent') return (await findAgent(client, nameOrId)).id;
  const listed = await everyPage(
    (pagination) =>
      client.call('fact.v1.FactService/ListLives', { machine, words: nameOrId.slice(0, 200), pagination }),
    (page) => page.lives,
  );
  // A firing is named by its schedule and its number. The schedule alone means its newest firing.
  const found =
    listed.find(({ id }) => id === nameOrId) ??
    listed.find(({ name }) => name === nameOrId) ??
    listed.find(({ name = '' }) => name.startsWith(`${nameOrId} `));
  if (found?.id !== undefined) return found.id;
  const { subjects = [] } = await client.call('fact.v1.FactService/SurveyMachine', { name: machine });
  const near = nearest(
    nameOrId,
    subjects.flatMap(({ id, name }) => [id ?? '', name ?? '']),
  );
  throw new Failure(
    'SUBJECT_NOT_FOUND',
    `there is no ${machine} ${JSON.stringify(nameOrId)}${near ? `: did you mean ${near}?` : ''}`,
    { metadata: { machine, subjectId: nameOrId } },
  );
}
