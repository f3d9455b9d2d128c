import { type Client, createClient } from '@connectrpc/connect';
import { transport } from '#page/api/clients.ts';
import { ForgeService } from '#page/client/forge/v1/forge_pb.js';

export const forges: Client<typeof ForgeService> = createClient(ForgeService, transport);
