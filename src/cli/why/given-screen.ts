import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Session } from '#cli/client/session.ts';
import { type OutputFlags, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import { type RulesFlag, readingPage } from './reading-page.ts';

/** The flags that describe a screen from a file. */
export interface ScreenFlags extends OutputFlags, RulesFlag {
  readonly screen: string;
  readonly harness?: string;
  readonly harnessVersion?: string;
  readonly title?: string;
  readonly width?: number;
  readonly height?: number;
  readonly command?: string;
  readonly cursor?: { readonly column: number; readonly row: number };
  readonly status?: string;
  readonly progress?: string;
}

/** Reads a screen from a file by this computer's rules, without the service. */
export async function explainScreen(session: Session, flags: ScreenFlags): Promise<void> {
  const { harness, status, screen: file, output: _, rules: whole, ...given } = flags;
  if (harness === undefined) {
    throw new Failure(
      'INVALID_USAGE',
      '--screen needs --harness: name the CLI of the screen, such as --harness claude',
    );
  }
  const screen = await readScreen(session, file);
  const local = await session.local();
  const known = local.harnesses().filter(({ ruleCount }) => ruleCount > 0);
  if (!known.some(({ name }) => name === harness)) {
    const names = known.map(({ name }) => name).join(', ');
    throw new Failure('HARNESS_NOT_FOUND', `there is no harness ${JSON.stringify(harness)}: there are ${names}`);
  }
  const explanation = local.explain({ ...given, harness, screen, programStatus: status });
  writeRecord(session.io, flags, explanation, () =>
    readingPage(session.io, explanation, { whole, harnessVersion: flags.harnessVersion }),
  );
}

async function readScreen({ io }: Session, file: string): Promise<string> {
  if (file === '-') return textSource(io).read('--screen', '-');
  try {
    return (await readFile(resolve(io.cwd, file), 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Failure('FILE_NOT_FOUND', `--screen names the file ${file}, which cannot be read: correct the path`, {
      cause: error,
      metadata: { path: file },
    });
  }
}
