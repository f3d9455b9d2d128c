import { readFileSync } from 'node:fs';

/** A page of the documentation that the command line shows. */
export interface Topic {
  /** Not the name of a command, whose help `muster help` shows. */
  readonly name: string;
  /** Its file in `docs`, without `.md`, if that has another name. */
  readonly page?: string;
  readonly summary: string;
}

/** The topics, in the order of a first reading. */
export const topics: readonly Topic[] = [
  { name: 'several-machines', page: 'hosts', summary: 'several machines: join, leave, limit, move agents' },
  { name: 'isolation', summary: 'sandboxes and containers around agents, network, profiles' },
  { name: 'unattended', summary: 'fleets left alone: endings, waits, results, limits, approvals, budgets' },
  { name: 'watching', summary: 'notifications, facts, metrics, traces, logs' },
  { name: 'pull-requests', summary: 'forges, and where pull requests stand' },
  { name: 'operating', summary: 'size, service, backup, upgrade, faults' },
  { name: 'security', summary: 'who is trusted with what, and what is stored where' },
  { name: 'pane-states', summary: 'how panes are read, and how to add a CLI' },
  { name: 'other-clis', summary: 'CLIs that are not built in' },
  { name: 'page-and-shell', summary: 'each action on the page and on the command line' },
  { name: 'state-machines', page: 'machines', summary: 'the state machines, drawn' },
];

/** The topics, one a line. */
export function listOfTopics(): string {
  const width = Math.max(...topics.map(({ name }) => name.length));
  return topics.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
}

/** The text of a topic, for a terminal: links are replaced by their words and by where to read on. */
export function textOf(topic: Topic): string {
  return readFileSync(new URL(`../../../docs/${pageOf(topic)}.md`, import.meta.url), 'utf8')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)\n*/g, '')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_text, words: string, target: string) => linkText(words, target));
}

function linkText(words: string, target: string): string {
  if (/^https?:/.test(target)) return `${words} (${target})`;
  const linked = /^(?:\.\/)?([\w-]+)\.md\b/.exec(target)?.[1];
  const topic = topics.find((one) => pageOf(one) === linked);
  return topic === undefined ? words : `${words.replace(/^[\w-]+\.md$/, topic.name)} (muster help ${topic.name})`;
}

/** The file of a topic in `docs`, without `.md`. */
export function pageOf({ name, page = name }: Topic): string {
  return page;
}
