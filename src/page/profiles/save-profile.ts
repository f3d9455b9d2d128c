import { parseSecretText, secretText } from '#contract/profile/secret-text.ts';
import type { Profile } from '#page/client/profile/v1/profile_pb.js';
import { profiles } from '#page/fleet/use-profiles.ts';

/** The draft of a profile. Lists have one entry per line. */
export interface ProfileDraft {
  readonly name: string;
  readonly account: string;
  readonly home: string;
  readonly environment: string;
  /** Each as `VARIABLE=SOURCE`. */
  readonly secrets: string;
  /** A value to be stored, and the variable for it. */
  readonly variable: string;
  readonly value: string;
}

/** The initial draft of a form: that of a profile, or of a new one. */
export function draftOf(profile: Profile | undefined): ProfileDraft {
  return {
    name: profile?.name ?? '',
    account: profile?.account ?? '',
    home: profile?.home ?? '',
    environment: profile?.environment.join('\n') ?? '',
    secrets: profile?.secrets.map(secretText).join('\n') ?? '',
    variable: '',
    value: '',
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Creates a profile from a draft, or changes one. Secrets whose line did not change stay as they are. */
export async function saveProfile(draft: ProfileDraft, profile: Profile | undefined): Promise<Profile | undefined> {
  const { name, account, home, variable, value } = draft;
  const before = new Set(profile?.secrets.map(secretText));
  const lines = linesOf(draft.secrets);
  const secrets = [
    ...lines.filter((line) => !before.has(line)).map((line) => parseSecretText(line).secret),
    ...(variable !== '' || value !== '' ? [{ variable, value }] : []),
  ];
  const fields = { name, account, home, environment: linesOf(draft.environment), secrets };
  if (profile === undefined) return (await profiles.createProfile(fields)).profile;
  const left = new Set(lines.map((line) => parseSecretText(line).secret.variable));
  const removeSecrets = profile.secrets.map((secret) => secret.variable).filter((one) => !left.has(one));
  const clear = (['account', 'home', 'environment'] as const).filter((field) => draft[field] === '');
  return (await profiles.updateProfile({ profileId: profile.id, ...fields, removeSecrets, clear })).profile;
}
