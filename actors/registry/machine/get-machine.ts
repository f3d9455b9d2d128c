import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { getMachine } from '#contract/operations/fact.ts';
import { quoted } from '#contract/quoted.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import { drawingOf } from '#machines/chart/drawing.ts';

/** Describes a machine from its definition. */
export const getMachineHandler = handler(getMachine, async ({ name }) => {
  const drawing = drawingOf(name);
  if (drawing === undefined) {
    throw new Failure(
      'MACHINE_NOT_FOUND',
      `There is no machine ${quoted(name)}: there are ${machineNames.join(', ')}`,
      { field: 'name', metadata: { machine: name } },
    );
  }
  const transitions = drawing.transitions.map(({ effects, ...rest }) => ({ ...rest, effects: [...effects] }));
  return { ...drawing, transitions };
});
