/** The page for a browser that is not signed in, with what to do. */
export function SignedOut({ because }: { readonly because: string | undefined }) {
  return (
    <main className="signed-out">
      <h1>muster</h1>
      {because !== undefined && <p role="alert">{because}</p>}
      <p>This browser is not signed in. On the machine where muster runs, type</p>
      <pre>muster open</pre>
      <p>and the page opens here, signed in for 30 days.</p>
    </main>
  );
}
