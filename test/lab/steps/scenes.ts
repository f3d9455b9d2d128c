import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Player } from './player.ts';

/** What a CLI is led through, each scene from an empty composer to an empty composer. */
export interface Scene {
  readonly name: string;
  play(player: Player): Promise<void>;
}

/** Every size that a window is resized to. */
const every = ['200x50', '120x40', '100x14', '60x10', '48x20', '40x12', '30x8'];
/** Those of them that cut most, and one that cuts nothing. */
const few = ['120x40', '60x10', '40x12'];
const narrow = ['120x40', '48x20', '30x8'];
/** How long the model has been silent when a screen is taken, in milliseconds. */
const stallMs = 2_000;
/** Every scene, in the order in which they are played. */
export const scenes: readonly Scene[] = [
  {
    name: 'rest',
    async play(player) {
      await player.look('rest', 'IDLE', every);
    },
  },
  {
    name: 'draft',
    async play(player) {
      player.stage.window.type('please look at the README and');
      await player.look('draft', 'UNCERTAIN', narrow);
      await player.empty();
      player.stage.window.type('/');
      await player.look('slash menu', 'UNCERTAIN', few);
      await player.empty();
      await player.stage.line(player.stage.cli.picker);
      await pause(1_500);
      await player.look('picker', 'menu', ['120x40', '100x14', '48x20']);
      await player.empty();
    },
  },
  {
    name: 'streaming',
    async play(player) {
      await player.say('Say nothing yet. #wait#');
      await player.look('waiting for the model', 'THINKING', few);
      await player.finish();
      await player.say('Write on and on. #write#');
      await player.look('streaming', 'THINKING', every);
      player.stage.window.type('and then this #reply#');
      await player.look('draft while streaming', 'THINKING', few);
      player.stage.window.press('Enter');
      await player.look('queued', 'THINKING', narrow);
      await player.finish();
      await player.look('both answered', 'IDLE', ['120x40', '60x10']);
    },
  },
  {
    name: 'stalled',
    async play(player) {
      for (const what of ['text', 'thought', 'long']) {
        await player.say(`Begin, and fall silent. #stall ${what}#`);
        await pause(stallMs);
        await player.look(`stalled ${what}`, 'THINKING', ['120x40', '60x10']);
        await player.finish();
        await player.look(`ended ${what}`, 'IDLE', ['120x40']);
      }
      await player.say('Say nothing yet. #wait#');
      await player.stage.press(['PPage', 'PPage']);
      await player.look('scrolled up', 'THINKING', ['120x40']);
      await player.stage.press(['NPage', 'NPage', 'NPage']);
      await player.finish();
      await player.empty();
    },
  },
  {
    name: 'interrupted',
    async play(player) {
      await player.say('Think about it. #think#');
      await player.look('thinking', 'THINKING', few);
      await player.interrupt();
      // Some put the prompt back into the composer if nothing was answered yet.
      await player.empty();
      await player.look('interrupted', 'IDLE', narrow);
    },
  },
  {
    name: 'approval',
    async play(player) {
      const { cli, project, window, model } = player.stage;
      const mark = join(project, 'go-on');
      await player.say(`Run it. #tool touch begun; until [ -e ${mark} ]; do sleep 0.2; done#`);
      await player.called();
      if (cli.asksToRun) {
        await player.look('approval', 'WAITING', every);
        window.press('Enter');
      }
      await player.stage.until(() => player.hasFile('begun'), 10_000);
      await player.look('tool running', 'THINKING', few, () => player.hasFile('begun'));
      writeFileSync(mark, '');
      await player.finish();
      await player.look('answered', 'IDLE', ['120x40', '48x20']);
      model.hold.release();
    },
  },
  {
    name: 'edit',
    async play(player) {
      const { cli, project, window } = player.stage;
      if (!cli.asksToWrite) return;
      await player.say(`Write it. #edit ${join(project, 'add.js')}#`);
      await player.called();
      await player.look('edit approval', 'WAITING', ['120x40', '100x14', '60x10', '40x12']);
      await player.refuse();
      await player.look('refused', 'IDLE', ['120x40', '60x10']);
      window.resize({ width: 120, height: 40 });
    },
  },
  {
    name: 'question',
    async play(player) {
      await player.say('Ask me. #ask#');
      if (!(await player.called())) return;
      await player.look('question', 'WAITING', ['120x40', '100x14', '60x10', '48x20']);
      await player.refuse();
    },
  },
  failing('too many requests', '#fail 429#'),
  failing('refused by a fault', '#fail 500#'),
  failing('refused for good', '#fail 400#'),
  failing('dropped', '#cut#'),
  {
    name: 'killed model',
    async play(player) {
      player.stage.model.isKilled = true;
      await player.stage.line('Are you there? #reply#');
      await player.lookLater('killed model', few);
      player.stage.model.isKilled = false;
      await player.interrupt();
      await player.finish();
      await player.empty();
      await player.look('model back', 'IDLE', ['120x40']);
    },
  },
  {
    name: 'long output',
    async play(player) {
      await player.say('Say much. #long#');
      await player.finish();
      await player.look('long output', 'IDLE', few);
      await player.say('Quote it. #quote#');
      await player.finish();
      await player.look('quoted', 'IDLE', few);
      await player.stage.line(player.stage.cli.clear);
      await pause(2_000);
      await player.look('cleared', 'IDLE', ['120x40', '60x10']);
    },
  },
  {
    name: 'resumed',
    async play(player) {
      const { cli } = player.stage;
      await player.say('Say hello. #reply#');
      await player.finish();
      await player.stage.line(cli.quit);
      await player.stage.until(() => player.stage.isLeft, 10_000);
      await player.look('quit', 'UNCERTAIN', ['120x40', '60x10']);
      await player.stage.leave();
      await player.stage.start(cli.resume ?? cli.start);
      await player.stage.enter();
      await player.look('resumed', 'IDLE', few);
    },
  },
];

function failing(name: string, directive: string): Scene {
  return {
    name,
    async play(player) {
      await player.say(`Try it. ${directive}`);
      await player.lookLater(name, few);
      await player.interrupt();
      await player.finish();
      // Some put the prompt back into the composer.
      await player.empty();
      await player.look(`after ${name}`, 'IDLE', ['120x40', '48x20']);
    },
  };
}
