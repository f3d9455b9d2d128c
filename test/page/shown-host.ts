import { fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Page } from 'playwright-core';
import { type HostLoad, type HostSchema, ListHostsResponseSchema } from '#page/client/host/v1/host_pb.js';
import { passedOn } from './client/passed-on.ts';

/** From its next look on, the page gets other data about its one host. */
export async function showHost(page: Page, { load, ...more }: MessageInitShape<typeof HostSchema>): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/host.v1.HostService/ListHosts*', async (route) => {
    const response = await passedOn(route);
    const answer = fromBinary(ListHostsResponseSchema, await response.body());
    for (const host of answer.hosts) Object.assign(host, more).load = Object.assign(host.load ?? {}, load) as HostLoad;
    await route.fulfill({ response, body: Buffer.from(toBinary(ListHostsResponseSchema, answer)) });
  });
}
