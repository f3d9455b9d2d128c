// A bare Fastify server that echoes JSON: the minimum cost of such a server on this machine.
import Fastify from 'fastify';

const app = Fastify();
app.post('/echo', async (request) => request.body);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.once('disconnect', () => process.exit());
process.send?.({ url });
