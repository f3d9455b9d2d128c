import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageOrigin, signedOutBy } from '#contract/access/page-address.ts';
import { pageFolders } from '#contract/access/page-folder.ts';
import { onUnknown } from '#gateway/http/failure-reply.ts';
import { onFrontPage } from '#gateway/rpc/front-page.ts';
import { type PageFiles, readPage } from './files.ts';
import type { ProofContext } from './session-proof.ts';

/** How long a browser may cache a file whose name contains a hash of its content, in seconds. */
const keepSeconds = 31_536_000;

/**
 * The page's content security policy: it may load its own files and call its own gateway, and nothing else. Style
 * elements that a script creates (of a terminal or a diff) need the nonce of the answer.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The policy of a worker: it may load other scripts of the page, and make no requests, not even to the gateway. */
const workerPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

/** The dependencies of serving the page. */
export interface PageContext extends ProofContext {
  readonly folder: string;
  /** The public address of the service. */
  readonly baseUrl: () => string;
}

/** The session cookie of earlier releases. */
const earlierCookie = /(?:^|; )((?:__Host-)?muster_[0-9]+)=mss_/;

/**
 * A path that a person may have typed or bookmarked: only of words, so neither a file nor a call, and no other origin.
 */
const wordsPath = /^(?!\/assets\/)(?:\/[\w-]+)+\/?(?:\?|$)/;

/**
 * Serves the built page: its HTML at `/` and at the addresses of its screens, its files under `/assets/`. A browser
 * that uses another name of the service is redirected to the page's own. A program that requests `/` gets the index, as
 * everybody does if no page was built. Returns the handler of unknown addresses: for a browser, the page reports them.
 */
export function routePage(app: FastifyInstance, context: PageContext): typeof onUnknown {
  const page = readPage(context.folder);
  const send = (request: FastifyRequest, reply: FastifyReply, files: PageFiles): FastifyReply =>
    sendElsewhere(request, reply, context) ?? sendPage(files, reply, context.nonces.current);
  app.get('/', (request, reply) =>
    page !== undefined && wantsHtml(request) ? send(request, reply, page) : onFrontPage(request, reply),
  );
  if (page === undefined) return onUnknown;
  for (const one of pageFolders) {
    for (const path of [`/${one}`, `/${one}/*`]) app.get(path, (request, reply) => send(request, reply, page));
  }
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => sendAsset(page, request, reply));
  return (request, reply) =>
    request.method === 'GET' && wantsHtml(request) && wordsPath.test(request.url)
      ? send(request, reply.code(404), page)
      : onUnknown(request, reply);
}

function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/**
 * Redirects a browser to the page's address. A browser that an earlier release had signed in learns that it no longer
 * is.
 */
function sendElsewhere(request: FastifyRequest, reply: FastifyReply, context: PageContext): FastifyReply | undefined {
  const here = context.pageOriginOf(request);
  // A cookie that another port has set is sent every time, so it is reported only once.
  const isReported = request.url.includes(`${signedOutBy.name}=`);
  const [, earlier] = isReported ? [] : (earlierCookie.exec(request.headers.cookie ?? '') ?? []);
  if (here !== undefined && earlier === undefined) return undefined;
  const to = new URL(here ?? elsewhere(request, context.baseUrl()));
  const [path = '/', search = ''] = request.url.split(/\?(.*)/s);
  Object.assign(to, { pathname: path, search });
  if (earlier !== undefined) {
    const secure = earlier.startsWith('__Host-') ? '; Secure' : '';
    reply.header('set-cookie', `${earlier}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0${secure}`);
    to.searchParams.set(signedOutBy.name, signedOutBy.update);
  }
  return reply.header('vary', 'Accept, Cookie').redirect(to.href, 307);
}

/** The address with the page's own name and this port. */
function elsewhere({ raw }: FastifyRequest, baseUrl: string): string {
  const origin = new URL(pageOrigin(baseUrl));
  origin.port = String(raw.socket.localPort);
  return origin.origin;
}

function sendPage(page: PageFiles, reply: FastifyReply, proofNonce: string): FastifyReply {
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('vary', 'Accept')
    .header('content-security-policy', policy(nonce))
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()')
    .type('text/html; charset=utf-8')
    .send(page.html(nonce, proofNonce));
}

function sendAsset(
  page: PageFiles,
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): FastifyReply {
  const file = page.asset(request.params.name);
  if (file === undefined) return onUnknown(request, reply);
  const accepts = String(request.headers['accept-encoding'] ?? '');
  const form = (['br', 'gzip'] as const).find(
    (name) =>
      file[name] !== undefined && new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepts),
  );
  reply.header('vary', 'Accept-Encoding').header('cache-control', `public, max-age=${keepSeconds}, immutable`);
  if (form !== undefined) reply.header('content-encoding', form);
  if (file.type.startsWith('text/javascript')) reply.header('content-security-policy', workerPolicy);
  return reply.type(file.type).send(form === undefined ? file.plain : file[form]);
}
