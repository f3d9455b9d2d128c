import type { ForgeClient } from '#world/forge/forge-client.ts';

/** A forge that is connected, ready to be asked. */
export interface ConnectedForge {
  readonly connectionId: string;
  readonly client: ForgeClient;
}

/** The forges that people have connected. */
export interface Forges {
  /** The forge whose web host this is, exactly (lower case, with its port where it has one); undefined where none is connected. */
  forHost(host: string): Promise<ConnectedForge | undefined>;
}
