import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const source = new URL('../../../src/', import.meta.url);
/** What takes longer to load than a call may take. */
const heavy = ['zod', '#contract/message.ts', '#contract/table.ts'];

/** What a module loads before it runs, its own path first, with each the way to it. */
function loadedBy(path: string, way: readonly string[] = [], seen = new Map<string, readonly string[]>()) {
  if (seen.has(path)) return seen;
  seen.set(path, [...way, path]);
  const file = new URL(path.replace(/^#/, ''), source);
  if (!file.pathname.endsWith('.ts')) return seen;
  const text = readFileSync(file, 'utf8').replaceAll(/\{[^}]*\}/gs, (names) =>
    /\{\s*type [^,]*\s*\}/.test(names) ? '' : '{}',
  );
  for (const [, named = ''] of text.matchAll(/^(?:import|export)(?! type\b)[^'\n]*'([^']+)';$/gm)) {
    if (!named.startsWith('.') && !named.startsWith('#')) seen.set(named, [...way, path, named]);
    else
      loadedBy(
        named.startsWith('#') ? named : new URL(named, file).pathname.slice(source.pathname.length),
        [...way, path],
        seen,
      );
  }
  return seen;
}

describe('the modules that a command loads', () => {
  const commands = readdirSync(new URL('cli/commands/', source), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `cli/commands/${name}`);
  for (const path of ['main.ts', 'cli/main.ts', 'cli/completion.ts', 'cli/rpc/command.ts', ...commands]) {
    it(`are few for src/${path}: neither schemas nor their library`, () => {
      const loaded = loadedBy(path);
      for (const one of heavy) expect(loaded.get(one)?.join(' → '), one).to.equal(undefined);
    });
  }

  it('are really checked: the operations table loads them', () => {
    expect([...loadedBy('contract/table.ts').keys()]).to.include('zod');
    expect([...loadedBy('cli/rpc/field.ts').keys()]).to.include.members(['zod', '#contract/message.ts']);
    expect(loadedBy('cli/commands/agent/ls.ts').size).to.be.above(10);
  });
});
