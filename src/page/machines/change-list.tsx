import type { ContextChange } from '#page/client/fact/v1/fact_pb.js';

/** The changes of a machine's context by a transition: each field, with its previous value. */
export function ChangeList({ changes }: { readonly changes: readonly ContextChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label="Changes of this transition">
      <h3>Changes of this transition</h3>
      <dl className="changes">
        {changes.map(({ path, before, after }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>
              {before === '' ? <span className="muted">nothing</span> : <del>{readable(before)}</del>}
              <span aria-hidden="true"> → </span>
              <span className="unseen">became</span>
              {after === '' ? <span className="muted">nothing</span> : <ins>{readable(after)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/**
 * A number in this range is shown as a time: machines store times in milliseconds since 1970, and no other numbers are
 * so large.
 */
const times = { from: Date.UTC(2020), to: Date.UTC(2100) } as const;

function readable(json: string): string {
  const value = /^[0-9]{13}$/.test(json) ? Number(json) : 0;
  return value >= times.from && value < times.to ? new Date(value).toISOString() : json;
}
