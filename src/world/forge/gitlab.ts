import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { maxFailing } from './failing-checks.ts';
import type {
  ForgeCall,
  ForgeClient,
  ForgeIdentity,
  ForgePage,
  ForgeProbe,
  ForgePullRequestRef,
  ForgeQuery,
  ForgeReadings,
} from './forge-client.ts';
import { ForgeError } from './forge-error.ts';
import type { ForgeHttp } from './forge-http.ts';
import { GitlabFailing, GitlabList, GitlabProbe, GitlabUser, gitlabReading } from './gitlab-answers.ts';
import { gitlabQueries } from './gitlab-queries.ts';
import { absence, askGraphql } from './graphql.ts';

const maxReads = 50;
const RestProject = z.object({
  path_with_namespace: z.string(),
  forked_from_project: z.object({ path_with_namespace: z.string() }).nullish(),
});

/** GitLab.com and self-hosted GitLab (16.0 and newer), through GraphQL. */
export class GitlabClient implements ForgeClient {
  readonly kind = 'gitlab';
  readonly host: string;
  readonly #http: ForgeHttp;

  constructor(http: ForgeHttp) {
    this.host = http.host;
    this.#http = http;
  }

  async list(path: string, query: ForgeQuery, call: ForgeCall = {}): Promise<ForgePage> {
    const plain = query.plain ?? false;
    const variables = {
      first: query.pageSize,
      after: query.cursor ?? null,
      state: query.state === 'open' ? 'opened' : null,
      branches: query.branch === undefined ? null : [query.branch],
    };
    const asked = plain ? gitlabQueries.listPlain : gitlabQueries.list;
    const { project, path: now, quota } = await this.#project(path, asked, variables, GitlabList, call);
    const { nodes, pageInfo } = project.mergeRequests ?? {};
    const readings = (nodes ?? []).flatMap((node) =>
      node === null ? [] : [gitlabReading(node, project.webUrl, plain)],
    );
    // Only REST reports the parent of a fork. A fork rarely has merge requests of its own.
    const mayBeFork = !plain && readings.length === 0 && query.cursor === undefined;
    const parent = mayBeFork ? (await this.#restProject(now, call.signal)).forked_from_project : undefined;
    return {
      readings: plain ? readings : await this.#withFailing(now, readings, call),
      repositoryUrl: project.webUrl,
      ...(parent && { parent: { host: this.host, path: parent.path_with_namespace } }),
      ...(pageInfo?.hasNextPage && pageInfo.endCursor && { nextCursor: pageInfo.endCursor }),
      ...(project.mergeRequests == null && { warning: 'The credential may not read the project’s merge requests' }),
      ...quota,
    };
  }

  async read(path: string, refs: readonly ForgePullRequestRef[], call: ForgeCall = {}): Promise<ForgeReadings> {
    const iids = refs.slice(0, maxReads).map(({ number }) => String(number));
    const { project, path: now, quota } = await this.#project(path, gitlabQueries.read, { iids }, GitlabList, call);
    const nodes = project.mergeRequests?.nodes ?? [];
    const readings = nodes.flatMap((node) => (node === null ? [] : [gitlabReading(node, project.webUrl, false)]));
    return { readings: await this.#withFailing(now, readings, call), ...quota };
  }

  async probe(path: string, mark: string | undefined, call: ForgeCall = {}): Promise<ForgeProbe> {
    const { project, quota } = await this.#project(path, gitlabQueries.probe, {}, GitlabProbe, call);
    const now = createHash('sha256').update(JSON.stringify(project.mergeRequests)).digest('base64url');
    return { unchanged: now === mark, mark: now, ...quota };
  }

  async check({ signal }: ForgeCall = {}): Promise<ForgeIdentity> {
    const { data, answer } = await this.#ask(gitlabQueries.check, {}, GitlabUser, signal);
    if (data.currentUser == null) {
      throw new ForgeError('credential_refused', `The forge ${this.host} does not accept the credential`);
    }
    return { login: data.currentUser.username, warnings: [], ...(answer.quota && { quota: answer.quota }) };
  }

  /** Queries a project. If GraphQL does not find its path, it may have moved, which REST reports. */
  async #project<Project>(
    path: string,
    query: string,
    variables: object,
    schema: z.ZodType<{ project?: Project | null | undefined }>,
    { signal }: ForgeCall,
  ) {
    for (let current = path; ; ) {
      const { data, errors, answer } = await this.#ask(query, { ...variables, path: current }, schema, signal);
      if (data.project != null) {
        return { project: data.project, path: current, quota: answer.quota ? { quota: answer.quota } : {} };
      }
      if (errors.length > 0) throw absence(this.#http, errors);
      const { path_with_namespace: moved } = await this.#restProject(current, signal);
      if (current !== path || moved === current) throw this.#http.notFound();
      current = moved;
    }
  }

  async #restProject(path: string, signal: AbortSignal | undefined): Promise<z.output<typeof RestProject>> {
    const answer = await this.#http.ask({ path: `/api/v4/projects/${encodeURIComponent(path)}`, signal });
    return this.#http.read(RestProject, answer);
  }

  #ask<S extends z.ZodType>(query: string, variables: unknown, schema: S, signal: AbortSignal | undefined) {
    return askGraphql(this.#http, { path: '/api/graphql', query, variables, schema, signal });
  }

  /** Adds the names of failed jobs, with a separate request. */
  async #withFailing(
    path: string,
    readings: readonly ForgeReading[],
    call: ForgeCall,
  ): Promise<readonly ForgeReading[]> {
    const failing = readings.filter(({ checks, state }) => checks === 'CHECKS_FAILING' && state === 'OPEN');
    const names = new Map<number, string[]>();
    for (let from = 0; from < failing.length; from += maxReads) {
      const iids = failing.slice(from, from + maxReads).map(({ number }) => String(number));
      const { data } = await this.#ask(gitlabQueries.failing, { path, iids }, GitlabFailing, call.signal);
      for (const { iid, headPipeline } of data.project?.mergeRequests ?? []) {
        const jobs = (headPipeline?.jobs ?? []).filter(({ allowFailure }) => !allowFailure);
        names.set(
          Number(iid),
          jobs.map(({ name }) => name),
        );
      }
    }
    return readings.map((one) => ({ ...one, failingChecks: maxFailing(names.get(one.number) ?? []) }));
  }
}
