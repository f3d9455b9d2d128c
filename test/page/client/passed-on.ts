import type { APIResponse, Route } from 'playwright-core';

/**
 * Passes a request on that was held up. A browser knows names under `localhost` on its own, and who passes it on does
 * not.
 */
export async function passedOn(route: Route): Promise<APIResponse> {
  const address = new URL(route.request().url());
  const headers = { ...(await route.request().allHeaders()), host: address.host };
  address.hostname = '127.0.0.1';
  return route.fetch({ url: address.href, headers });
}
