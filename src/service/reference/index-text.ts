import type { FailureCode } from '#contract/failure.ts';

/** How the index of the reference begins. */
export const indexOpening = `# The operations

One table makes every channel: each operation is an HTTP call, an MCP tool and a command, with the same answer and the same
refusal. A person is offered everything; an agent what its role is offered. These pages are made from that table by
\`npm run docs\`, and the test suite runs the examples in them.

An example is given for each channel: for HTTP with curl, for MCP as the request that a client sends, and as a command. In place
of a word in capitals stands what you have from another answer, such as an agent's id.

\`\`\`sh
MUSTER_URL=\${MUSTER_URL:-http://127.0.0.1:7433}
TOKEN=\${TOKEN:-$(cat "\${MUSTER_HOME:-\${XDG_STATE_HOME:-$HOME/.local/state}/muster}/operator.token")}
# A watch is a stream of Connect: its request of at most 255 bytes stands behind five that say how long it is.
frame() { printf '\\0\\0\\0\\0'; printf "\\\\$(printf %03o "\${#1}")"; printf %s "$1"; }
\`\`\`

- HTTP: \`POST <address>/<package>.<Service>/<Method>\` with a JSON body and \`Authorization: Bearer <token>\`, or Connect in
  binary, gRPC-Web and gRPC on the same port; gRPC needs HTTP/2, which is spoken over TLS, or in clear with \`MUSTER_H2C=on\`. \`proto/\` holds the contract for clients. Empty and left out are the same, but where
  a field says that false and unset differ. Unknown fields are ignored over HTTP, and refused over MCP and by commands.
- MCP: \`POST <address>/mcp\` with the same header, or \`muster mcp\` as a program.
- Commands: \`muster rpc <command>\`, one flag for each field; \`--json\` takes the whole request, \`-o table|json|jsonl\` says how the
  answer is written, \`--watch\` goes on.
- Limits: a request of 4 MiB and 50,000 names and values, and inflated no more than that, nor than 100 times its size above
  256 KiB; 30 s where a call does not say how long it may take, and 5 minutes at most; for each token 192 calls at a time and 64
  watches.

## Refusals

A refusal is \`{code, message}\`: over HTTP the body, under the status of its code; over MCP in \`structuredContent\` beside
\`isError\`; of a command on standard error, with an exit status. The message says what was wrong, with which value, and what to do.
Any call may be refused as any of these, and each operation says which to reckon with. Who calls is asked first, then whether the
operation is offered to them, and then all else.
`;

/** What stands before the statuses of HTTP's own. */
export const ownStatusText = `HTTP has a status of its own for some refusals, which then stands in the place of that of the code. A watch over
Connect, and gRPC, are answered with 200 and tell the code at their end. What MCP's own protocol refuses at \`/mcp\` is an error of JSON-RPC.

| HTTP | code | where |
|---|---|---|`;

/** What each code means. Codes without a line are not used by operations. */
export const meanings: Partial<Readonly<Record<FailureCode, string>>> = {
  invalid_argument: 'the request has not the shape that it should',
  unauthenticated: 'there is no token, or none that is known',
  permission_denied: 'the caller may not do that',
  not_found: 'there is no such thing',
  already_exists: 'the name is taken',
  failed_precondition: 'not as things stand: the message says how they stand',
  out_of_range: 'the cursor is older than the log',
  resource_exhausted: 'there is no room, or too much was asked for at a time',
  aborted: 'something moved meanwhile: look, then try again',
  deadline_exceeded: 'it took too long; what was begun may have been done',
  unavailable: 'a part of muster, or a host, cannot be reached',
  unimplemented: 'there is no such operation, or no such encoding',
  internal: 'a fault of muster: its log says more',
};
