import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

// Locks on a file belong to a process, so only another process can meet them.

const trying = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 0 });
  try { database.exec('begin immediate'); console.log('free'); } catch (error) { console.log(error.message); }
`;

/** Whether another program could write to the database right now: `free`, or what the database says. */
export function tryToWrite(file: string): string {
  return spawnSync(process.execPath, ['-e', trying, file], { encoding: 'utf8' }).stdout.trim();
}

const changing = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec(process.argv[2]);
  database.close();
`;

/** Has another program change what is in the database. */
export function changeElsewhere(file: string, ...statements: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', changing, file, statements.join(';')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

const holding = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('begin immediate');
  console.log('held');
  process.stdin.resume().on('end', () => database.close());
`;

/** Lets another program hold the database's lock until it is released. */
export async function holdDatabase(file: string): Promise<{ release(): Promise<void> }> {
  const holder = spawn(process.execPath, ['-e', holding, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return {
    async release() {
      const ended = once(holder, 'exit');
      holder.stdin.end();
      await ended;
    },
  };
}
