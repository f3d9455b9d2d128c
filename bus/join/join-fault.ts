import { errors } from '@nats-io/nats-core';
import type { BusMember } from '#contract/access/bus-member.ts';

/** Why a server of the bus cannot be joined: a reason from a closed list, and a text with the remedy. */
export interface JoinFault {
  readonly kind:
    | 'UNKNOWN_AUTHORITY'
    | 'WRONG_NAME'
    | 'EXPIRED'
    | 'HANDSHAKE'
    | 'REFUSED'
    | 'NO_ROUTE'
    | 'UNKNOWN_NAME'
    | 'SILENT'
    | 'NOT_ADMITTED'
    | 'NOT_NATS'
    | 'PLAIN'
    | 'OTHER';
  readonly words: string;
}

/** The context of a fault: the dialled address, and whether an authority is configured for it. */
export interface DialTarget {
  readonly server: string;
  readonly member: BusMember | undefined;
  readonly hasAuthority: boolean;
  /** How long a server may take to answer, in milliseconds. */
  readonly answersWithin: number;
}

type FaultExplainer = (error: CodedError, dialled: DialTarget) => string;

interface CodedError extends Error {
  readonly code?: unknown;
  readonly cert?: { readonly subjectaltname?: string };
  readonly host?: string;
}

const unknownAuthority: FaultExplainer = (_, { hasAuthority }) =>
  hasAuthority
    ? 'its certificate is not signed by the CA in MUSTER_BUS_CA: name the certificate of the CA that signed it'
    : 'its certificate is signed by a CA that this machine does not trust: name that CA’s certificate in MUSTER_BUS_CA';

const wrongName: FaultExplainer = ({ cert, host }) =>
  `its certificate is for ${cert?.subjectaltname || 'no name or address (subjectAltName)'}, and not for ${host}: ` +
  'give it a certificate for this name, or use its name in MUSTER_BUS_URL';

const expired: FaultExplainer = () =>
  'its certificate or that of its CA has expired: renew it, and check the clock of this machine';

const notYet: FaultExplainer = () => 'its certificate is not valid yet: check the clocks of both machines';

const refused: FaultExplainer = () =>
  'nothing listens there (connection refused): start the bus, or set its address in MUSTER_BUS_URL';

const noRoute: FaultExplainer = ({ code }) => `this machine cannot reach it (${code}): check networks and firewalls`;

const unknownName: FaultExplainer = ({ code }) =>
  `its name cannot be resolved (${code}): check the name, or this machine’s DNS`;

/** By the codes of Node and OpenSSL. */
const byCode: Readonly<Record<string, readonly [JoinFault['kind'], FaultExplainer]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['UNKNOWN_AUTHORITY', unknownAuthority],
  SELF_SIGNED_CERT_IN_CHAIN: ['UNKNOWN_AUTHORITY', unknownAuthority],
  UNABLE_TO_GET_ISSUER_CERT: ['UNKNOWN_AUTHORITY', unknownAuthority],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['UNKNOWN_AUTHORITY', unknownAuthority],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['UNKNOWN_AUTHORITY', unknownAuthority],
  CERT_UNTRUSTED: ['UNKNOWN_AUTHORITY', unknownAuthority],
  CERT_SIGNATURE_FAILURE: ['UNKNOWN_AUTHORITY', unknownAuthority],
  INVALID_CA: ['UNKNOWN_AUTHORITY', unknownAuthority],
  ERR_TLS_CERT_ALTNAME_INVALID: ['WRONG_NAME', wrongName],
  CERT_HAS_EXPIRED: ['EXPIRED', expired],
  CERT_NOT_YET_VALID: ['EXPIRED', notYet],
  ECONNREFUSED: ['REFUSED', refused],
  EHOSTUNREACH: ['NO_ROUTE', noRoute],
  ENETUNREACH: ['NO_ROUTE', noRoute],
  EHOSTDOWN: ['NO_ROUTE', noRoute],
  ENETDOWN: ['NO_ROUTE', noRoute],
  ETIMEDOUT: ['NO_ROUTE', noRoute],
  ENOTFOUND: ['UNKNOWN_NAME', unknownName],
  EAI_AGAIN: ['UNKNOWN_NAME', unknownName],
};

const notNats = 'the server there is not a NATS server: set the address of the bus in MUSTER_BUS_URL';

/** Explains an error of joining. */
export function joinFault(error: unknown, dialled: DialTarget): JoinFault {
  const fault = faultOf(error, dialled);
  const isOfTls = ['UNKNOWN_AUTHORITY', 'WRONG_NAME', 'EXPIRED', 'HANDSHAKE'].includes(fault.kind);
  if (!isOfTls || !dialled.server.startsWith('nats:')) return fault;
  const encrypted = dialled.server.replace('nats:', 'tls:');
  return { ...fault, words: `it uses TLS, so write ${encrypted} in MUSTER_BUS_URL; besides, ${fault.words}` };
}

function faultOf(error: unknown, dialled: DialTarget): JoinFault {
  if (error instanceof errors.AuthorizationError) {
    return {
      kind: 'NOT_ADMITTED',
      words: `it refuses this ${memberName(dialled.member)}: ${whyRefused(dialled.member)}`,
    };
  }
  if (error instanceof errors.TimeoutError) return { kind: 'SILENT', words: silent(dialled) };
  for (const one of causeChain(error)) {
    const code = String(one.code);
    const known = byCode[code];
    if (known !== undefined) return { kind: known[0], words: known[1](one, dialled) };
    if (/CERTIFICATE_REQUIRED/.test(code)) return { kind: 'HANDSHAKE', words: wantsOurs };
    if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)) {
      return {
        kind: 'HANDSHAKE',
        words: `client and server found no common encryption (${code}): check its certificate and TLS versions`,
      };
    }
    if (/does not support 'tls'/.test(one.message)) return { kind: 'PLAIN', words: plain };
    if (
      /unexpected response|undefined error/.test(one.message) ||
      one instanceof SyntaxError ||
      code === 'ECONNRESET'
    ) {
      return { kind: 'NOT_NATS', words: notNats };
    }
  }
  return { kind: 'OTHER', words: error instanceof Error ? error.message : String(error) };
}

const plain =
  'it does not use TLS, and muster sends nothing unencrypted: give it a certificate (`tls { … }`, as nats.conf shows)';

const wantsOurs =
  'it requires client certificates, and muster proves itself by credentials: remove `verify` from its `tls { … }`';

/** The text that names the member that a server refuses. */
export function memberName(member: BusMember | undefined): string {
  return member?.hostId === undefined ? (member?.kind ?? 'process') : `${member.kind} (${member.hostId})`;
}

/** The possible causes of a refusal, and the remedy. */
export function whyRefused(member: BusMember | undefined): string {
  if (member?.kind === 'host') {
    return 'it was removed, or its credential has ended, or is of another installation: make it another one with `muster bus-keys`';
  }
  if (member?.kind === 'registry')
    return 'the server trusts other keys than those in MUSTER_BUS_KEYS: give it their bus-trust.conf';
  return 'its credential is of another bus: make it again with `muster bus-keys`, from the keys that the server trusts';
}

const silent = ({ answersWithin }: DialTarget) =>
  `nothing there answers as a NATS server within ${answersWithin / 1_000} s: a firewall drops the packets, or another program listens there`;

/** An error and its causes, down to the first that is not an error. */
function causeChain(error: unknown): CodedError[] {
  const chain: CodedError[] = [];
  for (let one = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(one);
  return chain;
}
