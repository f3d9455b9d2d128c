/** The meaning of a word's colour: good, wrong, busy, needs attention, or unusual. */
export type Tone = 'plain' | 'good' | 'bad' | 'busy' | 'wants' | 'odd';
