import { noticeKindOf } from '#contract/fact/notice-of-fact.ts';
import { printable } from '#contract/printable.ts';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';
import { tell } from '#page/parts/notices.tsx';

/** Tells a person of hosts that are lost, and of those that are back. */
export function tellOfHosts(facts: readonly Pick<Fact, 'kind' | 'detail'>[]): void {
  for (const { kind, detail } of facts.filter((fact) => fact.kind.startsWith('host.'))) {
    const said = JSON.parse(detail) as { readonly name?: string };
    const name = printable(said.name ?? 'a host');
    const notice = noticeKindOf({ kind, detail: said });
    if (notice === 'NOTICE_KIND_HOST_LOST') {
      tell({ tone: 'failed', text: `Host ${name} is lost: what is shown of its agents is what was last known` });
    }
    if (notice === 'NOTICE_KIND_HOST_BACK') tell({ tone: 'done', text: `Host ${name} is back` });
  }
}
