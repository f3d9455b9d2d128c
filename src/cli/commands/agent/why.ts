import { InvalidArgumentError, Option } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { outputOption } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { explainAgent } from '#cli/why/agent.ts';
import { explainScreen, type ScreenFlags } from '#cli/why/given-screen.ts';
import { printTransitions, replayTransitions, type TransitionsFlags } from '#cli/why/transitions.ts';
import { Failure } from '#contract/failure.ts';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';

type WhyFlags = Partial<ScreenFlags> &
  TransitionsFlags & { readonly transitions?: true; readonly replay?: true; readonly batch?: true };

const notes = `
A batch is JSON lines on standard input: {"harness": "claude", "screen": "…", "title": "…", "width": 80, "height": 24}.
Each is answered with {"state", "rule", "reason", "evidence"}, with "detail" if there is one, in order and as it
comes. A line that cannot be read is answered with {"error": {"code", "message"}}, and the exit code is then 2.`;

/** `muster why` */
export const define: Define = (command, session) => {
  command
    .description(
      'Says why an agent is in its state: the rule that decided, the rows that matched, the rules that lost, and its ' +
        'last transitions. In an agent’s pane NAME defaults to that agent. With --screen or --batch it reads screens by this machine’s rules, without a service.',
    )
    .option('--rules', 'show every pattern of the rules that lost')
    .option('--transitions', 'show the last 100 transitions with their screens')
    .addOption(new Option('--moves', 'an earlier name of --transitions').implies({ transitions: true }).hideHelp())
    .option('--replay', 'read the screens of the last transitions again by the current rules')
    .addOption(new Option('-n, --number <count>', 'how many transitions to show').argParser(atLeastOne))
    .addOption(new Option('--rows <count>', 'how many rows of each screen to show').default(12).argParser(atLeastOne))
    .option('--screen <file>', 'read a screen, with its escape sequences, from a file; - is standard input')
    .option('--harness <name>', 'the harness whose screen it is')
    .addOption(
      new Option(
        '--harness-version <version>',
        'the version of its CLI, which is read more strictly if it is newer than the rules',
      ).argParser(versionGiven),
    )
    .option('--title <title>', 'the title of its pane')
    .addOption(new Option('--width <columns>', 'the width of its pane').argParser(atLeastOne))
    .addOption(new Option('--height <rows>', 'the height of its pane').argParser(atLeastOne))
    .option('--command <name>', 'the process in the foreground of its pane')
    .addOption(new Option('--cursor <column,row>', 'where its cursor is, from 0,0').argParser(cursorIn))
    .option('--status <payload>', 'the last OSC 7501 payload, such as state=working')
    .option('--progress <payload>', 'the last OSC 9;4 payload')
    .option('--batch', 'read screens as JSON lines from standard input')
    .addOption(outputOption())
    .addHelpText('after', notes)
    .action((name: string | undefined, flags: WhyFlags) => answer(session, name, flags));
};

async function answer(session: Session, nameOrId: string | undefined, flags: WhyFlags): Promise<void> {
  const { screen, batch, transitions, replay } = flags;
  const name = nameOrId ?? (screen === undefined && !batch ? session.io.env['SERVICE_AGENT_ID'] : undefined);
  const asked = [name !== undefined && 'a name', screen !== undefined && '--screen', batch && '--batch'].filter(
    Boolean,
  );
  if (asked.length !== 1) {
    const given = asked.length === 0 ? 'none of them is' : `${asked.join(' and ')} are`;
    throw new Failure('INVALID_USAGE', `name an agent, or give --screen or --batch: ${given} given`);
  }
  if (screen !== undefined) return explainScreen(session, { ...flags, screen });
  if (name === undefined) {
    if (flags.output === undefined || flags.output === 'jsonl')
      return (await import('#cli/why/batch.ts')).readBatch(session);
    throw new Failure('INVALID_USAGE', `--batch writes JSON lines: leave out -o ${flags.output}`);
  }
  if (replay) return replayTransitions(session, name, flags);
  return transitions ? printTransitions(session, name, flags) : explainAgent(session, name, flags);
}

function versionGiven(text: string): string {
  if (!harnessVersionPattern.test(text))
    throw new InvalidArgumentError('It must be numbers separated by dots, such as 2.2.0.');
  return text;
}

function cursorIn(text: string): { column: number; row: number } {
  const found = /^(\d{1,5}),(\d{1,5})$/.exec(text);
  if (found === null) throw new InvalidArgumentError('It must be a column and a row, such as 0,12.');
  return { column: Number(found[1]), row: Number(found[2]) };
}
