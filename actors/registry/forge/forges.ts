import type { CredentialSource, StoredForgeConnection } from '#store/forge/forge-connection-entity.ts';
import type { ForgeClient } from '#world/forge/forge-client.ts';

/** A connected forge, ready for requests. */
export interface ConnectedForge {
  readonly connectionId: string;
  readonly client: ForgeClient;
  /** The path of a repository below the forge's own root. That root may itself be a path below the host. */
  pathOf(path: string): string;
}

/** The forges that people have connected. */
export interface Forges {
  /** The forge with exactly this web host (lower case, with its port if it has one); undefined if none is connected. */
  forHost(host: string): Promise<ConnectedForge | undefined>;
}

/** The same, with what managing connections needs. */
export interface ManagedForges extends Forges {
  open(connection: StoredForgeConnection): ConnectedForge;
  /** Encrypts a credential for the connection with an id. */
  seal(secret: string, connectionId: string): CredentialSource;
}
