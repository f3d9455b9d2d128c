import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** The kinds of forge that can be connected. Forgejo is connected as a Gitea. */
export const ForgeKindName = enumeration('forge.v1.ForgeKind', [
  'FORGE_KIND_UNSPECIFIED',
  'FORGE_KIND_GITHUB',
  'FORGE_KIND_GITLAB',
  'FORGE_KIND_GITEA',
  'FORGE_KIND_BITBUCKET',
]);
export type ForgeKindName = z.infer<typeof ForgeKindName>;

/** A forge that a person connected. Where its credential comes from is told; the credential itself never is. */
export const ForgeConnection = message('forge.v1.ForgeConnection', {
  id: [1, z.string()],
  /** The host of the remotes that it is for. */
  host: [2, z.string()],
  kind: [3, ForgeKindName],
  /** The root that the forge is asked under. */
  baseAddress: [4, z.string()],
  /** The environment variable of the registry that holds the credential. */
  credentialEnv: [5, z.string()],
  /** The file, beside the registry, that holds it. */
  credentialFile: [6, z.string()],
  /** The program, and its arguments, that prints it. */
  credentialCommand: [7, z.array(z.string())],
  /** Whether muster keeps it, encrypted. */
  credentialKept: [8, z.boolean()],
  /** RFC 3339 in UTC. */
  createdAt: [9, z.string()],
});
export type ForgeConnection = z.infer<typeof ForgeConnection>;
