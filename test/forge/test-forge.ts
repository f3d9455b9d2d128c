import { transportTo } from './doubles/double.ts';
import { ForgeWorld, pull } from './doubles/world.ts';

const world = new ForgeWorld();
world.repository('owner/name', { pulls: [pull(1, { branch: 'login-fix' }), pull(2, { branch: 'login-fix' })] });
const asked: URL[] = [];

/** A GitHub for tests that are about something else, asked without a network. Its schema is loaded once it is asked. */
export const testForge = {
  token: world.token,
  /** All requests that it received. */
  asked,
  transport: transportTo(async (request) => {
    asked.push(request.url);
    const { githubDouble } = await import('./doubles/github.ts');
    // github.com answers at paths of its own.
    const url = new URL(request.url);
    url.pathname = url.pathname === '/graphql' ? '/api/graphql' : `/api/v3${url.pathname}`;
    return githubDouble(world)({ ...request, url });
  }),
};
