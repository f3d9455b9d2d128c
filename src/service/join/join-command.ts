import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { credentialText } from '#bus/identity/credential.ts';
import { Failure } from '#contract/failure.ts';
import { type JoinLine, readJoinAddress } from '#contract/joining/join-line.ts';
import type { Config } from '#contract/process-context.ts';
import { quoted } from '#contract/quoted.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import { JoinAnswer, JoinPreview, joinPaths, joinProtocol } from '#contract/wire/host-joining.ts';
import { version } from '#gateway/http/version.ts';
import { examineMachine } from '#service/doctor.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { computerName } from '#world/computer-name.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { type EntranceClient, entranceAt } from './entrance-client.ts';
import { busFrom, requireBus } from './joined-bus.ts';
import { joinedFilesIn } from './joined-files.ts';
import { readJoined, writeJoined } from './joined-state.ts';
import { dropPending, hasPendingJoin, type JoinKeys, keepPending, makeJoinKeys, pendingKeys } from './pending-join.ts';

/** The files of an installation in a state folder. */
const ownFiles = ['muster.db', 'bus.keys', 'host.id', 'host.key'];

/**
 * `muster join ADDRESS`: makes this machine a host of the installation that the address names. It writes nothing until
 * everything was checked; then the keys, which are made here and never leave this machine, and once the registry has
 * certified them, the rest. If it is interrupted in between, the same line continues it.
 * @throws JOIN_LINE_INVALID when the arguments are no line; JOIN_NOT_POSSIBLE when this machine or its state folder
 * cannot   join; JOIN_UNREACHABLE, JOIN_SERVER_MISTAKEN, and the refusals of the registry
 */
export async function runJoin(args: readonly string[], config: Config): Promise<void> {
  const line = lineIn(args);
  requireFreeFolder(config.home);
  await requireFitMachine(config);
  const entrance = await entranceAt(line);
  const about = { protocol: joinProtocol.max, version, token: line.token, name: computerName() };
  const keys = pendingKeys(config.home, line) ?? makeJoinKeys();
  const asked = { ...about, hostKey: keys.host.publicKey, gatewayKey: keys.gateway.publicKey };
  const { bus } = await entrance.ask(joinPaths.preview, asked, JoinPreview);
  await requireBus(busFrom(line, bus));
  prepareStateFolder(config.home);
  keepPending(config.home, line, keys);
  const answer = await exchange(entrance, asked).catch((error: unknown) => {
    if (isFinal(error)) dropPending(config.home);
    throw error;
  });
  keep(config.home, { line, entrance, answer, keys });
  dropPending(config.home);
  process.stdout.write(`This machine has joined ${line.url} as host ${answer.name} (${answer.hostId})\n`);
}

/** @throws JOIN_LINE_INVALID when the arguments are no line */
function lineIn(args: readonly string[]): JoinLine {
  // A person may have pasted the whole line behind the command.
  const words = args.flatMap((arg) => arg.trim().split(/\s+/)).filter((word) => word !== 'muster' && word !== 'join');
  const [address = ''] = words;
  const line = words.length === 1 ? readJoinAddress(address) : undefined;
  if (line !== undefined) return line;
  const given = words.length === 0 ? 'nothing' : quoted(words.join(' ').replace(/JOIN-[\w-]+/, 'JOIN-…'), 120);
  throw new Failure(
    'JOIN_LINE_INVALID',
    `muster join takes the whole line that \`muster host invite\` prints, and was given ${given}. It looks like ` +
      'muster join https://muster.example:7434#JOIN-…',
  );
}

/** @throws JOIN_NOT_POSSIBLE when the state folder belongs to an installation already */
function requireFreeFolder(home: string): void {
  const joined = readJoined(home);
  const other = 'name another state folder in MUSTER_HOME';
  if (joined?.ended !== undefined) {
    throw new Failure('JOIN_NOT_POSSIBLE', `The state folder ${home} was that of host ${joined.name}: ${other}`);
  }
  if (joined !== undefined) {
    throw new Failure(
      'JOIN_NOT_POSSIBLE',
      `This machine has joined ${joined.url} already, as host ${joined.name} (${joined.hostId}). \`muster start\` starts it. ` +
        `To join once more, ${other}`,
    );
  }
  const isPending = hasPendingJoin(home);
  const found = ownFiles.find((name) => existsSync(join(home, name)) && !(isPending && name === 'host.id'));
  if (found === undefined) return;
  throw new Failure(
    'JOIN_NOT_POSSIBLE',
    `The state folder ${home} has an installation, or a host, of its own (${found}): ${other}`,
  );
}

/** @throws JOIN_NOT_POSSIBLE when a host or a gateway could not run here */
async function requireFitMachine(config: Config): Promise<void> {
  const failed = (await examineMachine(config, 'host')).filter(({ outcome }) => outcome === 'fail');
  if (failed.length === 0) return;
  const lines = failed.map(({ name, found, mend }) => `${name}: ${found}: ${mend}`);
  throw new Failure('JOIN_NOT_POSSIBLE', `muster cannot run on this machine yet. ${lines.join('; ')}`);
}

/** Exchanges the token. If the answer is lost, the same keys get it again within the 15 minutes of the line. */
async function exchange(entrance: EntranceClient, request: object): Promise<JoinAnswer> {
  try {
    return await entrance.ask(joinPaths.join, request, JoinAnswer);
  } catch (error) {
    if (!(error instanceof Failure) || !error.isFor('JOIN_UNREACHABLE')) throw error;
    return entrance.ask(joinPaths.join, request, JoinAnswer);
  }
}

/** The codes of failures after which the same request may succeed. */
const temporary: ReadonlySet<string> = new Set(['aborted', 'canceled', 'resource_exhausted']);

/** Whether the registry has refused. After any other failure it may have certified the keys, so they must stay. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Failure) || error.isFor('JOIN_SERVER_MISTAKEN')) return false;
  return failureCodes[error.code].status < 500 && !temporary.has(error.code);
}

/** A completed join. */
interface CompletedJoin {
  readonly line: JoinLine;
  readonly entrance: EntranceClient;
  readonly answer: JoinAnswer;
  readonly keys: JoinKeys;
}

/** Writes the state folder. What says that it has joined comes last. */
function keep(home: string, { line, entrance, answer, keys }: CompletedJoin): void {
  const { hostId, name, installation, certificates } = answer;
  const files = joinedFilesIn(home);
  const { url: busUrl, authority } = busFrom(line, answer.bus);
  writePrivateFile(files.host, credentialText({ jwt: certificates.host, seed: keys.host.seed }));
  writePrivateFile(files.gateway, credentialText({ jwt: certificates.gateway, seed: keys.gateway.seed }));
  if (authority !== undefined) writePrivateFile(files.authority, `${authority}\n`);
  writePrivateFile(join(home, 'host.id'), `${hostId}\n`);
  writePrivateFile(join(home, 'installation.id'), `${installation}\n`);
  const { certificate } = entrance;
  writeJoined(home, {
    url: line.url,
    ...(certificate !== undefined && { certificate }),
    busUrl,
    ...(authority !== undefined && { busAuthority: files.authority }),
    hostId,
    name,
    installation,
  });
}
