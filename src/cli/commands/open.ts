import { spawn } from 'node:child_process';
import { InvalidArgumentError } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { pageOrigin } from '#contract/access/page-address.ts';

/** How long a code is valid, in milliseconds. */
const goodForMs = 60_000;

/** `muster open` */
export const define: Define = (command, session) => {
  command
    .description(
      'Opens the page in your browser and signs it in, with an address that works once, within 60 seconds. The address is printed ' +
        'too: open it yourself if no browser opens, or if yours cannot read hidden folders (snap and ' +
        'flatpak). Over SSH, forward a port first (ssh -L 9000:127.0.0.1:7433 HOST), run ' +
        'muster open --print --port 9000 on the HOST, and open the printed address on your own machine.',
    )
    .option('-p, --print', 'only print the address, and open nothing')
    .option(
      '--port <port>',
      'the port where your browser reaches the service, such as that of an SSH tunnel',
      wholePort,
    )
    .action(async ({ print = false, port }: { print?: boolean; port?: number }) => {
      const { io } = session;
      const page = new URL(pageOrigin(session.connection().baseUrl));
      if (port !== undefined) page.port = String(port);
      const { oneTimeCode: code = '' } = await session.client().call('session.v1.SessionService/CreateSignInCode', {});
      const address = `${page.origin}/#code=${code}`;
      io.stdout.write(`${address}\n`);
      if (print || !io.stdout.isTTY || !(await openBrowser(session, address))) {
        io.stderr.write('Open it within 60 seconds: it signs one browser in, once.\n');
      }
    });
};

/** Parses a port. @throws InvalidArgumentError when it is not one */
function wholePort(given: string): number {
  const port = Number(given);
  if (/^[0-9]{1,5}$/.test(given) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a port from 1 to 65535, such as 9000.');
}

/**
 * Opens an address in the desktop's browser; false if that is impossible. Every user of the computer can read a
 * program's arguments, so the browser gets the path of a private page that redirects to the address.
 */
async function openBrowser({ io, local: open }: Session, address: string): Promise<boolean> {
  const { env } = io;
  const isMac = process.platform === 'darwin';
  if (!isMac && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return false;
  const local = await open();
  const opener = local.program(isMac ? 'open' : 'xdg-open', env['PATH'] ?? '');
  if (opener === undefined) return false;
  const page = local.signInPage(address, goodForMs);
  return new Promise((resolve) => {
    const child = spawn(opener, [page], { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
