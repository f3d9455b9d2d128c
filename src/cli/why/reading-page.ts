import type { CliIo } from '#cli/client/io.ts';
import { type Entry, entriesText } from '#cli/print/details.ts';
import { textTable } from '#cli/print/text-table.ts';
import { newerText } from '#contract/pane/harness-version.ts';
import { printable } from '#contract/printable.ts';

/** A reading and its rules, from the service or from this computer. */
export interface ReadingExplanation {
  readonly reading?:
    | {
        readonly state?: string | undefined;
        readonly rule?: string | undefined;
        readonly reason?: string | undefined;
        readonly detail?: string | undefined;
        readonly evidence?: readonly string[] | undefined;
      }
    | undefined;
  readonly lost?: readonly { readonly rule?: string | undefined; readonly why?: string | undefined }[] | undefined;
  readonly rules?:
    | {
        readonly harness?: string | undefined;
        readonly version?: string | undefined;
        readonly file?: string | undefined;
        readonly faults?:
          | readonly { readonly line?: number | undefined; readonly reason?: string | undefined }[]
          | undefined;
        readonly instead?: string | undefined;
        readonly recordedWith?: string | undefined;
      }
    | undefined;
}

/** The flag for every pattern of the rules. */
export interface RulesFlag {
  readonly rules?: true;
}

/** How a reading is printed. */
interface Page {
  /** The agent's state and its reason, if they differ from the reading of the screen. */
  readonly before?: readonly Entry[];
  /** Entries between the reading and its rules. */
  readonly more?: readonly Entry[];
  /** Whether to print every pattern of the rules that lost. */
  readonly whole?: boolean | undefined;
  /** The version of the screen's CLI, if known. */
  readonly harnessVersion?: string | undefined;
}

const lostColumns = [{ title: 'REJECTED RULE' }, { title: 'WHY', min: 30 }];

/** A state without its prefix: `WAITING`. */
export function stateWord(state: string | undefined): string {
  return state?.replace('AGENT_STATE_', '') ?? 'UNKNOWN';
}

/** A reading for a person: the state, the evidence, the rules, and then the rules that lost. */
export function readingPage(
  io: CliIo,
  { reading, lost = [], rules }: ReadingExplanation,
  { before = [], more = [], whole = false, harnessVersion }: Page = {},
): string {
  const [first, ...others] = reading?.evidence ?? [];
  const page = entriesText(io, [
    ...before,
    [before.length > 0 ? 'its screen' : 'state', reading && stateWord(reading.state)],
    ['rule', reading?.rule],
    ['reason', reading?.reason],
    ['detail', reading?.detail],
    ['evidence', first],
    ...others.map((row): Entry => ['', row]),
    ...more,
    ['rules', rules && rulesText(rules)],
    ['newer', newerText(harnessVersion, rules?.recordedWith)],
    ['refused', refusalText(rules)],
  ]);
  const shown = lost.map(({ rule = '', why = '' }) => ({ rule, why, short: whole ? why : inShort(why) }));
  const cells = shown.map(({ rule, short }) => [{ text: printable(rule) }, { text: printable(short) }]);
  const rest = shown.some(({ why, short }) => why !== short) ? '… --rules shows every pattern\n' : '';
  return page + (cells.length > 0 ? `\n${textTable(lostColumns, cells, io.stdout.columns)}${rest}` : '');
}

/** Why a rule lost, without patterns: the region of the first condition that failed. */
function inShort(why: string): string {
  const [, how, region] = /^(lacks|barred by) (?:one of )?(\w+)/.exec(why) ?? [];
  if (region === undefined) return why;
  return how === 'lacks' ? `lacks what it looks for in the ${region}` : `barred by the ${region}`;
}

function rulesText({ harness, version, file, faults = [] }: NonNullable<ReadingExplanation['rules']>): string {
  const from = file && faults.length === 0 ? `with ${file}` : 'built in';
  return [harness, version, `(${from})`].filter(Boolean).join(' ');
}

function refusalText(rules: ReadingExplanation['rules']): string | undefined {
  const { file = '', faults = [], instead = 'nothing' } = rules ?? {};
  const [first, ...others] = faults.map(({ line, reason }) => `line ${line}: ${reason}`);
  if (first === undefined) return undefined;
  return `${file} ${first}${others.length > 0 ? ` and ${others.length} more` : ''}; ${instead} stays in use`;
}
