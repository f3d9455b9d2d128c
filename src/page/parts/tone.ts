/** What a word's colour says: done, wrong, at work, wants a look, or something of its own. */
export type Tone = 'plain' | 'good' | 'bad' | 'busy' | 'wants' | 'odd';
