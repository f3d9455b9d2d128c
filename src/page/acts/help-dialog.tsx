import { Dialog } from '#page/dialog/dialog.tsx';
import { type KeyMeaning, keyGroups } from './key-groups.ts';

/** Lists all keys, by screen. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="body">
        {keyGroups.map(({ screen, keys }) => (
          <section key={screen} aria-label={screen}>
            <h3>{screen}</h3>
            <KeyList keys={keys} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: readonly KeyMeaning[] }) {
  return (
    <dl className="key-list">
      {keys.map(([names, what]) => (
        <div key={`${names} ${what}`}>
          <dt>
            <kbd>{names}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
