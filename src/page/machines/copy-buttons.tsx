import { facts } from '#page/api/clients.ts';
import { copy } from '#page/parts/copy.ts';

interface CopyButtonsProps {
  readonly machine: string;
  readonly id: string;
  /** The transition to which the link leads; undefined for none. */
  readonly seq: number | undefined;
}

/** Buttons that copy the machine as a Mermaid diagram, and the address of the shown moment. */
export function CopyButtons({ machine, id, seq }: CopyButtonsProps) {
  const link = (): string => {
    const address = new URL(`/machines/${machine}`, window.location.origin);
    address.searchParams.set('id', id);
    if (seq !== undefined) address.searchParams.set('seq', String(seq));
    return address.href;
  };
  return (
    <div className="copies">
      <button type="button" className="button" onClick={() => void copy('A link to this moment', async () => link())}>
        Copy link
      </button>
      <button
        type="button"
        className="button"
        onClick={() =>
          void copy('The Mermaid diagram', async () => (await facts.getMachine({ name: machine })).mermaid)
        }
      >
        Copy as Mermaid
      </button>
    </div>
  );
}
