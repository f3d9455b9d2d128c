import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moduleImports } from './module-imports.ts';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const settings = ['biome.json', 'package.json', 'tsconfig.json', 'lint'];

/** A line that a folder may not hold, and the rule that must say so. */
interface Plant {
  readonly file: string;
  readonly line: string;
  readonly rule: string;
}

const imports = 'lint/style/noRestrictedImports';
const globals = 'lint/style/noRestrictedGlobals';
const cycles = 'lint/suspicious/noImportCycles';

/** What each folder may not import: the nearest wrong thing, and something of another layer by each kind of import. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  machines: ['node:fs', '#bus/subjects.ts', '#actors/loop.ts', 'zod', '../bus/subjects.ts'],
  'machines/harness': ['#world/log.ts', '../../src/world/log.ts', '../../bus/subjects.ts'],
  'machines/pane': ['xstate', 'node:path', '#machines/agent/agent.ts', '../agent.ts'],
  'machines/pane/harness': ['xstate', '#machines/agent/agent.ts', '../../agent.ts'],
  bus: ['#world/log.ts', '#store/sqlite.ts', 'node:fs', '../src/world/log.ts', 'zod'],
  actors: [
    '@nats-io/nats-core',
    '@mikro-orm/sqlite',
    'fastify',
    '#gateway/main.ts',
    '#cli/main.ts',
    '#service/config.ts',
    'node:fs',
    'node:child_process',
  ],
  'actors/host': ['node:fs/promises', 'isomorphic-git', 'node-pty', '@xterm/headless', '../../src/cli/main.ts'],
  'examples/fleet': ['#contract/failure.ts', '../../src/contract/failure.ts', '#cli/main.ts', 'xstate'],
  'src/contract': ['node:path', 'xstate', '#world/log.ts', '../world/log.ts'],
  'src/contract/operations': ['../../world/log.ts'],
  'src/store': [
    '#world/log.ts',
    '#bus/subjects.ts',
    '#machines/agent/agent.ts',
    '@nats-io/nats-core',
    'node:child_process',
  ],
  'src/world': [
    '#bus/subjects.ts',
    '#store/sqlite.ts',
    '#machines/agent/agent.ts',
    '#service/config.ts',
    'fastify',
    '@nats-io/nats-core',
  ],
  'src/gateway': [
    '#store/sqlite.ts',
    '#actors/loop.ts',
    '#world/log.ts',
    '#machines/agent/agent.ts',
    '@nats-io/nats-core',
    '@mikro-orm/sqlite',
  ],
  'src/cli': [
    '#world/log.ts',
    '#bus/subjects.ts',
    '#store/sqlite.ts',
    '#service/config.ts',
    '#machines/agent/agent.ts',
    'fastify',
  ],
  'src/service': ['node-pty', '@xterm/headless'],
  'src/page': [
    'node:fs',
    '#gateway/version.ts',
    '#cli/words.ts',
    '#machines/agent/agent.ts',
    'xstate',
    '../gateway/version.ts',
  ],
  'src/page/roster': ['#world/log.ts', 'zod', '../../cli/words.ts'],
};

const forms: readonly ((source: string) => string)[] = [
  (source) => `import { x } from '${source}';\nexport const y = x;`,
  (source) => `import type { X } from '${source}';\nexport type Y = X;`,
  (source) => `export { x } from '${source}';`,
  (source) => `export const x = await import('${source}');`,
];

const impure = [
  'Date.now()',
  'new Date()',
  'performance.now()',
  'process.env',
  'setTimeout(() => {}, 1)',
  'crypto.randomUUID()',
];

/** What writes an instance of a machine beside its one commit. */
const beside: readonly string[] = [
  `tables.instances.commit({})`,
  `tables.instances.begin('host', [])`,
  `tables.transitions.append([])`,
  `em.nativeUpdate({}, { id: 1 }, { snapshot: {} })`,
  `em.insert({}, { id: 1, snapshot: {} })`,
];

/** What decides by the words of a text. */
const worded: readonly string[] = [
  `(y: Error) => y.message.includes('away')`,
  `(y: Error) => y.message.startsWith('away')`,
  `(y: Error) => y.message.match(/away/)`,
  `(y: { rawMessage: string }) => /away/.test(y.rawMessage)`,
  `(stateReason: string) => stateReason.endsWith('away')`,
  `(y: { pausedReason: string }) => /away/.exec(y.pausedReason)`,
  `(y: { stateReason?: string }) => y.stateReason === 'away'`,
  `(y?: Error) => y?.message !== 'away'`,
  `(y: { reason: string }) => y.reason.startsWith('away')`,
  `(why: string) => why.replace(/,? or go away/, '')`,
  `(y: { stateReason?: string }) => (y.stateReason ?? '').trimEnd().replace(/; away:$/, '')`,
];

function plugged(file: string, value: string): Plant {
  return { file, line: `export const x = ${value};`, rule: 'plugin' };
}

const plants: readonly Plant[] = [
  ...Object.entries(foreign).flatMap(([folder, sources]) =>
    sources.flatMap((source, which) =>
      forms.map((form, kind) => ({ file: `${folder}/planted-${which}-${kind}.ts`, line: form(source), rule: imports })),
    ),
  ),
  ...Object.entries(moduleImports).flatMap(([module, sources]) =>
    sources.flatMap((source, which) =>
      forms.map((form, kind) => ({ file: `${module}/upward-${which}-${kind}.ts`, line: form(source), rule: 'plugin' })),
    ),
  ),
  ...impure.map((use, which) => ({
    file: `machines/pane/impure-${which}.ts`,
    line: `export const x = ${use};`,
    rule: globals,
  })),
  plugged('machines/chance.ts', 'Math.random()'),
  plugged('machines/cast.ts', '(y?: { context: unknown }) => y?.context as string'),
  plugged('actors/host/cast.ts', '(y: { context: unknown }) => y.context as string'),
  ...beside.flatMap((write, which) =>
    ['actors/registry/mail', 'src/store/mail'].map((folder) => plugged(`${folder}/beside-${which}.ts`, write)),
  ),
  ...worded.flatMap((decision, which) =>
    ['src/cli/client', 'src/page/parts', 'actors/host/typing', 'machines/agent'].map((folder) =>
      plugged(`${folder}/worded-${which}.ts`, decision),
    ),
  ),
  ...['src/service', 'src/store/sqlite', 'test/store'].map((folder) => ({
    file: `${folder}/second-copy.ts`,
    line: `import { DatabaseSync } from 'node:sqlite';\nexport const x = DatabaseSync;`,
    rule: 'plugin',
  })),
  { file: 'src/world/cycle-a.ts', line: `import { b } from './cycle-b.ts';\nexport const a = () => b;`, rule: cycles },
  { file: 'src/world/cycle-b.ts', line: `import { a } from './cycle-a.ts';\nexport const b = () => a;`, rule: cycles },
  { file: 'src/world/cycle-c.ts', line: `import type { D } from './cycle-d.ts';\nexport type C = D[];`, rule: cycles },
  {
    file: 'src/world/cycle-d.ts',
    line: `import type { C } from './cycle-c.ts';\nexport type D = { c: C };`,
    rule: cycles,
  },
  { file: 'src/service/any.ts', line: 'export const x = (y: any) => y;', rule: 'lint/suspicious/noExplicitAny' },
  { file: 'src/service/default.ts', line: 'const x = 1;\nexport default x;', rule: 'lint/style/noDefaultExport' },
  { file: 'src/service/barrel.ts', line: `export * from './config.ts';`, rule: 'lint/performance/noReExportAll' },
  { file: 'src/service/float.ts', line: 'const x = async () => 1;\nx();', rule: 'lint/nursery/noFloatingPromises' },
  {
    file: 'src/service/bang.ts',
    line: 'export const x = (y?: string) => y!.length;',
    rule: 'lint/style/noNonNullAssertion',
  },
  { file: 'src/service/enum.ts', line: 'export enum X {\n  A,\n}', rule: 'lint/style/noEnum' },
  {
    file: 'src/service/unused.ts',
    line: `import { join } from 'node:path';`,
    rule: 'lint/correctness/noUnusedImports',
  },
  {
    file: 'src/service/long.ts',
    line: `export const x = [\n${"  'line',\n".repeat(350)}];`,
    rule: 'lint/style/noExcessiveLinesPerFile',
  },
  {
    file: 'src/service/tall.ts',
    line: `export function x(y: () => void) {\n${'  y();\n'.repeat(81)}}`,
    rule: 'lint/complexity/noExcessiveLinesPerFunction',
  },
];

/** The allowed imports of each folder. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  machines: ['xstate', '#contract/failure.ts'],
  'machines/pane': ['#contract/failure.ts'],
  bus: ['@nats-io/nats-core', '#contract/failure.ts'],
  actors: ['#machines/agent/agent.ts', '#bus/subjects.ts', '#world/log.ts', '#contract/failure.ts'],
  'src/contract': ['zod'],
  'src/store': ['@mikro-orm/sqlite', '#contract/failure.ts'],
  'src/world': ['pino', 'node:fs', 'node-pty', '@xterm/headless', '#contract/failure.ts'],
  'src/gateway': ['fastify', '@connectrpc/connect', '@bufbuild/protobuf', '#bus/subjects.ts', '#contract/failure.ts'],
  'src/cli': ['commander', 'node:fs', '#contract/failure.ts'],
  'src/page': [
    'react',
    '@tanstack/react-query',
    '@connectrpc/connect-web',
    '#page/fleet/fleet.ts',
    '#contract/failure.ts',
  ],
  'src/service': [
    '#actors/loop.ts',
    '#world/log.ts',
    '#cli/exit-code.ts',
    '#gateway/descriptors.ts',
    '#bus/subjects.ts',
  ],
};

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string };
}

const allowedFile = (folder: string): string => `${folder}/allowed.ts`;

describe('fences', () => {
  let place: TemporaryFolder;
  let planted: string;
  /** What Biome reports, by this project’s settings, of a folder in which everything is planted, as `file rule`. */
  let found: ReadonlySet<string>;
  before(function () {
    this.timeout(180_000);
    place = temporaryFolder('layers');
    planted = join(place.path, 'muster');
    for (const name of settings) cpSync(join(repository, name), join(planted, name), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(planted, 'node_modules'));
    // What Biome asks git for: which files are not of the project.
    spawnSync('git', ['init', '-q'], { cwd: planted });
    writeFileSync(join(planted, '.gitignore'), 'node_modules\n');
    for (const { file, line } of plants) {
      mkdirSync(dirname(join(planted, file)), { recursive: true });
      writeFileSync(join(planted, file), `${line}\n`);
    }
    for (const [folder, sources] of Object.entries(allowed))
      writeFileSync(join(planted, allowedFile(folder)), sources.map((source) => `import '${source}';\n`).join(''));
    found = reported();
  });
  after(() => place.remove());

  function reported(): Set<string> {
    const args = ['lint', '--reporter=json', '--max-diagnostics=none', '--diagnostic-level=warn'];
    const biome = join(repository, 'node_modules/.bin/biome');
    const { stdout, stderr } = spawnSync(biome, args, { cwd: planted, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    expect(stdout, stderr).to.include('"diagnostics"');
    const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
    return new Set(diagnostics.map(({ category, location }) => `${location.path} ${category}`));
  }

  it('report a planted import, cycle or habit of each kind, around every layer', () => {
    const missed = plants.filter(({ file, rule }) => !found.has(`${file} ${rule}`));
    expect(missed.map(({ file, line, rule }) => `${file}: ${line} (${rule})`)).to.deep.equal([]);
  });

  it('allow each layer’s own imports', () => {
    const files = Object.keys(allowed).map(allowedFile);
    expect([...found].filter((one) => files.some((file) => one.startsWith(`${file} `)))).to.deep.equal([]);
  });

  it('cover every folder with code', () => {
    const layers = ['machines', 'bus', 'actors'].concat(
      readdirSync(join(repository, 'src'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `src/${name}`),
    );
    for (const layer of layers) {
      expect(foreign, `${basename(layer)} has no fence in biome.json or no test of it`).to.have.property(layer);
      expect(existsSync(join(repository, layer))).to.equal(true);
    }
  });
});
