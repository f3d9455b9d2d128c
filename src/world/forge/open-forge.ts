import type { ForgeKind } from '#contract/forge/forge.ts';
import { BitbucketClient } from './bitbucket.ts';
import { githubPaths } from './forge-address.ts';
import type { ForgeClient } from './forge-client.ts';
import { ForgeHttp, type HttpLimits, type Transport } from './forge-http.ts';
import { GiteaClient } from './gitea.ts';
import { GithubClient } from './github.ts';
import { GitlabClient } from './gitlab.ts';

/** A forge, with its address and credential. */
export interface ForgeSpec {
  readonly kind: ForgeKind;
  readonly host: string;
  /** The result of `forgeRoot`. */
  readonly root: string;
  /** Returns the credential. Called before each request. */
  readonly credential: () => Promise<string>;
  /** Called when the forge refused the credential. */
  readonly refused?: () => void;
  readonly transport?: Transport;
  readonly now?: () => number;
  readonly limits?: HttpLimits;
}

/** Creates a client of a forge, without contacting it. */
export function openForge(spec: ForgeSpec): ForgeClient {
  const { kind, credential, transport = fetch, now = Date.now, ...rest } = spec;
  const http = new ForgeHttp({
    ...rest,
    transport,
    now,
    authorization: async () => authorization(kind, await credential()),
  });
  switch (kind) {
    case 'github':
      return new GithubClient(http, githubPaths(spec.root));
    case 'gitlab':
      return new GitlabClient(http);
    case 'gitea':
      return new GiteaClient(http);
    case 'bitbucket':
      return new BitbucketClient(http);
  }
}

/** The Authorization header of a credential. Bitbucket accepts `name:token` pairs besides tokens. */
function authorization(kind: ForgeKind, credential: string): string {
  if (kind === 'gitea') return `token ${credential}`;
  if (kind === 'bitbucket' && credential.includes(':')) return `Basic ${Buffer.from(credential).toString('base64')}`;
  return `Bearer ${credential}`;
}
