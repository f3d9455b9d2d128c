// Starts a nats-server in the folder of its argument, reports its id, and holds it until it is ended itself.
import { startNatsServer } from '#world/net/nats-server.ts';

const { pid } = await startNatsServer(process.argv[2] ?? '');
process.send?.(pid);
process.on('message', () => {});
