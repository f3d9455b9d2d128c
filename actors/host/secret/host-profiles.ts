import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { HostProfile, HostSecret } from '#contract/wire/host-profile.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { type SourceText, textFromCommand, textInEnv, textInFile } from '#world/process/secret-source.ts';
import type { KnownSecrets } from './known-secrets.ts';

/** Maximum total length of a profile's secrets, in characters: a pipe takes that much in one write. */
const maxLength = 48_000;

/** The variables that an agent's program and scripts get from its profile. */
export interface ProfileVariables {
  readonly environment: Readonly<Record<string, string>>;
  /** Passed only to the program itself, never in an argument, a file or a log. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface HostProfilesOptions {
  readonly registry: {
    /** The profile of an agent; undefined if it has none. */
    profile(agentId: string, epoch: number): Promise<HostProfile | undefined>;
  };
  readonly log: Pick<Log, 'warn'>;
  /** The person's environment, in which sources are read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly known: KnownSecrets;
}

/** The part of a harness that names the variable for its CLI's folder. */
type HarnessFolder = Pick<Harness, 'name' | 'conversation' | 'isolated'>;

type ProfileUser = Pick<AgentRecord, 'id' | 'epoch' | 'launch'>;

const nothing: ProfileVariables = { environment: {}, secrets: {} };

/** Reads the profiles of this host's agents, and their secrets from their sources. */
export class HostProfiles {
  readonly #options: HostProfilesOptions;
  readonly #last = new Map<string, ProfileVariables>();

  constructor(options: HostProfilesOptions) {
    this.#options = options;
  }

  /**
   * The variables that an agent gets from its profile now. Reads its secrets again.
   * @throws FAILED_PRECONDITION when a secret cannot be read, or the CLI has no variable for its folder
   */
  async read(record: ProfileUser, harness: HarnessFolder | undefined): Promise<ProfileVariables> {
    const profile = await this.#profile(record);
    if (profile === undefined) return nothing;
    const given = await this.given(record.id, profile, harness);
    this.#last.set(record.id, given);
    return given;
  }

  /** The variables of a profile, for an agent or a trial with this id. @throws as `read` */
  async given(id: string, profile: HostProfile, harness: HarnessFolder | undefined): Promise<ProfileVariables> {
    const secrets = Object.fromEntries(
      await Promise.all(
        profile.secrets.map(async (secret) => [secret.variable, await this.#value(profile, secret)] as const),
      ),
    );
    const values = Object.values(secrets);
    this.#options.known.add(id, values);
    const length = values.join('').length;
    if (length > maxLength) {
      throw new Failure(
        'SECRET_UNAVAILABLE',
        `The secrets of the profile ${quoted(profile.name)} are ${length} characters long and at most ${maxLength} are allowed: ` +
          'shorten them',
      );
    }
    return { environment: plainOf(profile, this.#options.environment, harness), secrets };
  }

  /** The variables of an agent's scripts: those of its running program, otherwise read again. @throws as `read` */
  async forScript(record: ProfileUser, harness: HarnessFolder | undefined): Promise<ProfileVariables> {
    return this.#last.get(record.id) ?? this.read(record, harness);
  }

  /** The folder of an agent's CLI, if its profile names one. */
  async folderOf(record: ProfileUser): Promise<string | undefined> {
    const { home = '' } = (await this.#profile(record)) ?? {};
    return home === '' ? undefined : absolute(home, this.#options.environment);
  }

  /**
   * Reads the secrets of agents whose program was started before this process, so that they are known when their panes
   * are observed. Each profile is read once.
   */
  async recall(records: readonly AgentRecord[]): Promise<void> {
    const running = records.filter(
      ({ id, launch, snapshot }) =>
        launch.profileId !== undefined &&
        readAgentContext(snapshot).paneId !== undefined &&
        !this.#options.known.has(id),
    );
    const groups = [...Map.groupBy(running, ({ launch }) => launch.profileId).values()];
    await Promise.all(groups.map((group) => this.#recall(group)));
  }

  async #recall(group: readonly AgentRecord[]): Promise<void> {
    const { known, log } = this.#options;
    const [first] = group;
    try {
      const { secrets = [], ...profile } = (first && (await this.#profile(first))) ?? {};
      if (!('name' in profile)) return;
      const read = await Promise.all(secrets.map((secret) => this.#value(profile, secret)));
      for (const { id } of group) known.add(id, read);
    } catch (err) {
      if (!(err instanceof Failure)) throw err;
      const agents = group.map(({ id }) => id);
      log.warn(
        { err, agents },
        'secrets cannot be read again: what these agents show of them is recorded until a restore',
      );
    }
  }

  /** Forgets the variables of an agent that is archived or deleted. */
  forget(agentId: string): void {
    this.#last.delete(agentId);
    this.#options.known.forget(agentId);
  }

  async #profile({ id, epoch, launch }: ProfileUser): Promise<HostProfile | undefined> {
    return launch.profileId === undefined ? undefined : this.#options.registry.profile(id, epoch);
  }

  async #value({ name }: Pick<HostProfile, 'name'>, secret: HostSecret): Promise<string> {
    const found = await this.#text(secret);
    const text = 'text' in found ? found.text.replace(/[\r\n]+$/, '') : '';
    if (text !== '' && !text.includes('\0')) return text;
    const why = 'missing' in found ? found.missing : 'Its source is empty, or has a NUL character: correct it';
    throw new Failure(
      'SECRET_UNAVAILABLE',
      `the secret ${quoted(secret.variable)} of the profile ${quoted(name)} cannot be read: ${why}, then retry`,
    );
  }

  async #text({ env, file, command, value }: HostSecret): Promise<SourceText> {
    const { environment } = this.#options;
    if (value !== undefined) return { text: value };
    if (env !== undefined) return textInEnv(env, environment, 'host');
    if (file !== undefined) return textInFile(file, 'host');
    return textFromCommand(command ?? [], environment, 'host');
  }
}

/** The variables that are not secret, and the one for the CLI's folder. */
function plainOf(
  { name, environment, home }: HostProfile,
  person: Readonly<Record<string, string>>,
  harness: HarnessFolder | undefined,
): Record<string, string> {
  const plain = Object.fromEntries(
    environment.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const),
  );
  if (home === '' || harness?.conversation === 'none') return plain;
  const variable = harness?.conversation?.variable ?? harness?.isolated?.folder?.variable;
  if (variable !== undefined) return { ...plain, [variable]: absolute(home, person) };
  throw new Failure(
    'PROFILE_UNFIT',
    `the profile ${quoted(name)} names a folder for the CLI, and ${harness?.name ?? 'its CLI'} has no variable for one: set what it ` +
      'uses as a variable of the profile, and clear home (muster profile edit --clear home)',
  );
}

function absolute(path: string, { HOME = '/' }: Readonly<Record<string, string>>): string {
  return path === '~' ? HOME : path.startsWith('~/') ? `${HOME}/${path.slice(2)}` : path;
}
