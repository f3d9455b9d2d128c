/**
 * Node's HTTP server. To import `node:http` by name reads all its exports, of which some load the client of `fetch`: that
 * takes 60 ms of processor time at each start, and a gateway fetches nothing.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
