import { noticeKindOf } from '#contract/fact/notice-of-fact.ts';
import { printable } from '#contract/printable.ts';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';
import { showNotice } from '#page/parts/notices.tsx';

/** Shows a notice for hosts that were lost, and for those that are back. */
export function notifyOfHosts(facts: readonly Pick<Fact, 'kind' | 'detail'>[]): void {
  for (const { kind, detail } of facts.filter((fact) => fact.kind.startsWith('host.'))) {
    const said = JSON.parse(detail) as { readonly name?: string };
    const name = printable(said.name ?? 'a host');
    const notice = noticeKindOf({ kind, detail: said });
    if (notice === 'NOTICE_KIND_HOST_LOST') {
      showNotice({ tone: 'failed', text: `Host ${name} is lost. Its agents show their last known state` });
    }
    if (notice === 'NOTICE_KIND_HOST_BACK') showNotice({ tone: 'done', text: `Host ${name} is back` });
  }
}
