// Installs programs with the package manager of the system. `bin/setup.mjs` uses it before any npm package is installed, so it
// imports only Node's own modules.
import { spawnSync } from 'node:child_process';
import { findProgram, howToInstall, probe, requirements } from './requirements.mjs';

/** The programs that muster needs and that are absent or too old, except the named ones. */
export async function lackingPrograms(spared = []) {
  const wanted = requirements.filter(({ program }) => !spared.includes(program));
  const probes = await Promise.all(wanted.map(async (one) => ({ ...one, ...(await probe(one)) })));
  return probes.filter(({ enough }) => !enough);
}

/** A function that installs programs, and returns whether that succeeded; undefined if this process may not install any. */
export function installer() {
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

/** What is missing, and how to install it, for people. */
export function describeLack({ program, package: name = program, min, why, version, file }) {
  const found = file === undefined ? 'it is not installed' : `${file} is ${version ?? 'of an unknown version'}`;
  const how = howToInstall(name);
  return `muster needs ${program} ${min} or newer (${why}), and ${found}. Install it, for instance with \`${how}\`.`;
}

function run([command, ...args], output = 2) {
  return spawnSync(command, args, { stdio: ['ignore', output, output] }).status === 0;
}
