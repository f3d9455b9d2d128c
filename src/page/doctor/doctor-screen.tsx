import { useQueryClient } from '@tanstack/react-query';
import { CodeText } from '#page/parts/code-text.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Tag } from '#page/parts/tag.tsx';
import type { Tone } from '#page/parts/tone.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import './doctor.css';
import { type Finding, type Part, useDoctor, useGateway, worstRank } from './use-doctor.ts';

const words: Readonly<Record<Finding['outcome'], { readonly tone: Tone; readonly word: string }>> = {
  ok: { tone: 'good', word: 'ok' },
  warn: { tone: 'wants', word: 'warning' },
  fail: { tone: 'bad', word: 'failure' },
};

/** Shows whether everything works, and how to fix what does not: the gateway, the registry and each host. */
export function DoctorScreen() {
  const queries = useQueryClient();
  const gateway = useGateway();
  const { data: parts = [], error, isFetching } = useDoctor();
  const all = [...(gateway.data === undefined ? [] : [gateway.data]), ...parts].sort(
    (one, other) => worstRank(one) - worstRank(other),
  );
  const isLooking = isFetching || gateway.isFetching;
  const again = (): void => {
    for (const queryKey of [['doctor'], ['readyz']]) void queries.invalidateQueries({ queryKey });
  };
  useKeys({ r: again });
  return (
    <main className="doctor">
      <div className="doctor-head">
        <h1>Doctor</h1>
        <p role="status">{all.length > 0 && <Summary findings={all.flatMap(({ findings }) => findings)} />}</p>
        <button type="button" className="button" onClick={again} disabled={isLooking} aria-keyshortcuts="r">
          Check again <kbd>r</kbd>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it can be focused, and it is scrolled by key */}
      <section className="doctor-parts" tabIndex={0} aria-label="Results">
        <Trouble error={error} />
        {all.map((part) => (
          <PartCard key={part.id} part={part} />
        ))}
        {all.length === 0 && <p className="muted">Checking …</p>}
      </section>
    </main>
  );
}

/** The overall state, in one line. */
function Summary({ findings }: { readonly findings: readonly Finding[] }) {
  const count = (outcome: Finding['outcome']): number => findings.filter((one) => one.outcome === outcome).length;
  const [fails, warnings] = [count('fail'), count('warn')];
  if (fails > 0)
    return (
      <Tag tone="bad" word={`${amount(fails, 'failure')}${warnings > 0 ? `, ${amount(warnings, 'warning')}` : ''}`} />
    );
  if (warnings > 0) return <Tag tone="wants" word={`No failures; ${amount(warnings, 'warning')}`} />;
  return <Tag tone="good" word="No failures or warnings" />;
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function PartCard({ part: { id, title, about, findings } }: { readonly part: Part }) {
  const heading = `doctor-${id}`;
  return (
    <section className="doctor-part" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        <p className="muted">{about}</p>
      </header>
      <ul>
        {findings.map((finding) => (
          <Line key={`${finding.name} ${finding.found}`} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function Line({ finding: { name, outcome, found, mend } }: { readonly finding: Finding }) {
  const { tone, word } = words[outcome];
  return (
    <li data-outcome={outcome}>
      <Tag tone={tone} word={word} />
      <span className="doctor-name">{name}</span>
      <span className="doctor-found">
        <CodeText text={found} />
        {mend !== '' && (
          <span className="doctor-mend">
            <CodeText text={mend} />
          </span>
        )}
      </span>
    </li>
  );
}
