// Installs what muster needs and this machine lacks: npm packages, Node 24, nats-server, tmux and git. It runs before
// `npm start`, `npm test` and `npm run check`, on any Node from 20, with Node's own modules only, and builds the page
// and the program if their sources have changed. If nothing is missing it is silent; if it may not install, it says
// what to install and exits with 1. `setup.mjs start` lets muster start without tmux if panes can be embedded, which
// muster itself then says; `setup.mjs test` installs Chromium too, `setup.mjs check` builds nothing, and `setup.mjs packages`
// only installs npm packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeLack, installer, lackingPrograms } from '../src/world/install-programs.mjs';
import { findProgram, isAtLeast, testRequirements, versionOf } from '../src/world/requirements.mjs';
import { oldestNode } from './oldest-node.mjs';
import { pageState } from './page-state.mjs';
import { builtProgram, hasSources } from './program-state.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isStart = process.argv[2] === 'start';
const isTest = process.argv[2] === 'test';
/** Whether a person wants panes without tmux. */
const isEmbedded = isStart && process.env.MUSTER_TERMINAL === 'embedded';

const isPackagesOnly = process.argv[2] === 'packages';
const [, missing] = await Promise.all([installPackages(), isPackagesOnly ? [] : missingPrograms()]);
if (missing.length > 0) await provide(missing);
if (process.argv[2] !== 'check' && !isPackagesOnly) {
  if (!pageState().isBuilt) build('page');
  if (hasSources && builtProgram() === undefined) build('program');
}

/** Builds the page or the program, on the Node that npm installed, because Vite needs it. */
function build(what) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const { status } = spawnSync(node, [join(root, 'bin', `${what}.mjs`)], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`The ${what} could not be built: see above.`);
}

/** Installs the packages of package-lock.json, unless a stamp in node_modules says that they are installed. */
async function installPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.muster-setup');
  const wanted = createHash('sha256').update(lock).digest('hex');
  const node = join(root, 'node_modules', '.bin', 'node');
  if (readIfThere(stamp) === wanted && existsSync(node)) return;
  if (!isInstalled(JSON.parse(lock))) {
    say('installing npm packages');
    npm('ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error');
  }
  if (!(await isNewEnough(node))) {
    say('installing Node 24');
    npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
  }
  if (!(await isNewEnough(node))) {
    fail(`The npm package "node" did not bring Node ${oldestNode} or newer. Remove node_modules and run this again.`);
  }
  try {
    writeFileSync(stamp, wanted);
  } catch {} // A folder that only another person may write is checked again each time.
}

/** Whether npm's record of node_modules has every required package of the lock, in the same version. */
function isInstalled(lock) {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

async function isNewEnough(node) {
  const version = existsSync(node) ? await versionOf(node, ['--version']) : undefined;
  return version !== undefined && isAtLeast(version, oldestNode);
}

function npm(...args) {
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`\`npm ${args.join(' ')}\` failed${error ? `: ${error.message}` : ''}. Run it in ${root}.`);
}

/** The programs that are absent or too old. */
async function missingPrograms() {
  const isThere = (program) => program !== undefined && findProgram(program) !== undefined;
  const lackedByTests = isTest ? testRequirements.filter(({ program, or }) => !isThere(program) && !isThere(or)) : [];
  return [...(await lackingPrograms(isEmbedded ? ['tmux'] : [])), ...lackedByTests];
}

/** Whether muster may start without a program: without tmux, if node-pty can hold the panes. */
function isSpared({ program }) {
  if (program !== 'tmux' || !isStart || process.env.MUSTER_TERMINAL === 'tmux') return false;
  try {
    createRequire(join(root, 'package.json'))('node-pty');
    return true;
  } catch {
    return false;
  }
}

async function provide(programs) {
  const install = installer();
  if (install !== undefined) {
    say(`installing ${programs.map(({ program }) => program).join(', ')}`);
    install(programs);
  }
  const still = (install === undefined ? programs : await missingPrograms()).filter((one) => !isSpared(one));
  if (still.length > 0) fail(still.map(describeLack).join('\n'));
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function say(text) {
  process.stderr.write(`muster: ${text} …\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
