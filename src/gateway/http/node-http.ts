/**
 * Node's HTTP server. Importing `node:http` by name reads all its exports, and some load the client of `fetch`: that
 * takes 60 ms of processor time at each start, and a gateway fetches nothing.
 */
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http');
