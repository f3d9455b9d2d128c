import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { labelMeanings, type RecordedScreen, reasonOfLabel, ScreenLabel } from '#contract/pane/recorded-screen.ts';

/** The metadata stored with a screen's rows. The first keys are those of a golden screen in the repository. */
const Facts = z.object({
  label: ScreenLabel,
  moment: z.int().positive(),
  title: z.string().default(''),
  command: z.string().default(''),
  /** Column and row, counting from zero. */
  cursor: z.string().regex(/^\d+,\d+$/),
  /** Columns and rows. */
  size: z.string().regex(/^\d+x\d+$/),
  programStatus: z.string().default(''),
  progress: z.string().default(''),
  dead: z.boolean().default(false),
});

/** The maximum number of screens of a harness. */
const maxScreens = 2_000;

/** The recorded screens in a folder, ordered by name; none if the folder is missing. */
export function readScreens(folder: string): RecordedScreen[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.slice(0, maxScreens).map((name) => readScreen(folder, name));
}

function readScreen(folder: string, name: string): RecordedScreen {
  const path = join(folder, name);
  try {
    const facts = Facts.parse(JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8')));
    const rows = readFileSync(join(path, 'screen.txt'), 'utf8').split('\n');
    const { label, moment, cursor, size, ...rest } = facts;
    const [column = 0, row = 0] = cursor.split(',').map(Number);
    const [width = 0, height = 0] = size.split('x').map(Number);
    const capture = { rows, ...rest, width, height, cursor: { column, row }, inMode: false };
    return { name, label, moment, capture };
  } catch (error) {
    const said = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Failure('INVALID_VALUE', `the recorded screen ${path} cannot be read: ${said}; correct or remove it`);
  }
}

/** Stores screens, each atomically. */
export function writeScreens(folder: string, screens: readonly RecordedScreen[]): void {
  for (const { name, label, moment, capture } of screens) {
    const draft = join(folder, `.${name}`);
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const { title, command, cursor, width, height, programStatus, progress, dead } = capture;
    const facts = {
      state: labelMeanings[label].state,
      reason: reasonOfLabel(label),
      title,
      command,
      cursor: `${cursor.column},${cursor.row}`,
      size: `${width}x${height}`,
      ...(programStatus === '' ? {} : { programStatus }),
      ...(progress === '' ? {} : { progress }),
      ...(dead ? { dead } : {}),
      label,
      moment,
    };
    writeFileSync(join(draft, 'screen.txt'), capture.rows.join('\n'), { mode: 0o600 });
    writeFileSync(join(draft, 'expected.json'), `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, join(folder, name));
  }
}

/** Removes screens. */
export function removeScreens(folder: string, screens: readonly RecordedScreen[]): void {
  for (const { name } of screens) rmSync(join(folder, name), { recursive: true, force: true });
}
