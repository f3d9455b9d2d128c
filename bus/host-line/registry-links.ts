import { refusalReporter } from '#bus/report-once.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import {
  type HandshakeOptions,
  type HostAnnouncement,
  introduce,
  negotiateSession,
  type RegistryLink,
} from './handshake.ts';

/** How many registries a host keeps sessions with. Beyond that, the oldest one is dropped. */
const maxLinks = 16;

/** The dependencies of a host's sessions with registries. */
interface LinksOptions extends HandshakeOptions {
  readonly about: () => HostAnnouncement;
  /** Called when the host's cursor is of another log than a registry's. */
  readonly onLogReplaced: () => void;
  readonly log?: Log | undefined;
}

/**
 * A host's sessions with registries: one with each that it has contacted. Its own requests use one of them, and any of
 * them may send requests to the host.
 */
export class RegistryLinks {
  readonly #options: LinksOptions;
  readonly #report: (error: Failure) => void;
  /** By the session's id, the oldest first. */
  readonly #links = new Map<string, RegistryLink>();
  /** The session that is being begun. */
  #beginning: Promise<RegistryLink> | undefined;
  #current: RegistryLink | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#report = refusalReporter(options.log);
  }

  /** The session for requests that any registry may answer. @throws as `begin` */
  async current(): Promise<RegistryLink> {
    return this.#current ?? this.begin();
  }

  /** The session with one registry. @throws as `begin` */
  async with(registry: string): Promise<RegistryLink> {
    return this.#newest((link) => link.registry === registry) ?? this.begin(registry);
  }

  /** The session with this id, including one that is being negotiated. */
  async find(id: Uint8Array): Promise<RegistryLink | undefined> {
    const name = nameOf(id);
    if (!this.#links.has(name)) await this.#beginning?.catch(() => undefined);
    return this.#links.get(name);
  }

  /**
   * Begins a session with a registry, or with the first that answers, and replaces an earlier one with it.
   * @throws Failure of the registry; as `Bus.request`
   */
  async begin(registry?: string): Promise<RegistryLink> {
    // Wait for a session that is being begun instead of opening a second one with the same registry.
    for (let other = this.#beginning; other !== undefined; other = this.#beginning) {
      const link = await other.catch(() => undefined);
      if (link !== undefined && (registry === undefined || link.registry === registry)) return link;
    }
    const beginning = this.#begin(registry).finally(() => {
      this.#beginning = undefined;
    });
    this.#beginning = beginning;
    try {
      return await beginning;
    } catch (error) {
      if (error instanceof Failure) this.#report(error);
      throw error;
    }
  }

  /** Forgets a session that its registry does not know, or whose registry is gone. */
  drop(link: RegistryLink): void {
    this.#links.delete(nameOf(link.session.id));
    if (this.#current === link) this.#current = this.#newest(() => true);
  }

  /** Uses another registry from now on: this one does not answer, or has lost its database. */
  avoid(link: RegistryLink): void {
    if (this.#current === link) this.#current = this.#newest((one) => one !== link);
  }

  /** Checks which sessions continue, after the connection was lost, and begins one if none does. */
  async check(): Promise<void> {
    for (const link of [...this.#links.values()]) {
      // A registry that does not answer yet may still be reconnecting.
      const answer = await introduce(this.#options, link, this.#options.about()).catch(() => 'silent' as const);
      if (answer === undefined) this.drop(link);
      else if (answer !== 'silent' && answer.isOfAnotherLog) this.#options.onLogReplaced();
    }
    await this.current();
  }

  async #begin(registry: string | undefined): Promise<RegistryLink> {
    const about = this.#options.about();
    const link = await negotiateSession(this.#options, about, registry);
    const answer = await introduce(this.#options, link, about);
    if (answer?.isOfAnotherLog) this.#options.onLogReplaced();
    for (const other of [...this.#links.values()]) if (other.registry === link.registry) this.drop(other);
    const [oldest] = this.#links.values();
    if (this.#links.size >= maxLinks && oldest !== undefined) this.drop(oldest);
    this.#links.set(nameOf(link.session.id), link);
    if (this.#current === undefined || registry === undefined) this.#current = link;
    return link;
  }

  #newest(isWanted: (link: RegistryLink) => boolean): RegistryLink | undefined {
    return [...this.#links.values()].findLast(isWanted);
  }
}

const nameOf = (id: Uint8Array): string => Buffer.from(id).toString('base64url');
