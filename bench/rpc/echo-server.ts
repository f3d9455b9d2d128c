// A bare Fastify server that answers JSON with the same JSON: what any server of this kind costs on this machine.
import Fastify from 'fastify';

const app = Fastify();
app.post('/echo', async (request) => request.body);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.once('disconnect', () => process.exit());
process.send?.({ url });
