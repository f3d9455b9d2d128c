import { z } from 'zod';
import { enumeration, message, text } from '#contract/message.ts';

/** What separates an agent from the computer that it runs on. */
export const Isolation = enumeration('shared.v1.Isolation', {
  ISOLATION_UNSPECIFIED: 'Not given.',
  ISOLATION_NONE: 'Nothing: it reaches whatever the person who started its host reaches.',
  ISOLATION_SANDBOX:
    'A sandbox of the operating system: it has its own processes, home and network, and sees only its worktree and what is granted.',
  ISOLATION_CONTAINER:
    'A container of podman or Docker: as a sandbox, and in place of the programs of its host it sees those of the image in `grants.image`.',
});
export type Isolation = z.infer<typeof Isolation>;

/** What isolates an agent on its host. */
export const Runtime = z.enum(['sandbox', 'container']);
export type Runtime = z.infer<typeof Runtime>;

const runtimes: Readonly<Record<Isolation, Runtime | undefined>> = {
  ISOLATION_UNSPECIFIED: undefined,
  ISOLATION_NONE: undefined,
  ISOLATION_SANDBOX: 'sandbox',
  ISOLATION_CONTAINER: 'container',
};

/** The runtime that an isolation needs; undefined if it needs none. */
export function runtimeOf(isolation: Isolation | null | undefined): Runtime | undefined {
  return isolation == null ? undefined : runtimes[isolation];
}

/** The isolation by a runtime; undefined if there is none. */
export function isolationBy(runtime: Runtime | undefined): Isolation | undefined {
  return (Object.keys(runtimes) as Isolation[]).find((one) => runtime !== undefined && runtimes[one] === runtime);
}

/** Which network addresses an isolated agent reaches. */
export const NetworkAccess = enumeration('shared.v1.NetworkAccess', {
  NETWORK_ACCESS_UNSPECIFIED: 'Not given: as NETWORK_ACCESS_FILTERED.',
  NETWORK_ACCESS_OPEN: 'All that its host reaches, services on 127.0.0.1 included.',
  NETWORK_ACCESS_FILTERED: 'muster, the model hosts of its CLI, and what `hosts` and `loopbackPorts` name.',
  NETWORK_ACCESS_NONE: 'muster alone.',
});
export type NetworkAccess = z.infer<typeof NetworkAccess>;

/** A name with an optional `*.` in front and an optional port behind, or an address with an optional port. */
const hostForm = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$/;

/** A host in grants. */
export const GrantedHost = text(260).refine(
  (host) => hostForm.test(host) && !/^\*\.[^.]+$/.test(host),
  'must be a name such as registry.npmjs.org, *.example.com or example.com:8443',
);

const GrantedPath = text(4096).refine(
  (path) => /^(?:\/|~\/)/.test(path) && !path.includes('\0'),
  'must be absolute, or begin with ~/',
);

const Image = text(500).refine(
  (image) => image === '' || /^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/.test(image),
  'must be the name of an image, such as docker.io/library/node:24',
);

/** A limit, of which 0 is none. */
const limit = z.int32().min(0);

/**
 * What isolated agents may reach in addition to their worktree, their CLI's own files and muster, and what any agent may
 * use at most.
 */
export const Grants = message('shared.v1.Grants', {
  network: [1, NetworkAccess, 'Which network addresses they reach. Unset: filtered.'],
  hosts: [
    2,
    z.array(GrantedHost).max(200),
    'Names that the filtered network lets through: `registry.npmjs.org`, `*.example.com`, `example.com:8443`. Without a port: any.',
  ],
  loopbackPorts: [
    3,
    z.array(z.int32().min(1).max(65_535)).max(50),
    'Ports of services on 127.0.0.1 of their host that they may use.',
  ],
  readable: [
    4,
    z.array(GrantedPath).max(100),
    'Files and directories of their host that they may read. Absolute, or beginning with `~/`.',
  ],
  writable: [
    5,
    z.array(GrantedPath).max(100),
    'Files and directories of their host that they may change. Absolute, or beginning with `~/`.',
  ],
  image: [6, Image, 'The image whose programs agents in containers see. It must be on their host already.'],
  memoryMib: [
    7,
    limit,
    'How much memory each may use, in MiB, also without isolation: using more ends it. Unset: no limit.',
  ],
  maxProcesses: [
    8,
    limit,
    'How many processes and threads each may have at once, also without isolation: starting more ends it. Unset: no limit.',
  ],
  diskMib: [
    9,
    limit,
    'How much disk its own worktree and private files may take, in MiB, also without isolation: more ends it. Unset: no limit.',
  ],
  cpuPercent: [
    10,
    limit,
    'How much of one processor each may use, in percent, also without isolation: it is slowed down, not ended. Unset: no limit.',
  ],
});
export type Grants = z.infer<typeof Grants>;
