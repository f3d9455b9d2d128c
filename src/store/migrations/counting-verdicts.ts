import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The harnesses that ran a coding agent when this migration was written. */
const coding = "'claude','codex','gemini','opencode','copilot','qwen','pi','cline','aider','cursor','amp'";

/** The author of a review, and who launched the author. */
const reviewer = `from (select 1) left join "agent" a on a."id" = "review"."author"
  left join "agent" l on l."id" = a."spawned_by_agent_id"`;

const notCounting = `select case
  when a."id" is null or a."standing" = 'gone' then 'REVIEW_NOT_COUNTING_LAUNCHER_GONE'
  when a."spawned_by_agent_id" = "review"."agent_id" or l."parent_agent_id" = "review"."agent_id"
    then 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF'
  when a."spawned_by_agent_id" is not null and (l."id" is null or l."standing" = 'gone')
    then 'REVIEW_NOT_COUNTING_LAUNCHER_GONE'
  when l."id" is not null and (l."role" <> 'AGENT_ROLE_ORCHESTRATOR' or l."spawned_by_agent_id" is not null)
    then 'REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT'
  when json_extract(a."launch", '$.harness') not in (${coding}) then 'REVIEW_NOT_COUNTING_NO_CODING_AGENT'
  end ${reviewer}`;

// `json_patch` removes null values.
const launcher = `select case when a."id" is null then null else json_patch('{}', json_object(
  'kind', case when a."spawned_by_agent_id" is not null then 'REVIEW_LAUNCHER_KIND_AGENT'
    when a."schedule_id" is not null then 'REVIEW_LAUNCHER_KIND_SCHEDULE' else 'REVIEW_LAUNCHER_KIND_HUMAN' end,
  'agentId', a."spawned_by_agent_id", 'name', l."name",
  'scheduleId', case when a."spawned_by_agent_id" is null then a."schedule_id" end)) end ${reviewer}`;

/** The newest review of an agent's work that meets a condition, as the agent's row shows it. */
const conclusion = (which: string): string => `select json_patch('{}', json_object(
  'reviewId', r."id", 'verdict', json_extract(r."snapshot", '$.context.conclusion.verdict'),
  'authorKind', case r."author" when 'person' then 'REVIEW_AUTHOR_KIND_HUMAN' else 'REVIEW_AUTHOR_KIND_AGENT' end,
  'authorAgentId', nullif(r."author", 'person'), 'authorName', (select "name" from "agent" where "id" = r."author"),
  'launcher', json(r."launcher"), 'notCounting', r."not_counting",
  'releasedAt', strftime('%Y-%m-%dT%H:%M:%fZ', r."released_at" / 1000.0, 'unixepoch')))
  from "review" r where r."agent_id" = "agent"."id" and r."released_at" is not null and ${which}
  order by r."released_at" desc, r."id" desc limit 1`;

const isNewest = `not exists (select 1 from "review" n where n."agent_id" = r."agent_id" and n."released_at" is not null
  and (n."released_at" > r."released_at" or (n."released_at" = r."released_at" and n."id" > r."id")))`;

const ofAgents = `where "id" in (select "agent_id" from "review" where "released_at" is not null)`;

/**
 * Which verdicts count, depending on who launched the reviewer. Existing verdicts are judged by what is known of their
 * reviewers now: the verdict of a reviewer that is gone, or whose harness is not built in, does not count.
 */
export class CountingVerdicts extends Migration {
  override up(): void {
    const { types, hasOldRows } = dialectOf(this.driver);
    const { text } = types;
    this.addSql(`alter table "host" add column "coding_harnesses" json not null default '[]'`);
    this.addSql('alter table "review" add column "launcher" json null');
    this.addSql(`alter table "review" add column "not_counting" ${text} null`);
    this.addSql('alter table "agent" add column "local_review_conclusion" json null');
    this.addSql('alter table "agent" add column "uncounted_review_conclusion" json null');
    if (hasOldRows) this.#judge();
  }

  #judge(): void {
    this.addSql(
      `update "review" set "not_counting" = (${notCounting}), "launcher" = (${launcher})
        where "released_at" is not null and "author" <> 'person'`,
    );
    this.addSql(
      `update "agent" set "local_review_conclusion" = (${conclusion('r."not_counting" is null')}),
        "uncounted_review_conclusion" = (${conclusion(`r."not_counting" is not null and ${isNewest}`)}) ${ofAgents}`,
    );
    this.addSql(
      `update "agent" set "local_review_verdict" = json_extract("local_review_conclusion", '$.verdict') ${ofAgents}`,
    );
    this.addSql('update "agent" set "local_review_tree" = null where "uncounted_review_conclusion" is not null');
  }
}
