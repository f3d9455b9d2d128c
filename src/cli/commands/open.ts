import { spawn } from 'node:child_process';
import type { CliIo } from '../io.ts';
import type { Define } from '../session.ts';

/** `muster open` */
export const define: Define = (command, session) => {
  command
    .description(
      'Opens the page in your browser and signs it in: the address that it opens is good once, for 60 seconds. It is printed ' +
        'as well; open it yourself where no browser opens, such as over SSH with a forwarded port.',
    )
    .option('-p, --print', 'print the address alone and open nothing')
    .action(async ({ print = false }: { print?: boolean }) => {
      const { io } = session;
      const { baseUrl } = session.connection();
      const { oneTimeCode: code = '' } = await session.client().call('session.v1.SessionService/CreateSignInCode', {});
      const address = `${baseUrl}/#code=${code}`;
      io.stdout.write(`${address}\n`);
      if (print || !io.stdout.isTTY || !(await openBrowser(io, address))) {
        io.stderr.write('Open it within 60 seconds: it signs one browser in, once.\n');
      }
    });
};

/** Hands an address to the desktop; false where there is none. */
function openBrowser({ env }: CliIo, address: string): Promise<boolean> {
  if (process.platform !== 'darwin' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return Promise.resolve(false);
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  return new Promise((resolve) => {
    const child = spawn(opener, [address], { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
