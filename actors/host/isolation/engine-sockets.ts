import { Failure } from '#contract/failure.ts';
import { pathsMatching } from '#world/file/files-in.ts';
import { realPath } from '#world/isolation/mount.ts';

/** Where engines that run in a virtual machine have theirs, in the home of who runs them. A star is the name of a machine. */
const inHome = [
  ...['.docker/desktop', '.docker/run', '.rd', '.colima/*', '.config/colima/*'].map(
    (folder) => `${folder}/docker.sock`,
  ),
  ...['.colima/*', '.config/colima/*'].map((folder) => `${folder}/containerd.sock`),
  '.lima/*/sock/*.sock',
  '.local/share/containers/podman/machine/*.sock',
  '.local/share/containers/podman/machine/*/*.sock',
];

/**
 * The sockets of container engines that are here. Who reaches one of them can do what root can, or the person.
 * @param environment the host's, which may name further ones
 */
export function engineSockets(environment: Readonly<Record<string, string>>): string[] {
  const folders = ['/run', '/var/run', `/run/user/${process.getuid?.() ?? 0}`];
  const usual = folders.flatMap((folder) => [
    `${folder}/docker.sock`,
    `${folder}/podman/podman.sock`,
    `${folder}/containerd/containerd.sock`,
  ]);
  const named = ['DOCKER_HOST', 'CONTAINER_HOST'].flatMap((name) => environment[name] ?? []);
  const home = environment['HOME'];
  const paths = [
    ...usual,
    ...(home ? pathsMatching(home, inHome) : []),
    ...named.filter((url) => url.startsWith('unix://')).map((url) => url.slice('unix://'.length)),
  ];
  return [...new Set(paths.flatMap((path) => realPath(path) ?? []))];
}

/** The refusal of a grant that shows an engine's socket. */
export function showsEngine(path: string): Failure {
  return new Failure(
    'ISOLATION_UNSAFE',
    `cannot be isolated: the workflow grants ${path}, which shows the socket of a container engine. Grant other folders`,
  );
}
