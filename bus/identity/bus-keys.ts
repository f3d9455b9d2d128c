import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  type KeyPair,
} from '@nats-io/jwt';
import { type BusMember, busUsers } from '#contract/access/bus-member.ts';
import { keyPairOf, seedOf } from './nkey.ts';
import { rightsOf } from './rights.ts';

/**
 * The seeds of the keys with which muster certifies members of its bus. In the terms of NATS: the operator that servers
 * trust, the account that all members are users of, and the system account that sends changes.
 */
export interface BusKeys {
  readonly operator: string;
  readonly account: string;
  readonly system: string;
}

/** The configuration with which a nats-server authenticates the members of the bus. */
export interface ServerTrust {
  /** The operator's claims, as a JWT. */
  readonly operator: string;
  /** The public key of the system account. */
  readonly systemAccount: string;
  /** The claims of each account, as a JWT, by its public key. */
  readonly accounts: Readonly<Record<string, string>>;
}

/** A member's key. The seed never leaves the member's machine. */
export interface MemberKey {
  readonly publicKey: string;
  readonly seed: string;
}

/** The revoked keys: for the public key of each member, the time of its revocation, in seconds since 1970. */
export type Revocations = Readonly<Record<string, number>>;

const unlimited = {
  conn: -1,
  data: -1,
  disallow_bearer: true,
  exports: -1,
  imports: -1,
  leaf: -1,
  payload: -1,
  subs: -1,
  wildcards: true,
};
/** How many answers to one request a member may publish, and for how many nanoseconds. */
const answers = { max: 1_024, ttl: 600 * 1e9 };

/** Creates the keys of a new bus. */
export function makeBusKeys(): BusKeys {
  return {
    operator: seedOf(createOperator()),
    account: seedOf(createAccount()),
    system: seedOf(createAccount()),
  };
}

/** Creates the key of a new member. */
export function makeMemberKey(): MemberKey {
  const seed = seedOf(createUser());
  return { publicKey: keyPairOf(seed).getPublicKey(), seed };
}

/** The trust anchors of the servers of a bus. */
export async function trustOf(keys: BusKeys, revocations: Revocations = {}): Promise<ServerTrust> {
  const [operator, account, system] = [keys.operator, keys.account, keys.system].map(keyPairOf) as [
    KeyPair,
    KeyPair,
    KeyPair,
  ];
  const systemAccount = system.getPublicKey();
  return {
    operator: await encodeOperator('muster', operator, { system_account: systemAccount }),
    systemAccount,
    accounts: {
      [account.getPublicKey()]: await accountClaims(keys, revocations),
      [systemAccount]: await encodeAccount('system', system, { limits: unlimited }, { signer: operator }),
    },
  };
}

/** The public key of muster's account. */
export function accountKeyOf({ account }: BusKeys): string {
  return keyPairOf(account).getPublicKey();
}

/** The claims of muster's account, as a JWT, with the revoked keys. */
export function accountClaims({ operator, account }: BusKeys, revocations: Revocations): Promise<string> {
  const claims = { limits: unlimited, revocations: { ...revocations } };
  return encodeAccount('muster', keyPairOf(account), claims, { signer: keyPairOf(operator) });
}

/** Certifies a member's key, as a JWT, until `expiresAt`, in seconds since 1970, or without an end. */
export function certify(keys: BusKeys, member: BusMember, publicKey: string, expiresAt?: number): Promise<string> {
  const { publish, subscribe, answers: mayAnswer } = rightsOf(member);
  const rights = {
    pub: { allow: [...publish] },
    sub: { allow: [...subscribe] },
    ...(mayAnswer && { resp: answers }),
    data: -1,
    payload: -1,
    subs: -1,
  };
  const until = expiresAt === undefined ? {} : { exp: expiresAt };
  return encodeUser(memberText(member), publicKey, keyPairOf(keys.account), rights, until);
}

/**
 * The name of a member in its certificate: the id of a host, or the kind of another member, with the host that it runs
 * on.
 */
export function memberText({ kind, hostId }: BusMember): string {
  if (hostId === undefined) return kind;
  return kind === 'host' ? hostId : `${kind}.${hostId}`;
}

/** Parses the member from the name in a certificate. */
export function memberNamed(name: string): BusMember {
  const [first = '', hostId] = name.split('.');
  const kind = busUsers.find((user) => user === first);
  return kind === undefined ? { kind: 'host', hostId: name } : { kind, ...(hostId !== undefined && { hostId }) };
}

/** Certifies a key that may change accounts. */
export function certifyForSystem({ system }: BusKeys, publicKey: string, expiresAt: number): Promise<string> {
  return encodeUser('system', publicKey, keyPairOf(system), { data: -1, payload: -1, subs: -1 }, { exp: expiresAt });
}
