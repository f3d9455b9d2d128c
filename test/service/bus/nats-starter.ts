// Starts a nats-server in the folder of its argument, reports its id, and holds it until it is ended itself.
import { startNatsServer } from '#test/bus/nats-fixture.ts';

const { pid } = await startNatsServer(process.argv[2] ?? '');
process.send?.(pid);
process.on('message', () => {});
