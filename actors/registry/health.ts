import type { Endpoint } from '#bus/bus.ts';
import { figuresSubject, readySubject } from '#bus/subjects.ts';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import type { Store } from '#store/store.ts';
import { processFigures } from '#world/process-figures.ts';

/** How long figures are good, in milliseconds: however many ask, the tables are counted so often at most. */
const goodFor = 1_000;

/** Where gateways ask whether the registry can work, and what it counts. */
export function healthEndpoints(store: Store): readonly Endpoint[] {
  let counted: { readonly at: number; readonly figures: Promise<RegistryFigures> } | undefined;
  const figures = (): Promise<RegistryFigures> => {
    const now = performance.now();
    if (counted === undefined || now - counted.at > goodFor) counted = { at: now, figures: figuresOf(store) };
    return counted.figures;
  };
  return [
    { name: 'ready', subject: readySubject, handle: () => store.read(({ figures }) => figures.look()) },
    { name: 'figures', subject: figuresSubject, handle: figures },
  ];
}

async function figuresOf(store: Store): Promise<RegistryFigures> {
  const stored = await store.read(({ figures }) => figures.read());
  const { bytes, walBytes, writes, facts } = store.figures();
  return {
    ...stored,
    facts: { ...facts },
    database: { bytes, walBytes, writes },
    process: processFigures(),
  };
}
