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

/** A forge that a person connected. Where its credential comes from is shown; the credential itself never is. */
export const ForgeConnection = message('forge.v1.ForgeConnection', {
  id: [1, z.string(), 'Names the connection in other calls: `fgc_` and a ULID.'],
  host: [2, z.string(), 'Host name of the remotes it is for, such as `github.com`.'],
  kind: [3, ForgeKindName, 'Which software the forge runs.'],
  baseAddress: [4, z.string(), 'Address that the forge’s API is called under. Unset in a request: that of its host.'],
  credentialEnv: [5, z.string(), 'Environment variable of the registry that holds the credential.'],
  credentialFile: [
    6,
    z.string(),
    'File on the registry’s machine that holds the credential, readable by its owner only.',
  ],
  credentialCommand: [
    7,
    z.array(z.string()),
    'Program and its arguments that print the credential, run without a shell.',
  ],
  credentialKept: [8, z.boolean(), 'Whether muster stores the credential, encrypted.'],
  createdAt: [9, z.string(), 'When it was connected: RFC 3339, UTC.'],
});
export type ForgeConnection = z.infer<typeof ForgeConnection>;
