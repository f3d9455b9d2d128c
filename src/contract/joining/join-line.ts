/** What a machine needs to join: the address, the token, and the certificate that the server must present. */
export interface JoinLine {
  /** The address of a gateway, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The SHA-256 of a certificate in base64url, which is in the chain of the gateway; undefined if any authority of the machine will do. */
  readonly fingerprint: string | undefined;
}

/** The form of a token: 32 random bytes. */
export const joinTokenForm = /^JOIN-[A-Za-z0-9_-]{43}$/;
const fragmentForm = /^#(JOIN-[A-Za-z0-9_-]{43})(?:\.([A-Za-z0-9_-]{43}))?$/;

/** The address that a person passes to `muster join`. Browsers and servers get no part of what follows the `#`. */
export function joinAddressOf({ url, token, fingerprint }: JoinLine): string {
  return `${url}#${token}${fingerprint === undefined ? '' : `.${fingerprint}`}`;
}

/** Reads such an address; undefined if it is none. */
export function readJoinAddress(address: string): JoinLine | undefined {
  const url = URL.parse(address);
  const [, token, fingerprint] = fragmentForm.exec(url?.hash ?? '') ?? [];
  if (url === null || token === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/') return undefined;
  return { url: url.origin, token, fingerprint };
}
