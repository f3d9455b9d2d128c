import { pathVariable } from '#world/isolation/private-home.ts';
import { promptVariable } from '#world/isolation/relays.ts';
import type { AgentNetwork } from './agent-networks.ts';

/** Git must not tidy a repository of which most is read-only, and connects through the proxy. */
export function gitVariables(network: AgentNetwork | undefined): Record<string, string> {
  const ssh = `ssh -o ProxyCommand='socat - PROXY:127.0.0.1:%h:%p,proxyport=${network?.proxyPort ?? 0}'`;
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'gc.auto',
    GIT_CONFIG_VALUE_0: '0',
    GIT_CONFIG_KEY_1: 'maintenance.auto',
    GIT_CONFIG_VALUE_1: 'false',
    ...(network && { GIT_SSH_COMMAND: ssh }),
  };
}

/** Leads programs to the filtering proxy at a port of the sandbox. */
export function proxyVariables(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Login shells get the PATH back by this. */
export function pathOf({ PATH }: Readonly<Record<string, string>>): Record<string, string> {
  return PATH === undefined ? {} : { [pathVariable]: PATH };
}

/** The shell that starts the relays would drop a prompt. */
export function promptOf({ PS1 }: Readonly<Record<string, string>>): Record<string, string> {
  return PS1 === undefined ? {} : { [promptVariable]: PS1 };
}
