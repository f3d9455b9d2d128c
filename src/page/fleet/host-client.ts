import { type Client, createClient } from '@connectrpc/connect';
import { transport } from '#page/api/clients.ts';
import { HostService } from '#page/client/host/v1/host_pb.js';

export const hosts: Client<typeof HostService> = createClient(HostService, transport);
