import { failureText } from '#page/api/failure-text.ts';

/** An error, in the service's words; nothing if there is none. */
export function Trouble({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="failure">
      {failureText(error)}
    </p>
  );
}
