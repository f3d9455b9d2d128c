import { Failure } from '#contract/failure.ts';

/** Other tools' words for commands of muster, which are accepted. None of these commands ends or removes anything. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  ps: ['ls'],
  agents: ['ls'],
  info: ['show'],
  describe: ['show'],
  get: ['show'],
  view: ['show'],
  explain: ['why'],
  events: ['facts'],
  history: ['facts'],
  top: ['ls', '--watch'],
  ui: ['open'],
  web: ['open'],
  dashboard: ['open'],
  jump: ['attach'],
  launch: ['new'],
  spawn: ['new'],
  create: ['new'],
  connect: ['attach'],
  workflows: ['workflow', 'ls'],
  schedules: ['schedule', 'ls'],
  forges: ['forge', 'ls'],
  harnesses: ['harness', 'ls'],
  version: ['--version'],
};

const stopService = 'Ctrl-C in the terminal of `muster start` stops the service';

/** Words that could mean several commands, or one that ends or removes something. These are only suggested. */
const ways: Readonly<Record<string, (name: string) => string>> = {
  ...forEachWord(['stop', 'kill', 'end', 'terminate', 'cancel'], (name) => {
    const ofAgent = sentences(
      [`interrupt ${name}`, 'ends its turn'],
      [`archive ${name}`, 'ends its CLI and keeps its work'],
      [`delete ${name}`, 'removes it with its worktree'],
    );
    return name === 'NAME' ? `${ofAgent}; ${stopService}` : ofAgent;
  }),
  ...forEachWord(['rm', 'remove', 'destroy'], (name) =>
    sentences([`archive ${name}`, 'hides it and keeps its work'], [`delete ${name}`, 'removes it with its worktree']),
  ),
  ...forEachWord(['send', 'ask', 'say'], (name) =>
    sentences([`prompt ${name} TEXT`, 'types a prompt'], [`mail send ${name} TEXT`, 'leaves mail for it']),
  ),
  ...forEachWord(['reply', 'respond', 'accept', 'allow'], (name) =>
    sentences([`answer ${name}`, 'answers its question'], [`prompt ${name} TEXT`, 'types a prompt']),
  ),
  ...forEachWord(['init', 'setup'], () =>
    sentences(['start', 'runs the service'], ['workflow create', 'configures launches']),
  ),
  ...forEachWord(['health', 'check'], () => sentences(['doctor', 'checks this machine and the service'])),
  pause: (name) => sentences([`hold ${name}`, 'takes it over'], [`interrupt ${name}`, 'ends its turn']),
  ...forEachWord(['resume', 'continue', 'restart'], (name) =>
    sentences(
      [`unhold ${name}`, 'gives back one that you hold'],
      [`restore ${name}`, 'restarts one that has ended'],
      [`retry ${name}`, 'continues a launch that failed'],
    ),
  ),
  ...forEachWord(['cat', 'tail', 'screen'], (name) =>
    sentences([`read ${name}`, 'prints its screen'], [`attach ${name}`, 'opens its window']),
  ),
  diff: (name) => sentences([`review start ${name}`, 'takes a snapshot'], [`review diff ${name}`, 'prints its diff']),
  approve: (name) => sentences([`review release ${name} --verdict approved`, 'approves its work']),
  ...forEachWord(['up', 'serve'], () => sentences(['start', 'runs the service'])),
  ...forEachWord(['down', 'shutdown', 'quit'], () => stopService),
  ...forEachWord(['config', 'settings'], () => sentences(['start --help', 'lists the settings'])),
};

/** The same for commands within a group. */
const groups: Readonly<Record<string, { readonly make?: string; readonly remove?: string }>> = {
  workflow: { make: 'create', remove: 'delete' },
  schedule: { make: 'create', remove: 'delete' },
  forge: { make: 'add', remove: 'rm' },
  harness: { make: 'add' },
  mail: {},
};
const makes: ReadonlySet<string> = new Set(['create', 'new', 'add', 'launch', 'spawn']);
const removes: ReadonlySet<string> = new Set(['rm', 'remove', 'delete', 'destroy']);

/** Words that launch an agent if combined with a noun for agents. */
const starts: ReadonlySet<string> = new Set(['add', 'run', 'start']);

/** Replaces another tool's word in a command line by muster's own. */
export function inKnownWords(said: readonly string[]): readonly string[] {
  const argv = withoutNoun(said);
  const [first = '', ...rest] = argv;
  const [second = '', ...others] = rest;
  if (first === 'status') return [second === '' || second.startsWith('-') ? 'ls' : 'show', ...rest];
  if (isGroup(first) && second === 'list') return [first, 'ls', ...others];
  if (makes.has(first) && isGroup(second)) return argv;
  return Object.hasOwn(sameAs, first) ? [...(sameAs[first] ?? []), ...rest] : argv;
}

/** Reduces `agent VERB` and `VERB-agent` to the verb, because verbs without a noun are about agents. */
function withoutNoun(argv: readonly string[]): readonly string[] {
  const [first = '', second = '', ...others] = argv;
  const isNoun = /^agents?$/.test(first) && /^[a-z]/.test(second);
  const verb = isNoun ? second : /^([a-z]+)-agents?$/.exec(first)?.[1];
  if (verb === undefined) return argv;
  return [starts.has(verb) ? 'new' : verb, ...(isNoun ? others : argv.slice(1))];
}

/** Refuses ambiguous words. @throws INVALID_ARGUMENT listing the commands that the word may mean */
export function refuseToGuess(argv: readonly string[]): void {
  const [first = '', second = ''] = argv;
  if (isGroup(first)) refuseIn(first, second, argv);
  else if (isGroup(second) && !isCommand(first)) refuseIn(second, first, argv);
  const way = Object.hasOwn(ways, first) ? ways[first] : undefined;
  if (way !== undefined) throw unknown(first, way(/^[\w.][\w.-]*$/.test(second) ? second : 'NAME'));
}

function refuseIn(noun: string, verb: string, [first, second]: readonly string[]): void {
  const { make, remove } = groups[noun] ?? {};
  const command = makes.has(verb) ? make : removes.has(verb) ? remove : undefined;
  if (command === undefined || (first === noun && verb === command)) return;
  throw unknown(`${first} ${second}`, `muster ${noun} ${command}`);
}

/** Whether a word for creating or removing is a command, so that the name of an agent follows. */
function isCommand(word: string): boolean {
  return word === 'new' || word === 'delete';
}

function isGroup(word: string): boolean {
  return Object.hasOwn(groups, word);
}

function unknown(said: string, way: string): Failure {
  return new Failure('INVALID_USAGE', `there is no command ${said}: ${way}`);
}

function sentences(...commands: readonly (readonly [command: string, does: string])[]): string {
  return commands.map(([command, does]) => `muster ${command} ${does}`).join(', ');
}

function forEachWord<T>(words: readonly string[], way: T): Record<string, T> {
  return Object.fromEntries(words.map((word) => [word, way]));
}
