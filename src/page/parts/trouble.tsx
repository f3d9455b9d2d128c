import { failureText } from '#page/api/failure-text.ts';

/** What went wrong, in the service's own words; nothing if nothing did. */
export function Trouble({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="failure">
      {failureText(error)}
    </p>
  );
}
