import { randomBytes } from 'node:crypto';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { keyAndValue, nameKey } from '#contract/host/host-setting.ts';
import { invitationMs } from '#contract/joining/invitation.ts';
import { joinAddressOf } from '#contract/joining/join-line.ts';
import { inviteHost, listHostInvitations, withdrawHostInvitation } from '#contract/operations/host-invitation.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredInvitation } from '#store/joining/host-invitation-entity.ts';
import type { Tables } from '#store/tables.ts';
import { requireFreeName } from './free-name.ts';
import { invitationOf, isOpen, stateOf } from './invitation-resource.ts';
import type { JoiningScope } from './joining-scope.ts';

/** How long an ended invitation is listed, in milliseconds. */
const listedMs = 24 * 60 * 60_000;

/** Invites a machine to join. The token is in the answer alone: only its hash is stored. */
export const inviteHostHandler = handler(
  inviteHost,
  async ({ name, labels: given = [] }, _caller, scope: JoiningScope) => {
    const labels = labelsOf(given);
    const token = `JOIN-${randomBytes(32).toString('base64url')}`;
    const { store, clock, ids, admission } = scope;
    const now = clock.now();
    const invitation: StoredInvitation = {
      id: ids.id('inv'),
      tokenHash: hashOf(token),
      name: name || null,
      labels,
      createdAt: now,
      expiresAt: now + invitationMs,
      endedAt: null,
      hostId: null,
    };
    await store.write(async (tables) => {
      if (name) await requireFreeName(tables, name, { now });
      await tables.hostInvitations.prune(now - listedMs);
      await tables.hostInvitations.insert(invitation);
      await tables.facts.append([
        { kind: 'host.invited', subjectId: invitation.id, detail: { ...(name && { name }) } },
      ]);
    });
    const { url, fingerprint } = admission.entrance;
    const notice = noticeAbout(url);
    return {
      invitation: invitationOf(invitation, now),
      command: `muster join ${joinAddressOf({ url, token, fingerprint })}`,
      ...(notice && { notice }),
    };
  },
);

/** Lists the invitations of the last day. */
export const listHostInvitationsHandler = handler(
  listHostInvitations,
  async (_request, _caller, { store, clock }: JoiningScope) => {
    const all = await store.read(({ hostInvitations }) => hostInvitations.all());
    const now = clock.now();
    const listed = all.filter(({ expiresAt }) => now - expiresAt < listedMs);
    return { invitations: listed.map((invitation) => invitationOf(invitation, now)) };
  },
);

/** Withdraws an invitation. */
export const withdrawHostInvitationHandler = handler(
  withdrawHostInvitation,
  ({ invitationId }, _caller, { store, clock }: JoiningScope) =>
    store.write(async (tables) => {
      const now = clock.now();
      const invitation = await findInvitation(tables, invitationId, now);
      if (stateOf(invitation, now) === 'HOST_INVITATION_STATE_USED') {
        throw new Failure(
          'INVITATION_USED',
          `A machine has joined with invitation ${invitation.id}, as host ${invitation.hostId}: remove_host removes it`,
        );
      }
      if (isOpen(invitation, now) && (await tables.hostInvitations.end(invitation.id, now, null))) {
        await tables.facts.append([{ kind: 'host.invitation-withdrawn', subjectId: invitation.id, detail: {} }]);
      }
      return { invitation: invitationOf((await tables.hostInvitations.find(invitation.id)) ?? invitation, now) };
    }),
);

/** Finds an invitation by its id, or the open or else newest one of a name. @throws INVITATION_NOT_FOUND */
async function findInvitation({ hostInvitations }: Tables, idOrName: string, now: number): Promise<StoredInvitation> {
  const all = await hostInvitations.all();
  const named = all.filter(({ name }) => name === idOrName);
  const found =
    all.find(({ id }) => id === idOrName) ?? named.find((invitation) => isOpen(invitation, now)) ?? named[0];
  if (found !== undefined) return found;
  throw new Failure(
    'INVITATION_NOT_FOUND',
    `There is no invitation ${quoted(idOrName)}: list_host_invitations lists those of the last day`,
  );
}

/** The labels of `key=value`. @throws INVALID_FIELD when a key occurs twice, or is the key of the name */
function labelsOf(given: readonly string[]): StoredInvitation['labels'] {
  const pairs = given.map(keyAndValue);
  for (const [at, [key]] of pairs.entries()) {
    if (key !== nameKey && pairs.findIndex(([other]) => other === key) === at) continue;
    throw new Failure(
      'INVALID_FIELD',
      `labels has ${quoted(given[at])}, and that key is ${key === nameKey ? 'for the name' : 'given twice'}: leave it out`,
      { field: `labels.${at}` },
    );
  }
  return Object.fromEntries(pairs);
}

/** Returns why other machines may be unable to reach an address. */
function noticeAbout(url: string): string | undefined {
  if (!isLoopback(new URL(url).hostname)) return undefined;
  return (
    `The line names ${url}, which only this machine reaches. For other machines, start muster again with MUSTER_BIND set to an ` +
    'address that they reach, such as MUSTER_BIND=0.0.0.0, and if its certificate is your own, with MUSTER_JOIN_URL set to the ' +
    'address that the certificate is for. Then invite again'
  );
}
