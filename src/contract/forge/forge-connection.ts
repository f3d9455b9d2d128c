import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';

/** The kinds of forge that can be connected. Forgejo is connected as a Gitea. */
export const ForgeKindName = enumeration('forge.v1.ForgeKind', {
  FORGE_KIND_UNSPECIFIED: 'Not given; refused.',
  FORGE_KIND_GITHUB: 'GitHub, or GitHub Enterprise.',
  FORGE_KIND_GITLAB: 'GitLab, or a self-hosted instance.',
  FORGE_KIND_GITEA: 'Gitea, or Forgejo.',
  FORGE_KIND_BITBUCKET: 'Bitbucket, by Atlassian.',
});
export type ForgeKindName = z.infer<typeof ForgeKindName>;

/** A forge that a person connected. It says where the credential comes from, and never contains it. */
export const ForgeConnection = message('forge.v1.ForgeConnection', {
  id: [1, z.string(), 'The id of the connection in other calls: `fgc_` and a ULID.'],
  host: [2, z.string(), 'The host name of its remotes, such as `github.com`.'],
  kind: [3, ForgeKindName, 'Which software the forge runs.'],
  baseAddress: [4, z.string(), 'The base address of the forge’s API. Default: the usual one at its host.'],
  credentialEnv: [5, z.string(), 'The registry’s environment variable that contains the credential.'],
  credentialFile: [
    6,
    z.string(),
    'A file on the registry’s computer that contains the credential, readable only by its owner.',
  ],
  credentialCommand: [
    7,
    z.array(z.string()),
    'A program that prints the credential, with its arguments. It runs without a shell.',
  ],
  credentialKept: [8, z.boolean(), 'Whether muster stores the credential, encrypted.'],
  createdAt: [9, z.string(), 'When it was connected: RFC 3339, UTC.'],
});
export type ForgeConnection = z.infer<typeof ForgeConnection>;
