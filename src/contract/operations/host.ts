import { z } from 'zod';
import { Host } from '../host.ts';
import { message } from '../message.ts';
import { operation } from '../operation.ts';

export const listHosts = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListHosts',
  summary: 'Lists the machines that agents are placed on.',
  guidance: 'A host that is HOST_STATE_LOST keeps its agents; they are seen again when it is back.',
  request: message('host.v1.ListHostsRequest', {}),
  response: message('host.v1.ListHostsResponse', { hosts: [1, z.array(Host)] }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});
