import type { PullRequest } from '#page/client/forge/v1/forge_pb.js';
import { webAddress } from '#page/parts/web-address.ts';

interface PullLinkProps {
  readonly pull: Pick<PullRequest, 'url' | 'number' | 'title'>;
  readonly tabIndex: 0 | -1;
}

/** The main link of a pull request's row, to its page on the forge. */
export function PullLink({ pull: { url, number, title }, tabIndex }: PullLinkProps) {
  const href = webAddress(url);
  return (
    <a className="row-link" href={href} target="_blank" rel="noopener noreferrer" tabIndex={tabIndex} dir="auto">
      #{number} {title}
    </a>
  );
}
