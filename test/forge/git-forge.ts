import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { headersOf, textOf } from './doubles/double.ts';
import { giteaDouble } from './doubles/gitea.ts';
import { ForgeWorld, type Pull, pull } from './doubles/world.ts';

/** A forge on loopback that takes pushes by git's own server and opens a pull request for each new branch. */
export interface GitForge {
  readonly world: ForgeWorld;
  /** Such as `127.0.0.1:41234`. */
  readonly host: string;
  readonly repositoryUrl: string;
  readonly pulls: readonly Pull[];
  /** Changes a pull request. */
  change(number: number, over: Partial<Pull>): void;
  close(): Promise<void>;
}

/** Starts it with the repository `acme/app` in a folder, in which there is one commit on main. */
export async function gitForge(folder: string): Promise<GitForge> {
  const root = join(folder, 'served');
  const bare = join(root, 'acme', 'app.git');
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q', '--bare', '-b', 'main', bare);
  git('-C', bare, 'config', 'http.receivepack', 'true');
  const world = new ForgeWorld();
  const app = world.repository('acme/app');
  const double = giteaDouble(world);
  const noteBranches = () => {
    const tips = git('-C', bare, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads').trim();
    for (const [branch = '', headSha = ''] of tips.split('\n').map((line) => line.split(' '))) {
      const known = app.pulls.find((one) => one.branch === branch);
      const at = new Date().toISOString();
      if (branch === 'main' || known?.headSha === headSha) continue;
      if (known !== undefined) change(known.number, { headSha, updatedAt: at, checks: [] });
      else {
        const number = app.pulls.length + 1;
        app.pulls = [...app.pulls, pull(number, { branch, headSha, createdAt: at, updatedAt: at })];
      }
    }
  };
  const change = (number: number, over: Partial<Pull>): void => {
    app.pulls = app.pulls.map((one) => (one.number === number ? { ...one, ...over } : one));
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/acme/app.git/')) serveGit(root, request, response, noteBranches);
    else void serveForge(request, response);
  });
  const serveForge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const answer = await double({ method: request.method ?? 'GET', url, headers, body });
    response.writeHead(answer.status, headersOf(answer)).end(textOf(answer));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(world, { web: `http://${host}` });
  return {
    world,
    host,
    repositoryUrl: `http://${host}/acme/app.git`,
    get pulls() {
      return app.pulls;
    },
    change,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Hands a request to `git http-backend`, as a web server does. */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse, pushed: () => void): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'agent',
      REMOTE_ADDR: '127.0.0.1',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const lines = answer.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
    const status = Number(/^\d+/.exec(headers['Status'] ?? '')?.[0] ?? 200);
    if (pathname.endsWith('/git-receive-pack')) pushed();
    response.writeHead(status, headers).end(answer.subarray(end + 4));
  });
}
