import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import { InputDriver } from '#actors/host/typing/input-driver.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { builtIn } from '#machines/harness/table.ts';
import { moment } from '#test/support/moment.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { ms, quantile, timed } from '../stage/sample.ts';

const prompts = 1_000;
const bodies = 10_000;
const panes = 8;
const longest = 50_000;
const seed = 7433;

const program = (name: string) => fileURLToPath(new URL(`../../test/${name}`, import.meta.url));

/**
 * Checks that every prompt arrives complete and is submitted, and that no part of a hostile text escapes its paste.
 */
export async function benchTyping(homes: Homes): Promise<void> {
  const run = join(homes.empty(), 'run');
  const terminals = createTmuxTerminals({ runDir: run, environment: { PATH: process.env['PATH'] ?? '' } });
  try {
    await benchPrompts(terminals, homes);
    await benchBodies(terminals, homes);
  } finally {
    await terminals.detach();
    await endTerminals(run);
  }
}

/** Types prompts of one byte to 50,000 characters of any script into eight panes at once, and checks each submission. */
async function benchPrompts(terminals: Terminals, homes: Homes): Promise<void> {
  const texts = promptsOfAnyScript();
  const took: number[] = [];
  let wrong = 0;
  let failed = 0;
  let next = 0;
  const pane = async (place: number): Promise<void> => {
    const agentId = `agt_${place}`;
    const { inputDriver, folder } = await open(terminals, homes, agentId);
    const sent: string[] = [];
    while (next < texts.length) {
      const text = texts[next] ?? '';
      next += 1;
      took.push(
        await timed(() =>
          inputDriver.prompt({ agentId, ticket: '' }, text).then(
            () => sent.push(pastedText(text)),
            () => (failed += 1),
          ),
        ),
      );
    }
    const arrived = submitted(folder);
    wrong += sent.filter((text, at) => arrived[at] !== Buffer.from(text).toString()).length;
    wrong += Math.max(0, arrived.length - sent.length);
  };
  await Promise.all(Array.from({ length: panes }, (_, place) => pane(place)));
  report(
    'prompts',
    `1 byte to ${longest} characters of any script, through the guard into a program with bracketed paste, ${panes} panes at once.`,
    ['prompts', 'truncated, doubled or altered', 'not submitted', 'p50', 'p99'],
    [[String(texts.length), String(wrong), String(failed), ms(quantile(took, 0.5)), ms(quantile(took, 0.99))]],
  );
}

/** Types hostile texts. Every byte must arrive within the paste. */
async function benchBodies(terminals: Terminals, homes: Homes): Promise<void> {
  const folder = homes.folder();
  const terminal = await terminals.of('agt_fuzz');
  const argv = [process.execPath, program('world/tmux/paste-receiver.mjs'), folder];
  const { paneId } = await terminal.open({ agentId: 'agt_fuzz', name: 'fuzz', cwd: folder, argv, env: {} });
  const read = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  await shows(terminal, paneId, 'ready');
  let altered = 0;
  const texts = hostileTexts();
  for (const [at, text] of texts.entries()) {
    await terminal.paste(paneId, text);
    const arrived = await moment(`paste ${at + 1}`, () => read(`paste-${at + 1}`));
    if (arrived !== Buffer.from(pastedText(text)).toString()) altered += 1;
  }
  const known = /^(?:paste-[0-9]+|typed)(?:\.part)?$/;
  const strange = readdirSync(folder).filter((name) => !known.test(name));
  report(
    'hostile texts',
    'Ends of the paste, control characters, command substitutions of shells and of tmux, quotes, separators, any bytes.',
    ['texts', 'bytes outside the paste', 'altered', 'files that something executed made'],
    [[String(texts.length), String(Buffer.byteLength(read('typed') ?? '')), String(altered), String(strange.length)]],
  );
}

async function open(
  terminals: Terminals,
  homes: Homes,
  agentId: string,
): Promise<{ inputDriver: InputDriver; folder: string }> {
  const folder = homes.folder();
  const terminal = await terminals.of(agentId);
  const argv = [process.execPath, program('actors/typing/composer-program.mjs'), folder];
  const { paneId } = await terminal.open({ agentId, name: agentId, cwd: folder, argv, env: {} });
  await shows(terminal, paneId, '? for shortcuts');
  const actor = {
    record: { family: agentId, launch: { harness: 'claude' }, snapshot: { value: { live: 'idle' } } },
    context: { paneId, name: agentId },
    refresh: () => undefined,
    isTyping: false,
    send: () => undefined,
    quiet: async () => undefined,
  };
  const observePane = paneObserver(builtIn, () => undefined);
  const actorOf = () => actor as unknown as AgentActor;
  const record = actor.record as unknown as AgentRecord;
  const registry = { permit: async () => ({ record, leftMs: 60_000 }), load: async () => record };
  const at = {
    actor: actorOf,
    terminals,
    harnesses: builtIn,
    observePane,
    registry,
    clock: systemTimer,
    questionMs: () => 0,
  };
  return { inputDriver: new InputDriver(at), folder };
}

async function shows(terminal: Terminal, paneId: string, text: string): Promise<void> {
  await moment(`the pane shows ${text}`, async () => {
    const capture = await terminal.capture(paneId);
    return capture?.rows.some((row) => row.includes(text));
  });
}

function submitted(folder: string): string[] {
  const lines = readFileSync(join(folder, 'submitted'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as string);
}

/**
 * Lengths from one character to the maximum, distributed logarithmically. No text is a command of the program.
 */
function promptsOfAnyScript(): string[] {
  const length = fc.double({ min: 0, max: 1, noNaN: true }).map((share) => Math.ceil(longest ** share));
  const unit = fc.constantFrom('grapheme', 'grapheme-ascii', 'grapheme-composite');
  const text = fc
    .tuple(length, unit)
    .chain(([max, kind]) => fc.tuple(fc.constant(max), fc.string({ unit: kind, minLength: 1, maxLength: 200 })));
  const made = fc.sample(text, { seed, numRuns: prompts });
  return made.map(([max, piece]) => {
    const whole = [...piece.repeat(Math.ceil(max / piece.length))].slice(0, max).join('');
    return pastedText(whole).trim() === '' ? 'x' : whole;
  });
}

function hostileTexts(): string[] {
  const ends = ['\u001b[201~', '\u001b[200~', '\r', '\n', '\t', '\u001b', '\u009b', '\u0003', '\u0000', '\u007f'];
  const syntax = [
    ';',
    '"',
    "'",
    '\\',
    '$',
    '~',
    '#(touch pwned)',
    '$(touch pwned)',
    '`touch pwned`',
    '{',
    '}',
    '-',
    '%1',
  ];
  const piece = fc.oneof(
    fc.constantFrom(...ends),
    fc.constantFrom(...syntax),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));
  return fc.sample(text, { seed, numRuns: bodies }).map((one) => (pastedText(one) === '' ? 'x' : one));
}
