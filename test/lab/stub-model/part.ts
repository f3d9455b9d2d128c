/** One part of an answer. A part that is held continues until the test releases it. */
export type Part =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'held'; readonly as: 'text' | 'thought' | 'silence' }
  | { readonly kind: 'refusal'; readonly status: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
