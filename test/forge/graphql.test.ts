import { expect } from 'chai';
import type { GraphQLSchema } from 'graphql';
import { githubQueries } from '#world/forge/github-queries.ts';
import { gitlabQueries } from '#world/forge/gitlab-queries.ts';
import type { DoubleAnswer, DoubleRequest } from './doubles/double.ts';
import { githubSchema } from './doubles/github.ts';
import { gitlabSchema } from './doubles/gitlab-schema.ts';
import { checkedDocument } from './doubles/graphql-answer.ts';
import { pull } from './doubles/world.ts';
import { type ForgeFixture, forgeFixture, refusedAs } from './forge-fixture.ts';

const path = 'acme/app';
const query = { state: 'open', pageSize: 20 } as const;

const sent: readonly (readonly [forge: string, GraphQLSchema, Readonly<Record<string, string>>])[] = [
  ['GitHub', githubSchema, githubQueries],
  ['GitLab', gitlabSchema, gitlabQueries],
];

for (const [forge, schema, queries] of sent) {
  describe(`the queries that are sent to ${forge}`, () => {
    for (const [name, text] of Object.entries(queries)) {
      it(`match its schema: ${name}`, () => {
        expect(() => checkedDocument(schema, text)).not.throw();
      });
    }

    it('fail with a misspelt field, an argument of another type or a missing one', () => {
      const { list = '' } = queries;
      for (const wrong of [
        list.replace('createdAt', 'cretedAt'),
        list.replace('$first: Int!', '$first: String!'),
        list.replace(/\b(owner: \$owner, |fullPath: \$path)/, ''),
        list.replace('pageInfo {', 'pageInfo'),
      ]) {
        expect(wrong).not.equal(list);
        expect(() => checkedDocument(schema, wrong)).throw();
      }
    });

    it('stay within a few kilobytes', () => {
      for (const text of Object.values(queries)) expect(Buffer.byteLength(text)).below(2_500);
    });
  });
}

describe('a partial answer', () => {
  let fixture: ForgeFixture;
  afterEach(() => fixture.close());

  /** Changes the answer of a fake. */
  async function changed(
    kind: 'github' | 'gitlab',
    change: (body: Body, request: DoubleRequest) => DoubleAnswer['body'],
  ) {
    fixture = await forgeFixture(kind);
    fixture.world.repository(path, { pulls: [pull(1, { checks: [{ name: 'a', state: 'failed' }] }), pull(2)] });
    const { double } = fixture.server;
    fixture.server.double = async (request) => {
      const answer = await double(request);
      if (request.method === 'GET') return answer;
      return { ...answer, body: change(JSON.parse(JSON.stringify(answer.body)) as Body, request) };
    };
  }
  interface Body {
    data: { repository: Record<string, never> & { pullRequests: { nodes: (Record<string, unknown> | null)[] } } };
    errors?: unknown;
  }

  it('of GitHub keeps its data if the credential may not read checks, with a warning', async () => {
    await changed('github', (body) => {
      for (const node of body.data.repository.pullRequests.nodes) {
        if (node !== null) node['commits'] = { nodes: [{ commit: { statusCheckRollup: null } }] };
      }
      const at = ['repository', 'pullRequests', 'nodes', 0, 'commits', 'nodes', 0, 'commit', 'statusCheckRollup'];
      return {
        ...body,
        errors: [{ type: 'FORBIDDEN', path: at, message: 'Resource not accessible by personal access token' }],
      };
    });
    const { readings, warning } = await fixture.client.list(path, query);
    expect(readings.map(({ number, checks }) => [number, checks])).deep.equal([
      [2, 'CHECKS_NONE'],
      [1, 'CHECKS_NONE'],
    ]);
    expect(warning).equal('The credential may not read all fields of the pull requests (statusCheckRollup)');
  });

  it('of GitHub with a conflict in one of two places is a conflict', async () => {
    await changed('github', (body, { body: asked }) => {
      const [node] = asked.includes('repository(') ? body.data.repository.pullRequests.nodes : [];
      if (node) Object.assign(node, { mergeable: 'CONFLICTING', mergeStateStatus: 'UNKNOWN' });
      return body;
    });
    const [first] = (await fixture.client.list(path, query)).readings;
    expect(first?.mergeability).equal('MERGEABILITY_CONFLICTING');
  });

  it('of GitHub omits a pull request that may not be read', async () => {
    await changed('github', (body, { body: asked }) => {
      if (asked.includes('repository(')) body.data.repository.pullRequests.nodes[0] = null;
      return body;
    });
    expect((await fixture.client.list(path, query)).readings.map(({ number }) => number)).deep.equal([1]);
  });

  const refusals = [
    ['NOT_FOUND', 'not_found', 'Could not resolve to a Repository'],
    ['FORBIDDEN', 'not_found', 'Resource protected by organization SAML enforcement'],
    ['INSUFFICIENT_SCOPES', 'not_found', 'Your token has not been granted the required scopes'],
    ['RATE_LIMITED', 'rate_limited', 'API rate limit exceeded'],
    [undefined, 'server', 'Something went wrong while executing your query'],
    [undefined, 'malformed', "Field 'isInMergeQueue' doesn't exist on type 'PullRequest'"],
    ['INVALID_CURSOR_ARGUMENTS', 'bad_cursor', '`x` does not appear to be a valid cursor.'],
  ] as const;
  for (const [type, kind, message] of refusals) {
    it(`of GitHub is ${kind}: ${message}`, async () => {
      await changed('github', () => ({
        data: { repository: null },
        errors: [{ type, message, path: ['repository'] }],
      }));
      const error = await refusedAs(kind, fixture.client.list(path, query));
      expect(error.message).not.contain(message);
    });
    it(`of GitHub without any data is ${kind}: ${message}`, async () => {
      await changed('github', () => ({ errors: [{ type, message }] }));
      await refusedAs(kind, fixture.client.list(path, query));
    });
  }

  it('of GitHub that times out is requested again, in smaller pages', async () => {
    fixture = await forgeFixture('github');
    fixture.world.repository(path, { pulls: Array.from({ length: 60 }, (_, index) => pull(index + 1)) });
    const sizes: number[] = [];
    fixture.server.fault = ({ body }, response) => {
      const { first } = (JSON.parse(body) as { variables: { first: number } }).variables;
      sizes.push(first);
      if (first <= 25) return undefined;
      response.writeHead(502).end('<html>');
      return true;
    };
    const page = await fixture.client.list(path, { state: 'open', pageSize: 100 });
    expect(sizes).deep.equal([100, 50, 25]);
    expect(page.readings).length(25);
    expect(page.nextCursor).not.equal(undefined);
  });

  it('of GitLab is a server error if the project is unknown', async () => {
    await changed('gitlab', () => ({
      data: { project: null },
      errors: [{ message: 'Timeout on validation of query' }],
    }));
    await refusedAs('server', fixture.client.list(path, query));
  });

  it('of GitLab without the unreadable merge requests has a warning', async () => {
    await changed('gitlab', () => ({
      data: { project: { webUrl: 'https://forge.test/acme/app', mergeRequests: null } },
    }));
    const { readings, warning } = await fixture.client.list(path, query);
    expect(readings).deep.equal([]);
    expect(warning).contain('may not read');
  });
});
