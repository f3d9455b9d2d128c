import { setTimeout as pause } from 'node:timers/promises';
import type { Capture } from '#contract/pane/capture.ts';
import { readCaptureOf } from './look.ts';
import type { Stage } from './stage.ts';

/** What is open once a command or a key was given at rest, and whether what was typed next reached the composer. */
export interface Cover {
  /** The command or the key. */
  readonly opener: string;
  readonly capture: Capture;
  /** The screen after something was typed. */
  readonly typed: Capture;
  /** Whether the model was sent what was typed, whole. */
  readonly reaches: boolean;
}

/** What is typed into whatever stands open: it is in no page of any CLI, and in no history, being new each time. */
const markOf = (opener: string): string => `zq${Buffer.from(opener).toString('hex')}xj#reply#`;
/** How long a page may take to open, and between two keys, in milliseconds. */
const [openMs, keyMs] = [900, 100];
/** How long what is typed may take to show, and then the model to be asked, in milliseconds: the machine may be busy. */
const [echoMs, askedMs] = [8_000, 20_000];
/** How long it may take where the screen is not read as rest, so that no false reading can come of it. */
const shyMs = 2_000;
/** How often a CLI is started at most until it comes up. */
const startsMost = 3;
/** How many rows of a menu of commands are gone through. */
const menuMost = 130;
/** Commands that end the CLI or that no person gives twice. */
const leaving = /^\/(?:exit|quit|q|logout|upgrade|update|reload|restart|doctor-fix)$/;

/** Lists every command that the menu of the CLI shows. */
export async function commandsOf(stage: Stage): Promise<string[]> {
  const { window } = stage;
  window.type('/');
  await pause(openMs);
  const found = new Set<string>();
  let idle = 0;
  for (let row = 0; row < menuMost && idle < 12; row += 1) {
    const before = found.size;
    for (const command of shownIn(window.text())) found.add(command);
    idle = found.size === before ? idle + 1 : 0;
    window.press('Down');
    await pause(keyMs);
  }
  await settle(stage);
  return [...found].filter((command) => command !== '/' && !leaving.test(command)).toSorted();
}

/** The commands in a menu below the composer. Some CLIs write them without a slash. */
function shownIn(text: string): string[] {
  const menu = text.slice(Math.max(0, text.search(/^(?: ?> )?\/\P{L}*?$/mu)));
  const slashed = [...text.matchAll(/(?:^|\s)(\/[a-z][\w:-]*)(?=\s|$)/gm)].map(([, command = '']) => command);
  const bare = menu.matchAll(/^ {0,4}(?:[>●›❯→] )?([a-z][\w:-]*)(?: \S+)* {2,}\S/gm);
  return menu === text ? slashed : [...slashed, ...[...bare].map(([, command]) => `/${command}`)];
}

/**
 * Opens everything, one after the other, each from rest. `found` gets each as it is found; what `isKnown` is left out.
 * What is typed at rest has to reach the model, before and after: otherwise nothing follows from what did not reach it.
 * @throws Error if it does not, or if the CLI asks the model for something that it cannot read
 */
export async function openCovers(
  stage: Stage,
  found: (cover: Cover) => void,
  isKnown: (opener: string) => boolean,
): Promise<void> {
  await reachFromRest(stage);
  const commands = await commandsOf(stage);
  for (const opener of [...stage.cli.keys, ...commands].filter((one) => !isKnown(one))) {
    await surelyToRest(stage);
    try {
      const cover = await openOne(stage, opener);
      found(cover);
      // What is left of a page that was left may keep the keyboard.
      if (!cover.reaches) await stage.leave();
    } catch (error) {
      process.stderr.write(`${opener}: ${String(error)}\n`);
    }
    stopOnFaults(stage);
  }
  await reachFromRest(stage);
}

/** Types with nothing open. */
async function reachFromRest(stage: Stage): Promise<void> {
  await toRest(stage);
  const { reaches, typed } = await openOne(stage, '');
  stopOnFaults(stage);
  if (!reaches) throw new Error(`what is typed at rest does not reach the model:\n${JSON.stringify(typed.rows)}`);
}

function stopOnFaults({ model }: Stage): void {
  if (model.faults.length > 0) throw new Error(`the stub model failed:\n${model.faults.join('\n')}`);
}

async function openOne(stage: Stage, opener: string): Promise<Cover> {
  const { window, model, cli } = stage;
  if (opener.startsWith('/')) await stage.line(opener);
  else if (opener !== '') await stage.press(opener.split(' '), keyMs);
  await pause(openMs);
  const capture = await window.settled(500, 2_500);
  const isRest = opener === '' || readCaptureOf(cli.setUp.harness, capture).state === 'AGENT_STATE_IDLE';
  if (opener === cli.leader?.key) await pause(cli.leader.ms);
  const before = model.requests.length;
  const mark = markOf(opener);
  window.type(mark);
  // Where no false reading can come of it, it is not waited for.
  if (isRest) await window.shows(new RegExp(mark), echoMs);
  else await pause(openMs / 2);
  const typed = await window.settled(300, 1_200);
  window.press('Enter');
  // A CLI may put a notice before it, as Cline does of its mode.
  const reached = () => model.requests.slice(before).some(({ heard }) => heard.some(({ text }) => text.includes(mark)));
  let reaches = await stage.until(reached, isRest ? askedMs : shyMs);
  // A CLI that has just come up on a busy machine may lose it: muster presses it twice, too.
  if (!reaches && isRest && window.text().includes(mark)) {
    window.press('Enter');
    reaches = await stage.until(reached, askedMs);
  }
  return { opener, capture, typed, reaches };
}

/** Brings the CLI back to an empty composer, and starts it again if it does not come up, as on a busy machine. */
async function surelyToRest(stage: Stage): Promise<void> {
  for (let times = 1; ; times += 1) {
    try {
      return await toRest(stage);
    } catch (error) {
      if (times === startsMost) throw error;
      await stage.leave();
    }
  }
}

/** Brings the CLI back to an empty composer, by starting it again if need be. */
async function toRest(stage: Stage): Promise<void> {
  stage.model.hold.release();
  await settle(stage);
  if (!stage.isLeft && readState(stage) !== 'AGENT_STATE_IDLE') await stage.leave();
  if (!stage.isLeft) return;
  await stage.start();
  await stage.enter();
  // Some commands exist only in a conversation: on a start page, another one is taken for them.
  await stage.say('Say hello. #reply#', askedMs);
  await stage.finish();
}

async function settle({ window }: Stage): Promise<void> {
  window.press('Escape');
  await pause(openMs / 2);
  window.press('C-u');
  await pause(openMs / 2);
}

function readState({ cli, window }: Stage): string {
  return readCaptureOf(cli.setUp.harness, window.capture()).state;
}
