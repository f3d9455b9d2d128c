/** How a call is refused: by the number of the error that its program gets. */
const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

/**
 * Calls that reach what no namespace separates: the keyrings of the person, the log of the kernel, files by their handles,
 * and parts of the kernel that agents have no use for. Rings of requests make calls that no filter sees.
 */
export const refusedCalls = [
  ...['add_key', 'request_key', 'keyctl'],
  'syslog',
  'open_by_handle_at',
  ...['bpf', 'perf_event_open', 'userfaultfd'],
  ...['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
] as const;

/**
 * Families of sockets that a network namespace separates: Unix, IPv4, IPv6 and netlink. One of another family may reach the
 * machine that runs this one (vsock).
 */
export const socketFamilies = [1, 2, 10, 16] as const;

/** Requests to a terminal: to type into it (TIOCSTI), to paste (TIOCLINUX), and to change what the kernel makes of it (TIOCSETD). */
const terminalRequests = [0x5412, 0x541c, 0x5423] as const;

/** The numbers of calls on a kind of processor. */
interface Architecture {
  /** As the kernel names it in `AUDIT_ARCH_…`. */
  readonly id: number;
  /** Those of `refusedCalls`, in their order. */
  readonly refused: readonly number[];
  readonly socket: number;
  readonly ioctl: number;
  /** The call of old programs that opens sockets of any family. */
  readonly socketcall?: number;
}

const rings = [425, 426, 427];
const architectures: readonly Architecture[] = [
  // x86_64
  { id: 0xc000003e, refused: [248, 249, 250, 103, 304, 321, 298, 323, ...rings], socket: 41, ioctl: 16 },
  // i386, whose programs x86_64 runs
  {
    id: 0x40000003,
    refused: [286, 287, 288, 103, 342, 357, 336, 374, ...rings],
    socket: 359,
    ioctl: 54,
    socketcall: 102,
  },
  // aarch64
  { id: 0xc00000b7, refused: [217, 218, 219, 116, 265, 280, 241, 282, ...rings], socket: 198, ioctl: 29 },
  // arm, whose programs aarch64 runs
  { id: 0x40000028, refused: [309, 310, 311, 103, 371, 386, 364, 388, ...rings], socket: 281, ioctl: 54 },
];

/** Whether there is a filter for a kind of processor, as Node names it. */
export function hasFilter(arch: string): boolean {
  return arch === 'x64' || arch === 'arm64';
}

/** The bit by which x86_64 marks calls of x32, which have the same numbers otherwise. */
const x32 = 0x4000_0000;

/** An instruction of the kernel's filter: its code, how many to skip if it holds and if not, and its value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const skipUnless = (value: number, skipped: number): Instruction => [0x15, 0, skipped, value];
const skipUnlessAtLeast = (value: number, skipped: number): Instruction => [0x35, 0, skipped, value];
const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];
const refuse = (error: keyof typeof errors): Instruction => [0x06, 0, 0, 0x0005_0000 | errors[error]];

/** Where the kernel puts the number of a call, its architecture, and the lower half of an argument. */
const places = { call: 0, architecture: 4, argument: (index: number) => 16 + 8 * index } as const;

const refuseCall = (number: number): Instruction[] => [skipUnless(number, 1), refuse('ENOSYS')];

/** What is decided about a call by one of its arguments. */
function byArgument(number: number, index: number, decided: readonly Instruction[]): Instruction[] {
  return [skipUnless(number, decided.length + 1), load(places.argument(index)), ...decided];
}

function filterOf({ id, refused, socket, ioctl, socketcall }: Architecture): Instruction[] {
  const rules = [
    load(places.call),
    skipUnlessAtLeast(x32, 1),
    refuse('ENOSYS'),
    ...refused.flatMap(refuseCall),
    ...(socketcall === undefined ? [] : refuseCall(socketcall)),
    ...byArgument(socket, 0, [
      ...socketFamilies.flatMap((family) => [skipUnless(family, 1), allow]),
      refuse('EAFNOSUPPORT'),
    ]),
    ...byArgument(ioctl, 1, [
      ...terminalRequests.flatMap((request) => [skipUnless(request, 1), refuse('EPERM')]),
      allow,
    ]),
    allow,
  ];
  return [skipUnless(id, rules.length), ...rules];
}

/** A filter of system calls for a sandbox, as the kernel takes it. Calls of an unknown architecture are refused. */
export function systemCallFilter(): Buffer {
  const program = [load(places.architecture), ...architectures.flatMap(filterOf), refuse('ENOSYS')];
  const filter = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  }
  return filter;
}
