import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { requireDatabase } from '#actors/registry/installation-files.ts';
import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { type Check, well } from '#contract/host/check.ts';
import type { Config } from '#contract/process-context.ts';
import { type LogDelay, logDelayOf } from '#store/log/log-delay.ts';
import { type DatabaseInspection, inspectDatabase } from '#store/postgres/database-inspection.ts';
import { type ComparedPages, comparePages, damagedPages } from '#store/sqlite/page-comparison.ts';
import { requireWhole } from '#store/sqlite/whole-file.ts';
import { findPort } from '#world/net/tcp-port.ts';
import { findSurvivor } from '#world/process/pid-file.ts';
import { findProgram } from '#world/requirements.mjs';
import { pageState } from '../../bin/page-state.mjs';
import { stateFolderAt } from './state-folder.ts';

/** How long facts may wait for another transaction before the check warns, in milliseconds. */
const maxDelayMs = 10_000;
/** How far the clocks of the database and this computer may differ. */
const maxOffsetSeconds = 2;

/** Checks that the gateway has its port, or could have it. */
export async function checkPort({ bind, port, home }: Config): Promise<Check> {
  const name = 'port';
  const addresses = addressesOf(bind);
  const found = await findPort(addresses, port).catch((error: Failure) => error);
  if (found instanceof Failure)
    return { name, outcome: 'fail', found: found.message, mend: 'set MUSTER_BIND and MUSTER_PORT' };
  if ('port' in found) return well(name, port === 0 ? 'any free one' : `${port} is free on ${addresses.join(' and ')}`);
  const pid = await findSurvivor(join(stateFolderAt(home).run, 'gateway.pid'));
  if (pid !== undefined) return well(name, `${port} is muster's own, process ${pid}`);
  const mend = 'end that program, or set MUSTER_PORT: browsers may mistake it for muster, and muster cannot start';
  return { name, outcome: 'fail', found: `${port} on ${found.takenAt} is in use by another program`, mend };
}

/** Checks that the page was built from the current sources. */
export function checkPage({ place, isBuilt } = pageState()): Check {
  if (isBuilt && existsSync(join(place, 'index.html'))) return well('page', `built in ${place}`);
  const found = existsSync(join(place, 'index.html')) ? 'it was built from other sources' : `there is none in ${place}`;
  return {
    name: 'page',
    outcome: 'warn',
    found,
    mend: 'build it with `node bin/page.mjs`, as npm start does, and restart',
  };
}

/** Checks the program with which `muster open` opens the page. */
export function checkBrowser(
  environment: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): Check {
  const name = 'browser';
  if (platform === 'darwin') return well(name, 'muster open opens the page with `open`');
  const mend = 'open the address that `muster open` prints; over SSH, forward a port first';
  if (!environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) {
    return well(name, 'no desktop here: muster open prints the address');
  }
  const file = findProgram('xdg-open', environment['PATH']);
  if (file !== undefined) return well(name, `muster open opens the page with ${file}`);
  return { name, outcome: 'warn', found: 'xdg-open is not installed', mend: `install xdg-utils, or ${mend}` };
}

/** Checks that the database can be used. */
export async function checkDatabase(config: Config): Promise<Check> {
  const name = 'database server';
  const mend = 'muster cannot start until this is fixed';
  try {
    const address = databaseAddress(config);
    return address === undefined
      ? checkDatabaseFile(config.home)
      : checkOf(name, await inspectDatabase(address, logDelayOf), Date.now());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, outcome: 'fail', found: error.message, mend };
  }
}

/** Checks that no transaction delays a database's facts, and that its clock agrees with this computer's. */
export function checkOf(
  name: string,
  { found, now, more: delay }: DatabaseInspection & { readonly more: LogDelay | undefined },
  ownNow: number,
): Check {
  const offset = Math.round((now - ownNow) / 1_000);
  if (delay !== undefined && delay.forMs > maxDelayMs) {
    const { facts, forMs, process } = delay;
    const holder =
      process === undefined ? 'a transaction, perhaps a prepared one' : `the transaction of process ${process}`;
    return {
      name,
      outcome: 'warn',
      found: `${found}; ${facts} facts have waited for up to ${Math.round(forMs / 1_000)} s for ${holder}, and nothing newer is shown`,
      mend:
        process === undefined
          ? 'end it: `select * from pg_prepared_xacts` lists prepared ones'
          : `end it: \`select pg_terminate_backend(${process})\`, in any database of the server`,
    };
  }
  if (Math.abs(offset) <= maxOffsetSeconds) return well(name, found);
  const way = offset > 0 ? 'ahead of' : 'behind';
  return {
    name,
    outcome: 'warn',
    found: `${found}; its server's clock is ${Math.abs(offset)} s ${way} this machine's`,
    mend: 'synchronise both clocks (NTP)',
  };
}

/** Checks that the database's file is intact, as far as that is possible while muster uses it. */
export function checkDatabaseFile(home: string): Check {
  const name = 'database file';
  const file = join(home, 'muster.db');
  let compared: ComparedPages;
  try {
    // Checked before the file is opened, because that would create a log next to a copy that lacks its own.
    requireDatabase(home);
    requireWhole(file);
    compared = comparePages(file);
    const { changed, pages } = compared;
    if (changed.length > 0) throw damagedPages(file, changed, pages, holdersOf(file, changed));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, outcome: 'fail', found: error.message, mend: 'muster cannot start until this is fixed' };
  }
  if (!existsSync(file)) return well(name, 'will be created by the first start');
  const mend = 'stop muster, keep the file, restore an intact copy of it, and start again';
  try {
    const said = asked(file, 'pragma quick_check(1)', ({ quick_check: answer }) => String(answer)).join();
    if (said === 'ok') return well(name, `${file} is intact${coverageText(compared)}`);
    return { name, outcome: 'fail', found: `${file} is damaged: ${said}`, mend };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { name, outcome: 'fail', found: `${file} cannot be read: ${said}`, mend };
  }
}

/** How much was checked: every bit of pages with a digest, only the structure of others. */
function coverageText({ pages, compared, inLog }: ComparedPages): string {
  if (compared === 0) {
    return ' in structure; changed bits within rows are not detected until muster has started and recorded its pages';
  }
  const logged = inLog > 0 ? `, ${inLog} are in its log, which SQLite checks when it opens it` : '';
  return `: ${compared} of ${pages} pages match what muster wrote${logged}`;
}

/** The tables and indexes of these pages, which count from 0; empty if they can no longer be determined. */
function holdersOf(file: string, places: readonly number[]): string[] {
  const numbers = places.map((place) => place + 1).join(', ');
  try {
    return asked(file, `select distinct name from dbstat where pageno in (${numbers})`, ({ name }) => String(name));
  } catch {
    return [];
  }
}

/** Runs a query on a database that is opened read-only. */
function asked<T>(file: string, query: string, read: (row: Record<string, unknown>) => T): T[] {
  const database = new Database(file, { readonly: true, timeout: 2_000 });
  try {
    return database.prepare(query).all([]).map(read);
  } finally {
    database.close();
  }
}
