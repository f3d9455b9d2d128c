import { z } from 'zod';
import { meaningsOf, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';
import { Profile, ProfileSecret } from '#contract/profile/profile.ts';

const service = { package: 'profile.v1', service: 'ProfileService' } as const;
const same = meaningsOf(Profile);
const ofSecret = meaningsOf(ProfileSecret);
const profileId = [required(z.string().min(1)), 'The profile, by its id: `prf_` and a ULID.'] as const;
const variable = text(200).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

/** A secret as a person gives it: a variable and exactly one source. */
export const GivenSecret = message('profile.v1.GivenSecret', {
  variable: [1, required(variable.min(1)), ofSecret.variable],
  env: [2, text(200), ofSecret.env],
  file: [3, text(4_096), ofSecret.file],
  command: [4, z.array(text(4_096)).max(50), ofSecret.command],
  value: [5, text(16_384), 'The secret itself, which muster stores encrypted.'],
});
export type GivenSecret = z.infer<typeof GivenSecret>;

const fields = {
  environment: [z.array(text(8_192).min(1)).max(100), same.environment],
  secrets: z.array(GivenSecret).max(50),
  home: [text(4_096), same.home],
  account: [text(200), same.account],
} as const;

export const listProfiles = operation({
  ...service,
  method: 'ListProfiles',
  summary: 'Lists profiles, most recently updated first.',
  guidance: 'Shows where each secret comes from, never the secret itself.',
  request: message('profile.v1.ListProfilesRequest', { pagination: [1, ...paging] }),
  response: message('profile.v1.ListProfilesResponse', {
    profiles: [1, z.array(Profile), 'One page, most recently updated first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const createProfile = operation({
  ...service,
  method: 'CreateProfile',
  summary: 'Creates a profile: variables, secrets and the account that agents of workflows and launches get.',
  guidance:
    'Each secret has exactly one of env, file and command, which the agent’s host reads whenever it starts the agent, and value, which ' +
    'muster stores encrypted. No answer contains a value. Names are unique: a taken one is refused as already_exists.',
  request: message('profile.v1.CreateProfileRequest', {
    name: [1, required(text(200).min(1)), same.name],
    environment: [2, ...fields.environment],
    secrets: [3, fields.secrets, same.secrets],
    home: [4, ...fields.home],
    account: [5, ...fields.account],
  }),
  response: message('profile.v1.CreateProfileResponse', { profile: [1, Profile, 'The new profile.'] }),
  takesSecret: true,
  access: 'write',
  idempotent: false,
  roles: [],
});

export const updateProfile = operation({
  ...service,
  method: 'UpdateProfile',
  summary: 'Changes a profile. Running agents keep what they have; each gets the change with its next start.',
  guidance:
    'An omitted field stays. A given secret replaces the one with the same variable; the others stay, unless removeSecrets names them. ' +
    'Name a field in clear to empty it.',
  request: message('profile.v1.UpdateProfileRequest', {
    profileId: [1, ...profileId],
    name: [2, text(200), same.name],
    environment: [3, ...fields.environment],
    secrets: [4, fields.secrets, 'Secrets to add, or to replace by variable.'],
    home: [5, ...fields.home],
    account: [6, ...fields.account],
    removeSecrets: [7, z.array(variable.min(1)).max(50), 'The variables of secrets to remove.'],
    clear: [
      8,
      z.array(z.enum(['environment', 'secrets', 'home', 'account'])),
      'Fields to empty, by name. A field that is also given is set instead.',
    ],
  }),
  response: message('profile.v1.UpdateProfileResponse', { profile: [1, Profile, 'The profile after the call.'] }),
  takesSecret: true,
  access: 'write',
  idempotent: true,
  roles: [],
});

export const deleteProfile = operation({
  ...service,
  method: 'DeleteProfile',
  summary: 'Deletes a profile that no workflow names and no agent has, with its stored secrets.',
  guidance: 'failed_precondition while a workflow names it or an agent has it, even an archived one.',
  request: message('profile.v1.DeleteProfileRequest', { profileId: [1, ...profileId] }),
  response: message('profile.v1.DeleteProfileResponse', {}),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});
