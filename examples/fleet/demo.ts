// A fleet at work: a scripted lead launches three scripted implementers into worktrees of their own, mails them, and is
// mailed back. Arguments: the state folder of a service that runs on this machine, and `--clean` to take everything
// away again.
import { execFileSync } from 'node:child_process';
import { argv, stdout } from 'node:process';
import { Chronicle } from './chronicle.ts';
import { reviewTurn } from './review-turn.ts';
import { clearStage, foldersOf, setStage } from './stage-set.ts';
import { connectTools, type Tools } from './tools.ts';

const finishWithinMs = 180_000;

const [, , stateFolder = '', flag] = argv;
const tools = await connectTools();
const begun = Date.now();
try {
  await clearStage(stateFolder, tools);
  if (flag === '--clean') stdout.write('The demo is removed.\n');
  else if (flag === '--review') await review(tools);
  else await perform(tools);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await tools.close();
}

async function perform(person: Tools): Promise<void> {
  const workflowId = await setStage(stateFolder, person);
  const chronicle = new Chronicle(person, workflowId);
  await chronicle.begin();
  stdout.write('A scripted lead has three greetings written. Watch it in another terminal: muster attach lead\n\n');
  const { agent } = await person.call<{ agent: { id: string } }>('create_agent', {
    workflowId,
    title: 'lead',
    prompt: 'Have three greetings written: en, de and fr.',
    flags: 'lead',
    role: 'AGENT_ROLE_ORCHESTRATOR',
    provisionEnabled: false,
  });
  await chronicle.until(agent.id, finishWithinMs, (line) => stdout.write(`${line}\n`));
  const { repository } = foldersOf(stateFolder);
  const log = execFileSync('git', ['-C', repository, 'log', '--all', '--graph', '--format=%h %s (%D)'], {
    encoding: 'utf8',
  });
  const { mails, rings } = chronicle.counts;
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  stdout.write(`\nThe branches of ${repository}:\n${log}\n`);
  stdout.write(`${mails} mails, ${rings} rings, ${seconds} s. muster show lead prints what it recorded.\n`);
  stdout.write('muster ls --archived lists the three; muster demo --clean removes everything.\n');
}

async function review(person: Tools): Promise<void> {
  const workflowId = await setStage(stateFolder, person);
  const { repository } = foldersOf(stateFolder);
  stdout.write(
    'A scripted author writes, and you have its work reviewed. Follow it in another terminal: muster review threads author\n\n',
  );
  await reviewTurn(person, workflowId, repository, (line) => stdout.write(`${line}\n`));
  stdout.write('\nmuster review threads author prints what was said; muster demo --clean removes everything.\n');
}
