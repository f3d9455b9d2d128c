import { type Client, createClient } from '@connectrpc/connect';
import { transport } from '#page/api/clients.ts';
import { ScheduleService } from '#page/client/schedule/v1/schedule_pb.js';

export const schedules: Client<typeof ScheduleService> = createClient(ScheduleService, transport);
