import { paneSize } from '#world/terminal/pane-size.ts';
import type { WindowSpec } from '#world/terminal/terminal.ts';
import { commandLine, startVariables } from '#world/terminal/window-spec.ts';
import { choice, quote, sequence } from './control-line.ts';
import { agentOption, listPanes } from './pane-table.ts';
import { session } from './server.ts';
import { windowName } from './window-name.ts';

const last = `-t ${quote(`${session}:{end}`)}`;

/**
 * The lines that open an agent's window if none is tagged with its id yet, and list all panes. The server searches,
 * opens and tags in one step: whenever the caller dies, there is one window with the id, or none. A shell enters the
 * directory and becomes the program, because tmux itself would expand formats in a directory's name.
 */
export function launchLines(spec: WindowSpec): string[] {
  const exists = `#{S:#{W:#{P:#{?#{==:#{${agentOption}},${spec.agentId}},1,}}}}`;
  const variables = Object.entries(startVariables(spec)).map(([name, value]) => `-e ${quote(`${name}=${value}`)}`);
  const command = commandLine(spec).map(quote).join(' ');
  const name = quote(windowName(spec.name, spec.agentId));
  const open = sequence(
    `new-window -d -a ${last} -n ${name} ${variables.join(' ')} -- ${command}`,
    `set-option -p ${last} ${agentOption} ${spec.agentId}`,
    `resize-window ${last} -x ${paneSize.columns} -y ${paneSize.rows}`,
  );
  return [choice(exists, undefined, 'display-message -p muster-adopted', open), listPanes];
}
