import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The image of tests: programs of this machine with their libraries, because nothing is downloaded. */
export const testImage = 'localhost/muster-test:1';

const programs =
  'sh bash cat ls socat git env readlink head grep setsid sleep awk cut id ln rm mv wc mount unshare getent curl tmux test uname mkdir dirname nohup sed tr tail perl'.split(
    ' ',
  );

/** Settings of podman for a machine whose control groups are of both versions, where crun does not work. */
export function engineSettings(): Record<string, string> {
  if (!existsSync('/sys/fs/cgroup/unified')) return {};
  return { CONTAINERS_CONF: fileURLToPath(new URL('runc.conf', import.meta.url)) };
}

/** Whether podman is here and answers. */
export function engineWorks(): boolean {
  return process.platform === 'linux' && spawnSync('podman', ['info'], { stdio: 'ignore' }).status === 0;
}

/** Makes the image, unless it is there. */
export function makeTestImage(folder: string): void {
  const env = { ...process.env, ...engineSettings() };
  if (spawnSync('podman', ['image', 'exists', testImage], { env }).status === 0) return;
  const paths = programs.flatMap(
    (name) =>
      spawnSync('sh', ['-c', `command -v ${name}`])
        .stdout.toString()
        .trim() || [],
  );
  const found = paths.filter((path) => path.startsWith('/'));
  const libraries = [...found, process.execPath].flatMap((path) => {
    const { stdout } = spawnSync('ldd', [realpathSync(path)], { encoding: 'utf8' });
    return stdout.match(/\/[^ )\n:]+/g) ?? [];
  });
  const files = [
    '/bin/sh',
    '/bin/bash',
    ...found,
    ...libraries,
    '/usr/lib/git-core',
    '/usr/lib/locale/C.utf8',
    '/etc/passwd',
    '/etc/nsswitch.conf',
  ];
  const list = [...new Set(files)].filter((path) => existsSync(path)).map((path) => path.slice(1));
  const tar = join(folder, 'image.tar');
  execFileSync('tar', ['-ch', '-C', '/', '-f', tar, ...list]);
  execFileSync('podman', ['import', tar, testImage], { env, stdio: 'ignore' });
}
