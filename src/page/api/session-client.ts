import { type Client, createClient } from '@connectrpc/connect';
import { SessionService } from '#page/client/session/v1/session_pb.js';
import { transport } from './clients.ts';

export const sessions: Client<typeof SessionService> = createClient(SessionService, transport);
