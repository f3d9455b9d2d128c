import type { FailureCode } from '#contract/reason/failure-code.ts';

/** The beginning of the reference's index. */
export const indexOpening = `# The operations

Each operation is an HTTP call, an MCP tool and a command, with the same answers and refusals, all generated from one table. A
person may use every operation, an agent those of its role. \`npm run docs\` generates these pages, and the test suite runs
their examples.

Each operation has an example for every channel: HTTP with curl, MCP as the request that a client sends, and a command. Replace
a word in capitals with a value from another answer, such as an agent's id. The examples use:

\`\`\`sh
MUSTER_URL=\${MUSTER_URL:-http://127.0.0.1:7433}
TOKEN=\${TOKEN:-$(cat "\${MUSTER_HOME:-\${XDG_STATE_HOME:-$HOME/.local/state}/muster}/operator.token")}
# A watch is a Connect stream: five bytes with the length precede the request (here of at most 255 bytes).
frame() { printf '\\0\\0\\0\\0'; printf "\\\\$(printf %03o "\${#1}")"; printf %s "$1"; }
\`\`\`

- HTTP: \`POST <address>/<package>.<Service>/<Method>\` with a JSON body and \`Authorization: Bearer <token>\`. Binary Connect,
  gRPC-Web and gRPC use the same port. gRPC needs HTTP/2, which requires TLS or \`MUSTER_H2C=on\`. \`proto/\` has the contract for
  clients. An empty field equals an omitted one, unless the field says that false and unset differ. HTTP ignores unknown fields,
  except in rules of approvals; MCP and commands refuse them.
- MCP: \`POST <address>/mcp\` with the same header, or \`muster mcp\` as a program.
- Commands: \`muster rpc <command>\`, with one flag for each field. \`--json\` takes the whole request, \`-o table|json|jsonl\` sets
  the output format, \`--watch\` keeps following.
- Limits: a request may have 4 MiB and 50,000 names and values. Inflated, it may have the same, and at most 100 times its received
  size if that is above 256 KiB. A call may take 30 s by default and 5 minutes at most. Each token may have 192 calls in progress
  and 64 watches.

## Refusals

A refusal has a code, a reason and a message. Over HTTP it is the body, and the code decides the status. Over MCP it is in
\`structuredContent\` beside \`isError\`. A command prints it to standard error and sets the exit status. The message says what is
wrong, with which value, and what to do. Any call can be refused with any of these codes; each operation lists those to expect.
muster first checks who calls, then whether they may use the operation, and then everything else.
`;

/** The text before HTTP's own statuses. */
export const ownStatusText = `For some refusals HTTP has a more specific status, which replaces the one of the code. Watches over Connect, and all gRPC calls,
are answered with 200 and carry the code at their end. Errors of the MCP protocol itself at \`/mcp\` are JSON-RPC errors.

| HTTP | code | reason | when |
|---|---|---|---|`;

/** The text on reasons of refusals. */
export const reasonText = `Besides its code, a refusal has a reason from [a closed list](reasons.md), the field at fault and metadata. Match these, never
the words of the message. Connect and gRPC carry them as error details (\`google.rpc.ErrorInfo\` of the domain \`muster\`, and
\`google.rpc.BadRequest\` with every field at fault). MCP has them in \`structuredContent\`, and \`-o json\` prints them.
`;

/** The beginning of the page of reasons. */
export const reasonsOpening = `# Reasons of refusals

\`npm run docs\` generates this page from the contract. Every refusal has one of these reasons, and each reason has one code. Newer
versions may add reasons: handle an unknown one by its code. If a reason lists metadata, its refusals always have it.
`;

/** What each code means. Codes without a line are not used by operations. */
export const meanings: Partial<Readonly<Record<FailureCode, string>>> = {
  invalid_argument: 'the request is malformed or has an invalid value',
  unauthenticated: 'the token is missing or unknown',
  permission_denied: 'the caller may not do that',
  not_found: 'what the request names does not exist, or is not visible',
  already_exists: 'the name is taken, or the object exists',
  failed_precondition: 'not possible in the current state, which the message names',
  out_of_range: 'the cursor is older than the log, or of another log',
  resource_exhausted: 'a limit is reached',
  aborted: 'something changed meanwhile: read again, then retry',
  deadline_exceeded: 'it took too long; it may have been done',
  unavailable: 'part of muster, a host or a forge cannot be reached',
  unimplemented: 'the operation or encoding does not exist',
  internal: 'a bug in muster: its log says more',
};
