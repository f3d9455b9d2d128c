import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Command } from 'commander';
import type { Session } from '#cli/client/session.ts';
import { buildProgram } from '#cli/program.ts';

const root = new URL('../../', import.meta.url);
const rows = readFileSync(new URL('docs/page-and-shell.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| act '))
  .map((line) => line.slice(1, -1).split('|'))
  .map(([act = '', page = '', commands = '']) => ({ act: act.trim(), page: page.trim(), commands: commands.trim() }));

/** What people read on the page: its sources. */
const page = readdirSync(new URL('src/page/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('client/'))
  .map((name) => readFileSync(new URL(`src/page/${name}`, root), 'utf8'))
  .join('\n');

/** The words of each command that does something, such as `workflow try`. */
async function commandWords(): Promise<string[]> {
  const session = { io: { stdout: {}, stderr: {} } } as unknown as Session;
  const { commands } = await buildProgram([], session);
  const names = commands.map((command) => command.name()).filter((name) => name !== 'help');
  const words = names.map(async (name) => {
    const program = await buildProgram([name], session);
    const command = program.commands.find((one) => one.name() === name);
    const own = leavesOf(command, name);
    return name === 'token' ? [...own, 'token rotate'] : own;
  });
  return (await Promise.all(words)).flat();
}

function leavesOf(command: Command | undefined, words: string): string[] {
  // The operations of rpc are one act.
  if (command === undefined || command.commands.length === 0 || words === 'rpc') return [words];
  const own = command.commands.filter((one) => one.name() !== 'help');
  return own.flatMap((one) => leavesOf(one, `${words} ${one.name()}`));
}

describe('the table of the page and the shell', () => {
  it('has every command, and no other', async () => {
    const named = rows.flatMap(({ commands }) => [...commands.matchAll(/`muster ([^`]+)`/g)].map(([, words]) => words));
    const known = await commandWords();
    expect([...new Set(named)].sort()).to.deep.equal([...new Set(known)].sort());
  });

  for (const { act, page: place, commands } of rows) {
    it(`names places of the page by their labels: ${act}`, () => {
      const labels = [...place.matchAll(/\*([^*]+)\*/g)].map(([, label = '']) => label);
      for (const label of labels) {
        if (label === 'Agent') continue;
        expect(page, label).to.match(
          new RegExp(`(?:['"\`>]|^\\s*|[?:] )${label.replaceAll(/[.]/g, '\\.')}(?:['"\`]| ?<| …| \\{|\\s*$)`, 'm'),
        );
      }
      if (labels.length === 0) expect(place).to.match(/^none: ./);
      if (!commands.includes('`muster ')) expect(commands).to.match(/^none: ./);
    });
  }
});
