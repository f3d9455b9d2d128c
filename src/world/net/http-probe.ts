import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/**
 * Whether something answers HTTP at an address within a time. Any answer will do, and so will a connection that is
 * refused or cut by the other side: a process that hangs does neither. Whose certificate it shows does not matter.
 */
export function answersHttp(url: string, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const asked = open(url, { agent: false, rejectUnauthorized: false }, (answer) => {
    resolve(true);
    answer.destroy();
  });
  const timer = setTimeout(() => {
    resolve(false);
    asked.destroy();
  }, withinMs);
  asked.once('error', (error: Error & { code?: string }) => resolve(error.code !== 'ETIMEDOUT'));
  asked.once('close', () => clearTimeout(timer));
  asked.end();
  return promise;
}
