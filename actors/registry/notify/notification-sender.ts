import { Failure } from '#contract/failure.ts';
import type { StoredNotice } from '#store/notify/notice-entity.ts';
import { post } from '#world/net/webhook.ts';
import { runScript } from '#world/process/script.ts';

/** How long a command may take, in milliseconds. */
const timeoutMs = 30_000;
const tailLength = 500;

/** A notice to send, and where to. */
export type Delivery = Pick<StoredNotice, 'through' | 'target' | 'body'>;

/** Sends a notice. Returns why it did not arrive; empty if it did. */
export type NotificationSender = (delivery: Delivery) => Promise<string>;

/** The fields of a notice that a command also gets as environment variables. */
interface Body {
  readonly event?: string;
  readonly text?: string;
  readonly agent?: { readonly id?: string; readonly name?: string; readonly state?: string };
  readonly host?: { readonly id?: string; readonly name?: string };
}

/** Makes a sender that posts to webhooks, and runs commands in an environment. */
export function notificationSender(environment: Readonly<Record<string, string>>): NotificationSender {
  return ({ through, target, body }) => (through === 'webhook' ? post(target, body) : run(environment, target, body));
}

async function run(environment: Readonly<Record<string, string>>, command: string, body: string): Promise<string> {
  const { event = '', text = '', agent = {}, host = {} } = JSON.parse(body) as Body;
  let tail = '';
  try {
    const { exitCode, signal, timedOut } = await runScript({
      command,
      cwd: environment['HOME'] ?? '/',
      env: {
        ...environment,
        MUSTER_EVENT: event,
        MUSTER_TEXT: text,
        MUSTER_AGENT_ID: agent.id ?? '',
        MUSTER_AGENT_NAME: agent.name ?? '',
        MUSTER_AGENT_STATE: agent.state ?? '',
        MUSTER_HOST_ID: host.id ?? '',
        MUSTER_HOST_NAME: host.name ?? '',
        MUSTER_NOTICE: body,
      },
      timeoutMs,
      onOutput: (output) => {
        tail = (tail + output).slice(-tailLength);
      },
    });
    if (exitCode === 0) return '';
    const how = timedOut ? `took longer than ${timeoutMs / 1000} s` : `ended with ${exitCode ?? signal}`;
    return [`the command ${how}`, tail.trim()].filter(Boolean).join(': ');
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
