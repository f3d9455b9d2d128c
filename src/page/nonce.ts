/**
 * Lets libraries make style elements (a terminal's, a diff's) under the content security policy: each carries the nonce
 * that this answer came with. What a page of ours did not make itself has no nonce, and is not applied.
 */
export function adoptNonce(): void {
  const { nonce } = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]') ?? {};
  if (!nonce) return;
  const create = document.createElement.bind(document);
  const creating = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const made = create(name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  };
  document.createElement = creating as typeof document.createElement;
}
