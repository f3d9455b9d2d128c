import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { CredentialSource, StoredForgeConnection } from '#store/forge/forge-connection-entity.ts';
import type { Store } from '#store/store.ts';
import type { SecretCipher } from '#world/file/secret-cipher.ts';
import { credentialFromCommand, credentialInEnv, credentialInFile } from '#world/forge/credential.ts';
import type { Transport } from '#world/forge/forge-http.ts';
import { openForge } from '#world/forge/open-forge.ts';
import type { ConnectedForge, ManagedForges } from './forges.ts';

/** How long a program's output is cached, in milliseconds. */
const commandKeptMs = 5 * 60_000;

interface Options {
  readonly store: Store;
  readonly clock: Clock;
  readonly sealing: SecretCipher;
  /** The environment of programs that print credentials, which may also hold credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly transport?: Transport;
}

/** The connections in the database, each with one client while it exists. */
export class ConnectedForges implements ManagedForges {
  readonly #options: Options;
  readonly #forges = new Map<string, ConnectedForge>();

  constructor(options: Options) {
    this.#options = options;
  }

  async forHost(host: string): Promise<ConnectedForge | undefined> {
    const connection = await this.#options.store.read(({ forgeConnections }) => forgeConnections.findByHost(host));
    return connection === undefined ? undefined : this.open(connection);
  }

  open(connection: StoredForgeConnection): ConnectedForge {
    const { id } = connection;
    const forge = this.#forges.get(id) ?? this.#opened(connection);
    this.#forges.set(id, forge);
    return forge;
  }

  seal(secret: string, connectionId: string): CredentialSource {
    return { sealed: this.#options.sealing.seal(secret, connectionId) };
  }

  #opened({ id, kind, host, root, credential }: StoredForgeConnection): ConnectedForge {
    const { clock, transport } = this.#options;
    let kept: { readonly value: Promise<string>; readonly until: number } | undefined;
    const client = openForge({
      kind,
      host,
      root,
      now: () => clock.now(),
      ...(transport && { transport }),
      credential: () => {
        if (!('command' in credential)) return this.#read(id, credential);
        if (kept === undefined || kept.until <= clock.now()) {
          const value = this.#read(id, credential);
          kept = { value, until: clock.now() + commandKeptMs };
          value.catch(() => {
            kept = undefined;
          });
        }
        return kept.value;
      },
      refused: () => {
        kept = undefined;
      },
    });
    const below = new URL(root).pathname.replace(/^\/|\/$/g, '');
    const pathOf = (path: string) =>
      below !== '' && path.startsWith(`${below}/`) ? path.slice(below.length + 1) : path;
    return { connectionId: id, client, pathOf };
  }

  async #read(id: string, source: CredentialSource): Promise<string> {
    const { environment, sealing } = this.#options;
    if ('env' in source) return credentialInEnv(source.env, environment);
    if ('file' in source) return credentialInFile(source.file);
    if ('command' in source) return credentialFromCommand(source.command, environment);
    const credential = sealing.open(source.sealed, id);
    if (credential !== undefined) return credential;
    throw new Failure(
      'FORGE_CREDENTIAL_UNREADABLE',
      `The stored credential cannot be opened with the key in ${sealing.keyFile}: restore that file, or connect the forge again`,
    );
  }
}
