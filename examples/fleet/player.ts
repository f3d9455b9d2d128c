// A coding-agent CLI without a model: it takes prompts at a composer, shows when it is at work, calls muster's tools by
// MCP, and does what its script says. Its first argument names the part that it plays.
import { argv } from 'node:process';
import { author } from './author.ts';
import { Composer } from './composer.ts';
import { implementer } from './implementer.ts';
import { lead } from './lead.ts';
import type { Part, Stage } from './part.ts';
import { reviewer } from './reviewer.ts';
import { connectTools } from './tools.ts';

const parts: Readonly<Record<string, Part>> = { lead, implementer, author, reviewer };

const part = parts[argv[2] ?? ''];
if (part === undefined) throw new Error(`the first argument must be one of ${Object.keys(parts).join(', ')}`);

const tools = await connectTools();
let playing = Promise.resolve();
const composer = new Composer({
  onText(text) {
    composer.say(`❯ ${text.split('\n')[0]}`);
    playing = playing.then(() => play(part, text));
  },
  onInterrupt: () => composer.say('● A script cannot be interrupted.'),
});
const stage: Stage = {
  tools,
  say: (text) => composer.say(text),
  async during(status, work) {
    composer.work(status);
    return work();
  },
};

async function play(script: Part, text: string): Promise<void> {
  composer.work('Reading');
  try {
    await script(text, stage);
  } catch (error) {
    composer.say(`● It failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  composer.work(undefined);
}

composer.start();
