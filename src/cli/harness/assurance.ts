import type { LabelResult, LearnedHarness, TestedHarness } from '#cli/client/recording.ts';
import { counted } from '#cli/print/counted.ts';
import { textTable } from '#cli/print/text-table.ts';
import { labelMeanings, type ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { printable } from '#contract/printable.ts';

const columns = ['SCREEN', 'STATE', 'READ RIGHT', 'UNCERTAIN', 'WRONG', 'MOMENTS', 'SIZES', 'UNSEEN SIZE'].map(
  (title) => ({
    title,
  }),
);
/** How many misread screens are listed. */
const maxMisread = 12;

/** How well the recorded screens of a harness are read, by label, and which labels were not recorded. */
export function assuranceText(tested: TestedHarness): string {
  const { labels, misread, unseen } = tested;
  const rows = labels.map((one) => cellsOf(one).map((text) => ({ text })));
  const listed = misread.slice(0, maxMisread).map(({ screen, state, reason, rule, verdict }) => {
    const as = `${stateWord(state)}${reason === '' ? '' : ` (${reason})`}`;
    return `  ${printable(screen)} reads ${as} by ${printable(rule)}${verdict === 'wrong' ? ', which is wrong' : ''}\n`;
  });
  const more = misread.length > maxMisread ? `  … ${misread.length - maxMisread} more\n` : '';
  return `${textTable(columns, rows)}${listed.join('')}${more}${unseen.map(unseenText).join('')}`;
}

function cellsOf({ label, right, uncertain, wrong, moments, sizes, heldOut }: LabelResult): string[] {
  const all = right + uncertain + wrong;
  return [
    label,
    stateWord(labelMeanings[label].state),
    `${right} of ${all}`,
    `${uncertain}`,
    `${wrong}`,
    `${moments}`,
    sizes.join(', '),
    heldOut === undefined ? '-' : `${heldOut} of ${all}`,
  ];
}

function stateWord(state: string): string {
  return state.replace('AGENT_STATE_', '');
}

function unseenText(label: ScreenLabel): string {
  const what = label === 'working' || label === 'rest' || label === 'draft' ? label : `a ${label}`;
  return `no ${label} was recorded: ${what} is read by general rules, or as UNCERTAIN\n`;
}

/** The result of learning: where it is stored, and how reliable it is. */
export function learnedText(learned: LearnedHarness): string {
  const { path, folder, like, rightBefore, total, cautions, labels } = learned;
  const right = labels.reduce((sum, one) => sum + one.right, 0);
  const from = like === undefined ? 'the general rules' : `the rules of ${like}`;
  return [
    `\n${printable(path)} is written; its tests are the ${counted(total, 'screen')} in ${printable(folder)}\n`,
    `${from} alone read ${rightBefore} of ${total} correctly; with the learned rules, ${right} of ${total}\n\n`,
    assuranceText(learned),
    ...cautions.map((text) => `caution: ${text}\n`),
    reliabilityText(labels),
  ].join('');
}

/** How reliable the rules are, in one sentence. */
function reliabilityText(labels: readonly LabelResult[]): string {
  const once = labels.filter(({ moments }) => moments < 2).map(({ label }) => label);
  const wrong = labels.some((one) => one.wrong > 0);
  if (wrong) return 'Not reliable: some screens are misread. Record more of them, or change the rules.\n';
  if (once.length === 0) return 'Fairly reliable: every kind of screen was recorded more than once.\n';
  return `Reliable only for what was recorded. Recorded once: ${once.join(', ')}. Record these again with --resume.\n`;
}
