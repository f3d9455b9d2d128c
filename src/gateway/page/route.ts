import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageFolders } from '#contract/page-folder.ts';
import { onUnknown } from '../failure-reply.ts';
import { onFrontPage } from '../front-page.ts';
import { type PageFiles, readPage } from './files.ts';

/** How long a browser may keep a file whose name changes with its content, in seconds. */
const keepSeconds = 31_536_000;

/**
 * What the page may do: load its own files and call its own gateway, and nothing else. Styles that a script makes (a
 * terminal's, a diff's) carry the nonce of the answer.
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

/** What a worker that is made of a script may do: load others of the page. It calls nobody, the gateway neither. */
const workerPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

/**
 * Serves the page that stands in a folder: its HTML at `/` and at every address of its screens, its files under `/assets/`.
 * A program that asks for `/` is told what this is, as anybody is where no page was built.
 */
export function routePage(app: FastifyInstance, folder: string): void {
  const page = readPage(folder);
  app.get('/', (request, reply) =>
    page !== undefined && wantsHtml(request) ? sendPage(page, reply) : onFrontPage(request, reply),
  );
  if (page === undefined) return;
  for (const one of pageFolders) {
    for (const path of [`/${one}`, `/${one}/*`]) app.get(path, (_request, reply) => sendPage(page, reply));
  }
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => sendAsset(page, request, reply));
}

function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendPage(page: PageFiles, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('vary', 'Accept')
    .header('content-security-policy', policy(nonce))
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()')
    .type('text/html; charset=utf-8')
    .send(page.html(nonce));
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
