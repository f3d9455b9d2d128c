import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import type { Endpoint } from '#bus/bus.ts';
import { invitationSubject, joinSubject, renewalSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import {
  type JoinAnswer,
  JoinProtocol,
  JoinRequest,
  joinProtocol,
  PreviewRequest,
  RenewalRequest,
} from '#contract/wire/host-joining.ts';
import type { StoredInvitation } from '#store/joining/host-invitation-entity.ts';
import type { StoredJoinedHost } from '#store/joining/joined-host-entity.ts';
import type { Tables } from '#store/tables.ts';
import { certify, renewByProof } from './certificates.ts';
import { requireFreeName } from './free-name.ts';
import { stateOf } from './invitation-resource.ts';
import type { JoiningScope } from './joining-scope.ts';

/** The endpoints at which a gateway presents and redeems the token of an invitation. */
export function joinEndpoints(scope: JoiningScope): readonly Endpoint[] {
  const { busUrl: url, busAuthority: authority } = scope.admission.entrance;
  const bus = { url, ...(authority !== undefined && { authority }) };
  return [
    {
      name: 'invitation',
      subject: invitationSubject,
      secret: true,
      async handle(body) {
        requireProtocol(body);
        const { token, name: own, ...keys } = parseRequest(PreviewRequest, body);
        const now = scope.clock.now();
        return scope.store.read(async (tables) => {
          const earlier = await repeated(tables, token, keys, now);
          if (earlier !== undefined) return { name: earlier.name, bus };
          const invitation = await openInvitation(tables, token, now);
          return { name: await nameOf(tables, invitation, own, now), bus };
        });
      },
    },
    {
      name: 'join',
      subject: joinSubject,
      secret: true,
      async handle(body) {
        requireProtocol(body);
        return { ...(await join(scope, parseRequest(JoinRequest, body))), bus } satisfies JoinAnswer;
      },
    },
    {
      name: 'renewal',
      subject: renewalSubject,
      secret: true,
      handle: (body) => renewByProof(scope, parseRequest(RenewalRequest, body)),
    },
  ];
}

/** @throws JOIN_PROTOCOL_UNSUPPORTED when the machine speaks a protocol that this registry does not */
function requireProtocol(body: unknown): void {
  const { protocol, version } = parseRequest(JoinProtocol, body);
  const { min, max } = joinProtocol;
  if (protocol >= min && protocol <= max) return;
  const mend = protocol < min ? 'update muster on the machine that joins' : 'update muster where the registry runs';
  throw new Failure(
    'JOIN_PROTOCOL_UNSUPPORTED',
    `The machine runs muster ${version || 'of an unknown version'}, which joins by protocol ${protocol}, and the ` +
      `registry accepts ${min === max ? min : `${min} to ${max}`}: ${mend}`,
  );
}

/** Exchanges the token of an invitation for certificates. A repeat gets the same answer. */
async function join(scope: JoiningScope, { token, name: own, hostKey, gatewayKey }: JoinRequest) {
  const { store, clock, ids, certificateMs, holder, log } = scope;
  const now = clock.now();
  const newId = ids.id('hst');
  const host = await store.write(async (tables) => {
    const earlier = await repeated(tables, token, { hostKey, gatewayKey }, now);
    if (earlier !== undefined) {
      await tables.joinedHosts.certify(earlier.hostId, now + certificateMs);
      return { ...earlier, certifiedUntil: now + certificateMs };
    }
    const invitation = await openInvitation(tables, token, now);
    await requireNewKeys(tables, [hostKey, gatewayKey]);
    const joined: StoredJoinedHost = {
      hostId: newId,
      name: await nameOf(tables, invitation, own, now),
      labels: invitation.labels,
      hostKey,
      gatewayKey,
      joinedAt: now,
      certifiedUntil: now + certificateMs,
      removedAt: null,
    };
    await tables.hostInvitations.end(invitation.id, now, newId);
    await tables.joinedHosts.insert(joined);
    const detail = { name: joined.name, invitation: invitation.id };
    await tables.facts.append([{ kind: 'host.joined', subjectId: newId, detail }]);
    return joined;
  });
  log.info({ hostId: host.hostId, name: host.name }, 'a machine joined as a host');
  const { hostId, name } = host;
  return { hostId, name, installation: holder.installation, certificates: await certify(scope, host) };
}

/**
 * The host that joined with this token by these keys, unless it was removed or the invitation's time is over. Until
 * then a machine may repeat the request, because the answer may have been lost.
 */
async function repeated(
  { hostInvitations, joinedHosts }: Tables,
  token: string,
  keys: { readonly hostKey?: string | undefined; readonly gatewayKey?: string | undefined },
  now: number,
): Promise<StoredJoinedHost | undefined> {
  const { hostId, expiresAt = 0 } = (await hostInvitations.findByToken(hashOf(token))) ?? {};
  const joined = hostId == null || expiresAt <= now ? undefined : await joinedHosts.find(hostId);
  if (joined === undefined || joined.removedAt != null) return undefined;
  return joined.hostKey === keys.hostKey && joined.gatewayKey === keys.gatewayKey ? joined : undefined;
}

async function openInvitation({ hostInvitations }: Tables, token: string, now: number): Promise<StoredInvitation> {
  const invitation = await hostInvitations.findByToken(hashOf(token));
  const again = 'run `muster host invite` again, where the registry runs';
  if (invitation === undefined) {
    throw new Failure(
      'INVITATION_UNKNOWN',
      `This installation did not issue the token of this line: copy the whole line, or ${again}`,
    );
  }
  const { id } = invitation;
  switch (stateOf(invitation, now)) {
    case 'HOST_INVITATION_STATE_USED':
      throw new Failure('INVITATION_USED', `A machine has joined with this line already, and it works once: ${again}`);
    case 'HOST_INVITATION_STATE_WITHDRAWN':
      throw new Failure('INVITATION_WITHDRAWN', `A person withdrew this invitation (${id}): ${again}`);
    case 'HOST_INVITATION_STATE_EXPIRED':
      throw new Failure('INVITATION_EXPIRED', `This line is older than 15 minutes: ${again}`);
    default:
      return invitation;
  }
}

async function nameOf(tables: Tables, { id, name }: StoredInvitation, own: string, now: number): Promise<string> {
  await requireFreeName(tables, name ?? own, { now, invitationId: id });
  return name ?? own;
}

/** @throws JOIN_NOT_POSSIBLE when a host has one of these keys, or had it before it was removed */
async function requireNewKeys({ joinedHosts }: Tables, keys: readonly string[]): Promise<void> {
  const isKnown = (await joinedHosts.all()).some(({ hostKey, gatewayKey }) =>
    [hostKey, gatewayKey].some((key) => keys.includes(key)),
  );
  if (!isKnown && new Set(keys).size === keys.length) return;
  throw new Failure('JOIN_NOT_POSSIBLE', 'Another host has, or had, one of these keys: make new ones');
}
