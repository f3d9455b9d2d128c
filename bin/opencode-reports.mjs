// The plugin that muster adds to an agent's opencode: it reports what opencode is doing, and the id of its conversation.
// It runs inside opencode, so it only starts a program that does the rest, and never throws.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./muster-report', import.meta.url));

// An opencode that the agent itself starts inherits this variable with the configuration. It must not report for the
// agent.
const mark = 'MUSTER_REPORTS_OF';
const isOwn = process.env[mark] === undefined || process.env[mark] === String(process.pid);
if (isOwn) process.env[mark] = String(process.pid);

/** Conversations of subagents. */
const inner = new Set();
let said = '';
let session = '';
let isBroken = false;

/** Sends a report, unless it repeats the last one. */
function report(words, sessionID) {
  const own = sessionID !== undefined && !inner.has(sessionID) ? sessionID : session;
  if (words === said && own === session) return;
  said = words;
  session = own;
  const child = spawn(program, ['{says}', 'session'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify({ says: words, session: own }));
  child.unref();
}

const events = {
  'session.created': ({ info }) => info.parentID && inner.add(info.id),
  'session.updated': ({ info }) => info.parentID && inner.add(info.id),
  'session.status': ({ sessionID, status }) => {
    if (inner.has(sessionID) || status.type === 'idle') return;
    isBroken = false;
    report(status.type === 'retry' ? `retrying: ${status.message}` : 'working', sessionID);
  },
  'session.error': ({ sessionID, error }) => {
    if (inner.has(sessionID)) return;
    isBroken = true;
    const what = error?.data?.message || error?.name || '';
    report(error?.name === 'MessageAbortedError' ? 'interrupted' : `failed: ${what}`, sessionID);
  },
  'session.idle': ({ sessionID }) => !isBroken && !inner.has(sessionID) && report('done', sessionID),
  'permission.asked': ({ sessionID, permission }) => report(`asks permission: ${permission}`, sessionID),
  'question.asked': ({ sessionID }) => report('asks a question', sessionID),
  'permission.replied': ({ sessionID }) => report('working', sessionID),
  'question.replied': ({ sessionID }) => report('working', sessionID),
  'question.rejected': ({ sessionID }) => report('working', sessionID),
};

/** The plugin, in the form that opencode loads. */
export const MusterReports = async () =>
  isOwn
    ? {
        event: async ({ event: { type, properties } }) => {
          try {
            events[type]?.(properties);
          } catch {
            // Another version of opencode may send other properties: skip the event.
          }
        },
      }
    : {};
