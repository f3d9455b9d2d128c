/**
 * Lets libraries create style elements, such as those of a terminal or a diff, under the content security policy: each
 * carries the nonce of this response. Style elements without it are not applied.
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
