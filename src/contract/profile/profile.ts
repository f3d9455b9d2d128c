import { z } from 'zod';
import { message } from '#contract/message.ts';

/** A secret of a profile. It says where the value comes from, and never contains it. */
export const ProfileSecret = message('profile.v1.ProfileSecret', {
  variable: [1, z.string(), 'The environment variable that agents and scripts get it in.'],
  env: [2, z.string(), 'The environment variable of the agent’s host that contains it.'],
  file: [3, z.string(), 'A file on the agent’s host that contains it, readable only by its owner.'],
  command: [
    4,
    z.array(z.string()),
    'A program that prints it, with its arguments. It runs on the agent’s host, without a shell.',
  ],
  kept: [5, z.boolean(), 'Whether muster stores the value, encrypted.'],
});
export type ProfileSecret = z.infer<typeof ProfileSecret>;

/** What agents get besides their workflow’s settings: variables, secrets, and the account that their CLI uses. */
export const Profile = message('profile.v1.Profile', {
  id: [1, z.string(), 'The id of the profile in every other call: `prf_` and a ULID.'],
  name: [2, z.string(), 'Its name, unique among profiles. At most 200 characters.'],
  environment: [
    3,
    z.array(z.string()),
    'Variables that are not secret, each as `NAME=value`. They replace those of the workflow.',
  ],
  secrets: [4, z.array(ProfileSecret), 'Secrets, by variable and source. Resolved on the agent’s host when it starts.'],
  home: [
    5,
    z.string(),
    'The folder with the CLI’s settings and credentials on the agent’s host, absolute or beginning with `~`. Passed in the ' +
      'variable that the CLI has for it, such as `CLAUDE_CONFIG_DIR`.',
  ],
  account: [6, z.string(), 'The account that the CLI’s credential belongs to, as agents’ rows show it.'],
  createdAt: [7, z.string(), 'When it was created: RFC 3339, UTC.'],
  updatedAt: [8, z.string(), 'When it was last changed: RFC 3339, UTC.'],
});
export type Profile = z.infer<typeof Profile>;
