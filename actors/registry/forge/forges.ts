import type { CredentialSource, StoredForgeConnection } from '#store/forge/forge-connection-entity.ts';
import type { ForgeClient } from '#world/forge/forge-client.ts';

/** A forge that is connected, ready to be asked. */
export interface ConnectedForge {
  readonly connectionId: string;
  readonly client: ForgeClient;
  /** The path of a repository below the forge's own root, which may itself be below the host's. */
  pathOf(path: string): string;
}

/** The forges that people have connected. */
export interface Forges {
  /**
   * The forge whose web host this is, exactly (lower case, with its port where it has one); undefined if none is
   * connected.
   */
  forHost(host: string): Promise<ConnectedForge | undefined>;
}

/** The same, with what managing connections takes. */
export interface ForgeDesk extends Forges {
  open(connection: StoredForgeConnection): ConnectedForge;
  /** Encrypts a credential for the connection of an id. */
  seal(secret: string, connectionId: string): CredentialSource;
}
