import { z } from 'zod';
import { ownStatuses } from '#contract/http-status.ts';
import { commandName, guidanceOf, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { type DeclaredType, declaredTypes } from '#contract/parse/declared-type.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { failureReasons, reasonGroups } from '#contract/reason/failure-reasons.ts';
import type { ReasonMeaning } from '#contract/reason/reason-meaning.ts';
import { operations, resources } from '#contract/table.ts';
import { exampleOf } from './example.ts';
import { examples } from './examples.ts';
import { fieldTable, shortName } from './fields.ts';
import { indexOpening, meanings, ownStatusText, reasonsOpening, reasonText } from './index-text.ts';

/** The text after the refusals of each operation. */
const usual = 'as any call';

const folder = 'docs/reference';

/** The pages of docs/reference/ by path: an index, a page per service, the messages and the reasons. */
export function referencePages(): Readonly<Record<string, () => string>> {
  const services = Object.entries(Object.groupBy(operations, ({ service }) => service));
  const pages = services.map(
    ([service, rows = []]) => [pathOfPage(service), () => servicePage(service, rows)] as const,
  );
  return {
    [`${folder}/README.md`]: () => indexPage(services),
    ...Object.fromEntries(pages),
    [`${folder}/messages.md`]: messagesPage,
    [`${folder}/reasons.md`]: reasonsPage,
  };
}

function pathOfPage(service: string): string {
  return `${folder}/${fileOf(service)}`;
}

function fileOf(service: string): string {
  return `${service.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;
}

function indexPage(services: readonly (readonly [string, readonly Operation[] | undefined])[]): string {
  const lists = services.flatMap(([service, rows = []]) => [
    `## [${service}](${fileOf(service)})`,
    '',
    '| operation | | tool | command |',
    '|---|---|---|---|',
    ...rows.map((row) => {
      const link = `[${row.method}](${fileOf(service)}#${row.method.toLowerCase()})`;
      return `| ${link} | ${row.summary} | \`${toolName(row)}\` | \`${commandName(row)}\` |`;
    }),
    '',
  ]);
  const refusals = Object.entries(failureCodes).flatMap(([code, { status, retry }]) => {
    const meaning = meanings[code as FailureCode];
    return meaning === undefined ? [] : [`| \`${code}\` | ${status} | ${retry ? 'yes' : ''} | ${meaning} |`];
  });
  const own = Object.entries(ownStatuses).map(
    ([status, { reason, when }]) => `| ${status} | \`${failureReasons[reason].code}\` | \`${reason}\` | ${when} |`,
  );
  const tables = ['| code | HTTP | again | |', '|---|---|---|---|', ...refusals, '', ownStatusText, ...own, ''];
  return [indexOpening, ...tables, reasonText, ...lists].join('\n');
}

function servicePage(service: string, rows: readonly Operation[]): string {
  const opening = [
    `# ${service}`,
    '',
    '`npm run docs` generates this page from the table of operations. [How to call, and refusals of every call](README.md).',
    '',
  ];
  return [...opening, ...rows.map(operationSection)].join('\n');
}

function operationSection(row: Operation): string {
  const offered = ['a person', ...row.roles].join(', ');
  const example = examples[row.method];
  return [
    `## ${row.method}`,
    '',
    row.summary,
    '',
    guidanceOf(row),
    '',
    `- HTTP \`POST /${pathOf(row)}\`, MCP \`${toolName(row)}\`, command \`muster rpc ${commandName(row)}\``,
    `- ${traitsOf(row).join('; ')}`,
    `- offered to: ${offered}`,
    `- refused as: ${refusalsOf(row).join(', ')}`,
    '',
    ...fieldTable(row.request, 'request', row.peopleOnly?.fields),
    ...fieldTable(row.response, 'response', row.peopleOnly?.fields),
    ...(example === undefined ? [] : [exampleOf(row, example), '']),
  ].join('\n');
}

function traitsOf({ access, idempotent, destructive, watch }: Operation): string[] {
  return [
    access === 'read' ? 'reads only' : 'writes',
    idempotent ? 'idempotent' : 'not idempotent',
    ...(destructive ? ['destructive'] : []),
    ...(watch ? ['a stream; as a tool it waits for changes, at most `timeoutSeconds`'] : []),
  ];
}

/**
 * The codes that an operation's guidance names, and those that follow from its fields. The index lists general ones.
 */
function refusalsOf(row: Operation): string[] {
  const { request, roles } = row;
  const shape = Object.keys((request as z.ZodObject).shape).length > 0 ? ['invalid_argument'] : [];
  const role = roles.length < 3 ? ['permission_denied'] : [];
  const about = Object.keys((request as z.ZodObject).shape).some((name) => /(^i|I)d$/.test(name)) ? ['not_found'] : [];
  const named = Object.keys(failureCodes).filter((code) => new RegExp(`\\b${code}\\b`).test(guidanceOf(row)));
  return [...new Set([...shape, ...about, ...role, ...named])].map((code) => `\`${code}\``).concat(usual);
}

function messagesPage(): string {
  const shownElsewhere = new Set(operations.flatMap(({ request, response }) => [request, response]));
  const types = [...declaredTypes(operations, resources)].filter(([, { schema }]) => !shownElsewhere.has(schema));
  const sorted = types.toSorted(([one], [other]) => shortName(one).localeCompare(shortName(other)));
  const chapters = sorted.flatMap(([name, type]) => [
    `## ${shortName(name)}`,
    '',
    `\`${name}\``,
    '',
    ...typeText(type),
  ]);
  const opening = [
    '# Messages and enumerations',
    '',
    '`npm run docs` generates this page from the contract. Times in answers are UTC with milliseconds, such as `2026-11-21T20:14:00.000Z`.',
    '',
  ];
  return [...opening, ...chapters].join('\n');
}

function reasonsPage(): string {
  const chapters = Object.entries(reasonGroups).flatMap(([group, reasons]) => [
    `## ${group}`,
    '',
    '| reason | code | meaning | metadata |',
    '|---|---|---|---|',
    ...Object.entries<ReasonMeaning>(reasons).map(reasonRow),
    '',
  ]);
  return [reasonsOpening, ...chapters].join('\n');
}

function reasonRow([reason, { code, meaning, metadata = {} }]: readonly [string, ReasonMeaning]): string {
  const keys = Object.entries(metadata).map(([key, text]) => `\`${key}\`: ${text}`);
  return `| \`${reason}\` | \`${code}\` | ${meaning} | ${keys.join(' ')} |`;
}

function typeText({ schema, meanings }: DeclaredType): string[] {
  if (!(schema instanceof z.ZodEnum)) return fieldTable(schema, 'field');
  const values = Object.entries(meanings).map(
    ([value, meaning], number) => `| ${number} | \`${value}\` | ${meaning} |`,
  );
  return ['| number | value | meaning |', '|---|---|---|', ...values, ''];
}
