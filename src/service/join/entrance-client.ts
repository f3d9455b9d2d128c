import { z } from 'zod';
import { refusalIn } from '#cli/client/refusal.ts';
import { Failure } from '#contract/failure.ts';
import type { JoinLine } from '#contract/joining/join-line.ts';
import { gatewayFault, isUnknownAuthority } from '#world/net/gateway-probe.ts';
import { shownCertificate } from '#world/net/pinned-certificate.ts';
import { postJson } from '#world/net/post-json.ts';

/** A gateway as a machine that joins reaches it. */
export interface EntranceClient {
  /** The certificate that proves it, in PEM; undefined for those that this machine trusts. */
  readonly certificate: string | undefined;
  /**
   * Posts a request, and returns the answer.
   * @throws Failure of the registry; JOIN_UNREACHABLE when the gateway does not answer; JOIN_SERVER_MISTAKEN when
   *   something else does
   */
  ask<S extends z.ZodType>(path: string, request: object, answer: S): Promise<z.output<S>>;
}

/** Finds the certificate of a line's fingerprint at its gateway. @throws as `EntranceClient.ask` */
export async function entranceAt({ url, fingerprint }: JoinLine): Promise<EntranceClient> {
  if (fingerprint === undefined) return entranceWith(url, undefined);
  if (!url.startsWith('https:')) {
    throw new Failure('JOIN_LINE_INVALID', `The line names a certificate, and ${url} uses none: copy the whole line`);
  }
  const shown = await shownCertificate(url, fingerprint).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  if ('pem' in shown) return entranceWith(url, shown.pem);
  throw new Failure(
    'JOIN_SERVER_MISTAKEN',
    `The server at ${url} has another certificate than this line says (${shown.instead}): another server answers there, ` +
      'or its certificate was replaced. Nothing was sent to it. Run `muster host invite` again, where the registry runs',
  );
}

/** A gateway that a certificate proves. */
export function entranceWith(url: string, certificate: string | undefined): EntranceClient {
  return {
    certificate,
    async ask(path, request, answer) {
      const { status, body } = await postJson(new URL(path, url), request, certificate).catch((error: unknown) => {
        throw isUnknownAuthority(error) && certificate === undefined ? unproven(url) : unreachable(url, error);
      });
      const { data, success } = status === 200 ? answer.safeParse(body) : { success: false };
      if (success) return data as z.output<typeof answer>;
      const refusal = status === 200 || status === 404 ? undefined : Refusal.safeParse(body).data;
      if (refusal !== undefined) throw await refusalIn(refusal);
      throw new Failure(
        'JOIN_SERVER_MISTAKEN',
        `The server at ${url} is not muster, or a version that machines cannot join yet (HTTP ${status}): check the ` +
          'address, and update muster there',
      );
    },
  };
}

const Refusal = z.looseObject({ code: z.string(), message: z.string() });

/** A line without a fingerprint is for a certificate that this machine trusts already: otherwise its end is missing. */
function unproven(url: string): Failure {
  return new Failure(
    'JOIN_LINE_INVALID',
    `This machine does not know the authority that signed the certificate of ${url}, and the line does not name it: copy ` +
      'the whole line, to its last character. If it is whole, NODE_EXTRA_CA_CERTS names the authority’s certificate',
  );
}

function unreachable(url: string, cause: unknown): Failure {
  return new Failure(
    'JOIN_UNREACHABLE',
    `This machine cannot reach ${url}: ${gatewayFault(cause)}. Check that muster runs there, networks and firewalls`,
    { cause },
  );
}
