import { httpModuleFor } from '#contract/access/http-module.ts';

/**
 * Whether a process at an address responds to HTTP in time. Any answer counts, and so does a connection that the other
 * side refuses or closes: a process that hangs does none of this. The certificate is not checked.
 */
export function answersHttp(url: string, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = httpModuleFor(url).request(url, { agent: false, rejectUnauthorized: false }, (answer) => {
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
