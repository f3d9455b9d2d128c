import { boolean, holdTo, integer, list, nullable, object, string, time } from './json-schema.ts';

/**
 * The documents that are read of Bitbucket Cloud, after its published description
 * (https://api.bitbucket.org/swagger.json, definitions repository, pullrequest, pullrequest_endpoint, participant,
 * commitstatus, diffstat, commit, account; version 2.0).
 */
const type = string;
const links = object({ html: object({ href: string }, ['href']), self: object({ href: string }, ['href']) }, ['html']);
const bareRepository = { type, full_name: string, uuid: string, name: string, links };
const repository = object({ ...bareRepository, parent: nullable(object(bareRepository, ['full_name'])) }, [
  'full_name',
  'uuid',
  'links',
]);
const commit = object({ type, hash: { type: 'string', pattern: '^[0-9a-f]{7,40}$' } }, ['hash']);
const end = object(
  { branch: object({ name: string }, ['name']), commit: nullable(commit), repository: nullable(repository) },
  ['branch'],
);
const account = object({ type, username: string, display_name: string, uuid: string });
const participant = object({
  type,
  user: account,
  role: { enum: ['PARTICIPANT', 'REVIEWER'] },
  approved: boolean,
  state: { enum: ['approved', 'changes_requested', null] },
});
const pull = object(
  {
    type,
    id: integer,
    title: string,
    state: { enum: ['OPEN', 'DRAFT', 'QUEUED', 'MERGED', 'DECLINED', 'SUPERSEDED'] },
    draft: boolean,
    created_on: time,
    updated_on: time,
    source: end,
    destination: end,
    links,
    participants: list(participant),
    reviewers: list(account),
  },
  ['id', 'title', 'state', 'source', 'destination', 'created_on', 'updated_on', 'links'],
);
const status = object(
  { type, key: string, name: string, state: { enum: ['FAILED', 'INPROGRESS', 'STOPPED', 'SUCCESSFUL'] } },
  ['key', 'state'],
);
const activity = object({ update: object({ state: string, date: time, title: string }, ['state', 'date']) });

const file = object({ path: string });
const fileChange = object(
  {
    type,
    status: {
      enum: [
        'added',
        'removed',
        'modified',
        'renamed',
        'merge conflict',
        'rename conflict',
        'rename/delete conflict',
        'subrepo conflict',
        'local deleted',
        'remote deleted',
      ],
    },
    lines_added: integer,
    lines_removed: integer,
    old: nullable(file),
    new: nullable(file),
  },
  ['status'],
);

function page(values: object): object {
  return object({ size: integer, page: integer, pagelen: integer, next: string, values: list(values) }, ['values']);
}

export const bitbucketDocuments = {
  repository: holdTo<object>(repository),
  pull: holdTo<object>(pull),
  pulls: holdTo<object>(page(pull)),
  statuses: holdTo<object>(page(status)),
  activity: holdTo<object>(page(activity)),
  diffstat: holdTo<object>(page(fileChange)),
  commit: holdTo<object>(commit),
  account: holdTo<object>(account),
};
