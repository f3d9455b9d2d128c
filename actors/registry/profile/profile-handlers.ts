import { z } from 'zod';
import { cleanName } from '#actors/registry/agent/agent-name.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { checkAdditions } from '#actors/registry/placement/environment-additions.ts';
import { checkDirectory } from '#actors/registry/placement/placement.ts';
import { Failure } from '#contract/failure.ts';
import { createProfile, deleteProfile, listProfiles, updateProfile } from '#contract/operations/profile.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredProfile } from '#store/profile/profile-entity.ts';
import type { Tables } from '#store/tables.ts';
import { storedSecrets } from './given-secrets.ts';
import { findProfile, profileOf } from './profile-resource.ts';
import type { ProfileScope } from './profile-scope.ts';

/** Maximum number of secrets of one profile. */
const maxSecrets = 50;

const cursors = cursorCodec('profiles', { updatedAt: z.int(), id: z.string() });

/** Lists profiles, most recently updated first. */
export const listProfilesHandler = handler(listProfiles, async ({ pagination }, _caller, { store }) => {
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  const found = await store.read(({ profiles }) => profiles.page(after, limit + 1));
  const page = fitRows(found.slice(0, limit).map(profileOf));
  const last = found[page.length - 1];
  const more = last !== undefined && found.length > page.length;
  return {
    profiles: page,
    ...(more ? { nextPageToken: cursors.write({ updatedAt: last.updatedAt, id: last.id }) } : {}),
  };
});

/** Creates a profile. */
export const createProfileHandler = handler(createProfile, async (request, _caller, scope: ProfileScope) => {
  const { store, ids, clock, sealing } = scope;
  const { environment = [], secrets = [], home = '', account = '' } = request;
  const id = ids.id('prf');
  const now = clock.now();
  const fields = { name: nameOf(request.name), environment, home, account: cleanName(account) };
  checkFields(fields);
  const profile = { id, ...fields, secrets: storedSecrets(id, secrets, sealing), createdAt: now, updatedAt: now };
  checkVariables(profile);
  await store.write(async (tables) => {
    await checkNameIsFree(tables, profile);
    await tables.profiles.insert(profile);
    await tables.facts.append([{ kind: 'profile.created', subjectId: id, detail: { name: profile.name } }]);
  });
  return { profile: profileOf(profile) };
});

/** Changes the fields that are set in the request. A field that is both set and cleared is set. */
export const updateProfileHandler = handler(updateProfile, async (request, _caller, scope: ProfileScope) => {
  const { profileId, clear = [], removeSecrets = [], secrets: given = [] } = request;
  const added = storedSecrets(profileId, given, scope.sealing);
  return scope.store.write(async (tables) => {
    const before = await findProfile(tables, profileId);
    const is = (field: (typeof clear)[number]) => clear.includes(field);
    const replaced = new Set([...removeSecrets, ...added.map(({ variable }) => variable)]);
    const next = {
      ...before,
      name: request.name ? nameOf(request.name) : before.name,
      environment: request.environment?.length ? request.environment : is('environment') ? [] : before.environment,
      home: request.home || (is('home') ? '' : before.home),
      account: cleanName(request.account ?? '') || (is('account') ? '' : before.account),
      secrets: [...(is('secrets') ? [] : before.secrets.filter(({ variable }) => !replaced.has(variable))), ...added],
    };
    checkFields(next);
    checkVariables(next);
    await checkNameIsFree(tables, next);
    const fields = (Object.keys(next) as (keyof StoredProfile)[]).filter(
      (field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]),
    );
    if (fields.length === 0) return { profile: profileOf(before) };
    const profile = { ...next, updatedAt: scope.clock.now() };
    await tables.profiles.update(profile);
    await tables.facts.append([{ kind: 'profile.changed', subjectId: profileId, detail: { fields } }]);
    return { profile: profileOf(profile) };
  });
});

/** Deletes a profile that nothing uses. */
export const deleteProfileHandler = handler(deleteProfile, ({ profileId }, _caller, { store }) =>
  store.write(async (tables) => {
    const { name } = await findProfile(tables, profileId);
    const workflow = await tables.workflows.nameWithProfile(profileId);
    const agent = await tables.agents.withProfile(profileId);
    if (workflow !== undefined || agent !== undefined) {
      const user =
        workflow === undefined ? `Agent ${agent?.name} (${agent?.id}) has` : `Workflow ${quoted(workflow)} names`;
      throw new Failure(
        'PROFILE_IN_USE',
        `${user} the profile ${quoted(name)}: choose another one there, or delete it, archived agents included`,
      );
    }
    await tables.profiles.remove(profileId);
    await tables.facts.append([{ kind: 'profile.deleted', subjectId: profileId, detail: { name } }]);
    return {};
  }),
);

function nameOf(given: string): string {
  const name = cleanName(given);
  if (name !== '') return name;
  throw new Failure('INVALID_FIELD', `name is ${quoted(given)}, which has no visible character: give another`, {
    field: 'name',
  });
}

function checkFields({ environment, home }: Pick<StoredProfile, 'environment' | 'home'>): void {
  if (home) checkDirectory('home', home);
  const unset = environment.find((entry) => !entry.includes('='));
  if (unset !== undefined) {
    throw new Failure(
      'INVALID_FIELD',
      'environment has an entry without =: give NAME=value, or a secret for a variable of the host',
      { field: 'environment' },
    );
  }
  checkAdditions(environment);
}

/** Checks that no variable is both plain and secret, and that there are not too many secrets. */
function checkVariables({ environment, secrets }: Pick<StoredProfile, 'environment' | 'secrets'>): void {
  const plain = new Set(environment.map((entry) => entry.split('=', 1)[0]));
  const both = secrets.find(({ variable }) => plain.has(variable));
  if (both !== undefined) {
    throw new Failure(
      'INVALID_FIELD',
      `The secret ${quoted(both.variable)} is in environment too: give each variable once`,
      { field: 'secrets' },
    );
  }
  if (secrets.length <= maxSecrets) return;
  throw new Failure(
    'INVALID_FIELD',
    `The profile would have ${secrets.length} secrets: at most ${maxSecrets} are allowed`,
    {
      field: 'secrets',
    },
  );
}

async function checkNameIsFree({ profiles }: Tables, { id, name }: Pick<StoredProfile, 'id' | 'name'>): Promise<void> {
  const holder = await profiles.findByName(name);
  if (holder === undefined || holder.id === id) return;
  throw new Failure('NAME_TAKEN', `Profile ${holder.id} has the name ${quoted(name)} already: choose another one`, {
    field: 'name',
    metadata: { name, holderId: holder.id },
  });
}
