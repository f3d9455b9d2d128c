import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type ForgeKind, forgeKinds } from '#contract/forge/forge.ts';
import type { ForgeErrorKind } from '#world/forge/forge-error.ts';
import { serveDouble } from './doubles/server.ts';
import { pull } from './doubles/world.ts';
import { type ForgeFixture, forgeErrorOf, forgeFixture, refusedAs } from './forge-fixture.ts';

const path = 'acme/app';
const query = { state: 'open', pageSize: 20 } as const;

/** What a forge may answer instead of what it should, and what that is reported as. */
interface Case {
  readonly what: string;
  readonly kind: ForgeErrorKind;
  answer(response: ServerResponse): void;
  /** Seconds from now until when the forge wants to be left alone. */
  readonly retryAfter?: number;
}

function status(code: number, headers: Record<string, string> = {}, body = '{"message":"no"}') {
  return (response: ServerResponse): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

const now = Date.parse('2026-11-21T12:00:00Z');
const epoch = (seconds: number) => String(now / 1_000 + seconds);

const cases: readonly Case[] = [
  { what: 'status 401', kind: 'credential_refused', answer: status(401) },
  { what: 'status 403', kind: 'not_found', answer: status(403) },
  { what: 'status 403 for want of a sign-on', kind: 'not_found', answer: status(403, { 'x-github-sso': 'required' }) },
  { what: 'status 404', kind: 'not_found', answer: status(404) },
  { what: 'status 404 with a page', kind: 'not_found', answer: status(404, {}, '<html>') },
  { what: 'status 451', kind: 'not_found', answer: status(451) },
  {
    what: 'status 403 of who asks too fast',
    kind: 'rate_limited',
    answer: status(403, {}, '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}'),
    retryAfter: 60,
  },
  { what: 'status 429', kind: 'rate_limited', answer: status(429, {}, 'Retry later') },
  {
    what: 'status 429 with seconds',
    kind: 'rate_limited',
    answer: status(429, { 'retry-after': '90' }),
    retryAfter: 90,
  },
  {
    what: 'status 429 with a date',
    kind: 'rate_limited',
    answer: status(429, { 'retry-after': new Date(now + 120_000).toUTCString() }),
    retryAfter: 120,
  },
  { what: 'status 429 with nonsense', kind: 'rate_limited', answer: status(429, { 'retry-after': 'soon' }) },
  {
    what: 'status 429 for longer than a day',
    kind: 'rate_limited',
    answer: status(429, { 'retry-after': '99999999' }),
    retryAfter: 86_400,
  },
  {
    what: 'status 403 with a quota that is used up',
    kind: 'rate_limited',
    answer: status(403, { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(600) }),
    retryAfter: 600,
  },
  {
    what: 'status 403 of a second limit',
    kind: 'rate_limited',
    answer: status(403, { 'retry-after': '60' }),
    retryAfter: 60,
  },
  {
    what: 'status 429 with a reset',
    kind: 'rate_limited',
    answer: status(429, { 'ratelimit-limit': '60', 'ratelimit-remaining': '0', 'ratelimit-reset': epoch(30) }),
    retryAfter: 30,
  },
  { what: 'status 500', kind: 'server', answer: status(500) },
  { what: 'status 502 with a page', kind: 'server', answer: status(502, {}, '<html>Bad gateway') },
  { what: 'status 503 with seconds', kind: 'server', answer: status(503, { 'retry-after': '45' }), retryAfter: 45 },
  { what: 'status 400', kind: 'malformed', answer: status(400) },
  { what: 'status 422', kind: 'malformed', answer: status(422) },
  { what: 'nothing for too long', kind: 'timeout', answer: () => {} },
  {
    what: 'a body that stops half way',
    kind: 'timeout',
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":'),
  },
  {
    what: 'a body that comes a byte at a time',
    kind: 'timeout',
    answer: (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    },
  },
  {
    what: 'a page instead of JSON',
    kind: 'malformed',
    answer: status(200, { 'content-type': 'text/html' }, '<html>Sign in'),
  },
  { what: 'an empty body', kind: 'malformed', answer: status(200, {}, '') },
  { what: 'JSON that breaks off', kind: 'malformed', answer: status(200, {}, '{"data":{"repository":{"url":') },
  { what: 'a text', kind: 'malformed', answer: status(200, {}, '"hello"') },
  { what: 'null', kind: 'malformed', answer: status(200, {}, 'null') },
  { what: 'an empty object', kind: 'malformed', answer: status(200, {}, '{}') },
  { what: 'a list of nothing that is known', kind: 'malformed', answer: status(200, {}, '[{"number":"one"}]') },
  { what: 'no content', kind: 'malformed', answer: (response) => void response.writeHead(204).end() },
  { what: 'more than is read', kind: 'malformed', answer: status(200, {}, `"${'x'.repeat(600 * 1024)}"`) },
  { what: 'a broken connection', kind: 'unreachable', answer: (response) => void response.destroy() },
  {
    what: 'half a body and a broken connection',
    kind: 'unreachable',
    answer: (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
  },
  {
    what: 'the way to another host',
    kind: 'refused_address',
    answer: status(301, { location: 'https://elsewhere.test/x' }),
  },
  {
    what: 'the way to another port',
    kind: 'refused_address',
    answer: status(307, { location: 'http://127.0.0.1:1/x' }),
  },
  { what: 'the way to a file', kind: 'refused_address', answer: status(302, { location: 'file:///etc/passwd' }) },
  { what: 'the way to nowhere', kind: 'refused_address', answer: status(302, { location: 'http://' }) },
  { what: 'the way to itself', kind: 'refused_address', answer: status(307, { location: '/again' }) },
];

/** What a newer forge might say, instead of what it says now. */
const unknownWords: Readonly<Record<ForgeKind, readonly (readonly [string, string])[]>> = {
  github: [
    ['"CLEAN"', '"BRAND_NEW"'],
    ['"SUCCESS"', '"BRAND_NEW"'],
    ['"REVIEW_REQUIRED"', '"BRAND_NEW"'],
  ],
  gitlab: [
    ['"MERGEABLE"', '"BRAND_NEW"'],
    ['"SUCCESS"', '"BRAND_NEW"'],
  ],
  gitea: [
    ['"state":"success"', '"state":"brand-new"'],
    ['"APPROVED"', '"BRAND_NEW"'],
  ],
  bitbucket: [
    ['"SUCCESSFUL"', '"BRAND_NEW"'],
    ['"OPEN"', '"BRAND_NEW"'],
  ],
};

for (const kind of forgeKinds) {
  describe(`faults of ${kind}`, () => {
    let fixture: ForgeFixture;
    beforeEach(async () => {
      fixture = await forgeFixture(kind);
      fixture.world.repository(path, { pulls: [pull(1, { checks: [{ name: 'a', state: 'passed' }] })] });
    });
    afterEach(() => fixture.close());

    for (const one of cases) {
      it(`include ${one.kind}: ${one.what}`, async () => {
        fixture.server.fault = (_request, response) => {
          one.answer(response);
          return true;
        };
        const client = one.kind === 'timeout' ? fixture.clientWith({ timeoutMs: 400 }) : fixture.client;
        const error = await refusedAs(one.kind, client.list(path, query));
        expect(error.message).contain('forge.test');
        expect(JSON.stringify([error, error.message, error.stack])).not.contain(fixture.world.token);
        expect(error.retryAt).equal(one.retryAfter === undefined ? undefined : now + one.retryAfter * 1_000);
      });
    }

    it('include unreachable: a port without a listener', async () => {
      const gone = await serveDouble(fixture.server.double);
      await gone.close();
      const error = await refusedAs('unreachable', fixture.clientWith({ root: gone.address }).list(path, query));
      expect(error.message).equal('The forge forge.test cannot be reached');
    });

    it('include credential_refused: an unknown credential, which appears nowhere', async () => {
      const wrong = fixture.clientWith({ credential: 'canary-wrong-11' });
      for (const asking of [
        wrong.list(path, query),
        wrong.check(),
        wrong.read(path, [{ providerId: 'x/1', number: 1 }]),
      ]) {
        const error = await refusedAs('credential_refused', asking);
        expect(`${error.message} ${error.stack}`).not.contain('canary');
      }
    });

    it('include unreachable: a credential that cannot be sent', async () => {
      const error = await forgeErrorOf(fixture.clientWith({ credential: 'canary\r\nx: y' }).list(path, query));
      expect(`${error.message} ${error.stack}`).not.contain('canary');
    });

    it('pause requests until the forge accepts them again', async () => {
      fixture.server.fault = (_request, response) => {
        status(429, { 'retry-after': '30' })(response);
        return true;
      };
      await refusedAs('rate_limited', fixture.client.list(path, query));
      fixture.server.fault = undefined;
      const asked = fixture.server.requests.length;
      const error = await refusedAs('rate_limited', fixture.client.list(path, query));
      expect(error.retryAt).equal(now + 30_000);
      expect(fixture.server.requests.length).equal(asked);
      fixture.now += 30_000;
      expect((await fixture.client.list(path, query)).readings).length(1);
    });

    it('end at once on abort', async () => {
      fixture.server.fault = () => true;
      const stop = new AbortController();
      const patient = fixture.clientWith({ timeoutMs: 60_000 });
      const asking = patient.list(path, query, { signal: stop.signal });
      const reason = new Error('called off');
      stop.abort(reason);
      const outcome = await asking.catch((error: unknown) => error);
      expect(outcome).equal(reason);
    });

    it('name the exceeded limit', async () => {
      fixture.server.fault = (_request, response) => {
        status(200, {}, JSON.stringify({ data: 'x'.repeat(600 * 1024) }))(response);
        return true;
      };
      const error = await refusedAs('malformed', fixture.client.list(path, query));
      expect(error.message).equal('The forge forge.test answered with more than 524288 bytes');
    });

    it('never carry the credential to another host', async () => {
      const other = await serveDouble(() => ({ status: 200, body: {} }));
      fixture.server.fault = (_request, response) => {
        status(307, { location: `${other.address}/api/v1/user` })(response);
        return true;
      };
      await refusedAs('refused_address', fixture.client.list(path, query));
      await refusedAs('refused_address', fixture.client.check());
      expect(other.requests).deep.equal([]);
      await other.close();
    });

    it('exclude unknown words of a newer forge, which mean the minimum', async () => {
      const { double } = fixture.server;
      fixture.server.double = async (request) => {
        const answer = await double(request);
        const text = unknownWords[kind].reduce(
          (made, [from, to]) => made.replaceAll(from, to),
          JSON.stringify(answer.body),
        );
        return { ...answer, body: JSON.parse(text) };
      };
      const { readings } = await fixture.client.list(path, query);
      const mergeability = {
        github: 'MERGEABILITY_UNKNOWN',
        gitlab: 'MERGEABILITY_BLOCKED',
        gitea: 'MERGEABILITY_UNSTABLE',
        bitbucket: 'MERGEABILITY_UNKNOWN',
      } as const;
      expect(readings[0]).deep.include({ state: 'OPEN', checks: 'CHECKS_PENDING', mergeability: mergeability[kind] });
    });

    it('appear in every call: a probe, a check and a second reading', async () => {
      fixture.server.fault = (_request, response) => {
        status(500)(response);
        return true;
      };
      await refusedAs('server', fixture.client.probe(path, undefined));
      await refusedAs('server', fixture.client.check());
      await refusedAs('server', fixture.client.read(path, [{ providerId: '{x}/1', number: 1 }]));
    });
  });
}
