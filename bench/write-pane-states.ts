// `node bench/write-pane-states.ts`: rewrites the tables of docs/pane-states.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { statesPage, withChangedTable, withStepsTable, withTables } from '#test/pane/states-page.ts';

writeFileSync(statesPage, withStepsTable(withChangedTable(withTables(readFileSync(statesPage, 'utf8')))));
