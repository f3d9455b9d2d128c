import type { RevocationList } from '@nats-io/jwt';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import {
  accountClaims,
  accountKeyOf,
  type BusKeys,
  certifyForSystem,
  makeMemberKey,
  type Revocations,
} from '#bus/identity/bus-keys.ts';
import { readClaims } from '#bus/identity/claims.ts';
import { Failure } from '#contract/failure.ts';
import { serversOf, wantsTls } from './address.ts';
import { checkIdentity } from './identity-check.ts';
import { joinFault } from './join-fault.ts';

/** The subjects at which servers accept new claims of accounts, and return the current ones. */
const updateSubject = '$SYS.REQ.CLAIMS.UPDATE';
const lookupSubject = (account: string) => `$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`;
/** How long the bus may take to accept the connection, and then the claims, in milliseconds. */
const answersWithin = 3_000;
/** How long the certificate for it is valid, in seconds. */
const validFor = 60;
/** How often claims are sent until the servers have them: others may change them at the same time. */
const maxAttempts = 5;

/** A bus on which to revoke credentials. */
export interface RevocationTarget {
  /** Its addresses, separated by commas. */
  readonly url: string;
  /** PEM certificates of the CA of its servers; by default the CAs that this machine trusts. */
  readonly authority: string | undefined;
  readonly keys: BusKeys;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Revokes keys on the running servers of a bus, in addition to those that are revoked already. The servers end the
 * connections of their holders at once. Does nothing if all are revoked already.
 * @throws BUS_UNAVAILABLE when no server is reached or one does not accept it
 */
export async function revokeOnBus(
  { url, authority, keys, now }: RevocationTarget,
  revocations: Revocations,
): Promise<void> {
  const { publicKey, seed } = makeMemberKey();
  const jwt = await certifyForSystem(keys, publicKey, Math.floor(now / 1_000) + validFor);
  const tls = { ...(authority === undefined ? {} : { ca: authority }), checkServerIdentity: checkIdentity };
  const connection = await connect({
    servers: serversOf(url),
    authenticator: authenticatorOf({ jwt: () => jwt, seed }),
    ...(wantsTls(url) ? { tls } : { ignoreClusterUpdates: true }),
    timeout: answersWithin,
    reconnect: false,
  }).catch((error: unknown) => {
    const dialled = { server: url, member: undefined, hasAuthority: authority !== undefined, answersWithin };
    throw new Failure('BUS_UNAVAILABLE', `The bus cannot be joined: ${joinFault(error, dialled).words}`);
  });
  try {
    await update(connection, keys, revocations);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('BUS_UNAVAILABLE', `The bus at ${url} did not accept the revocation: ${why}`, { cause: error });
  } finally {
    await connection.close();
  }
}

/** Adds revocations to the account's claims, until the servers show that they have them. */
async function update(connection: NatsConnection, keys: BusKeys, added: Revocations): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await knownTo(connection, keys);
    const missing = Object.entries(added).filter(([key, time]) => (known[key] ?? -1) < time);
    if (missing.length === 0) return;
    if (attempt > maxAttempts) throw new Error('it keeps other claims: check whether its clock is right');
    const claims = await accountClaims(keys, { ...known, ...Object.fromEntries(missing) });
    const answer = await connection.request(updateSubject, claims, { timeout: answersWithin });
    const { data } = answer.json<{ data?: { code?: number } }>();
    if (data?.code !== 200) throw new Error(`it answered ${answer.string()}`);
  }
}

/** The keys that are revoked on the servers now. */
async function knownTo(connection: NatsConnection, keys: BusKeys): Promise<RevocationList> {
  const answer = await connection.request(lookupSubject(accountKeyOf(keys)), '', { timeout: answersWithin });
  return readClaims<{ revocations?: RevocationList }>(answer.string()).nats.revocations ?? {};
}
