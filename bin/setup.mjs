// Installs what muster needs and this machine lacks: npm packages, Node 24, nats-server, tmux and git. It runs before
// `npm start`, `npm test` and `npm run check`, on any Node from 20, with Node's own modules only, and builds the page
// and the program if their sources have changed. If nothing is missing it is silent; if it may not install, it says
// what to install and exits with 1. `setup.mjs start` lets muster start without tmux if panes can be embedded, which
// muster itself then says; `setup.mjs test` installs Chromium too, and `setup.mjs check` builds nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findProgram,
  howToInstall,
  isAtLeast,
  probe,
  requirements,
  testRequirements,
  versionOf,
} from '../src/world/requirements.mjs';
import { oldestNode } from './oldest-node.mjs';
import { pageState } from './page-state.mjs';
import { builtProgram, hasSources } from './program-state.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isStart = process.argv[2] === 'start';
const isTest = process.argv[2] === 'test';
/** Whether a person wants panes without tmux. */
const isEmbedded = isStart && process.env.MUSTER_TERMINAL === 'embedded';

const [, missing] = await Promise.all([installPackages(), missingPrograms()]);
if (missing.length > 0) await installPrograms(missing);
if (process.argv[2] !== 'check') {
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

/** The required programs that are absent or too old. */
async function missingPrograms() {
  const wanted = requirements.filter(({ program }) => program !== 'tmux' || !isEmbedded);
  const probes = await Promise.all(wanted.map(async (one) => ({ ...one, ...(await probe(one)) })));
  const isThere = (program) => program !== undefined && findProgram(program) !== undefined;
  const lackedByTests = isTest ? testRequirements.filter(({ program, or }) => !isThere(program) && !isThere(or)) : [];
  return [...probes.filter(({ enough }) => !enough), ...lackedByTests];
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

async function installPrograms(programs) {
  const install = installer();
  if (install !== undefined) {
    say(`installing ${programs.map(({ program }) => program).join(', ')}`);
    install(programs);
  }
  const still = (install === undefined ? programs : await missingPrograms()).filter((one) => !isSpared(one));
  if (still.length > 0) fail(still.map(describe).join('\n'));
}

/** How this process may install programs, or undefined if it may not. */
function installer() {
  const brew = process.platform === 'darwin' ? findProgram('brew') : undefined;
  const named = (programs) => programs.map(({ program, package: name = program }) => name);
  const common = (programs) => programs.map(({ program, package: name = program, or }) => or ?? name);
  if (brew !== undefined) return (programs) => run([brew, 'install', '--quiet', ...common(programs)]);
  if (findProgram('apt-get') === undefined) return undefined;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && !run([...asRoot, 'true'], 'ignore')) return undefined;
  // In run level 1, Debian's packages start no service: muster starts its own nats-server.
  const apt = [...asRoot, 'env', 'RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y'];
  const install = [...apt, 'install', '--no-install-recommends'];
  return (programs) => {
    const best = [...install, ...named(programs)];
    if (run(best, 'ignore')) return true;
    return run([...apt, 'update']) && (run(best, 'ignore') || run([...install, ...common(programs)]));
  };
}

function run([command, ...args], output = 2) {
  return spawnSync(command, args, { stdio: ['ignore', output, output] }).status === 0;
}

function describe({ program, package: name = program, min, why, version, file }) {
  const found = file === undefined ? 'it is not installed' : `${file} is ${version ?? 'of an unknown version'}`;
  const how = howToInstall(name);
  return `muster needs ${program} ${min} or newer (${why}), and ${found}. Install it, for instance with \`${how}\`.`;
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
