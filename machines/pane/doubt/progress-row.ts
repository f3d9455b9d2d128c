const word = "[\\p{L}\\p{M}\\p{N}'’/-]{1,31}";
const doing = '(?!Remaining|Nothing|Everything|Warning|Setting|String|Heading|Finding)\\p{Lu}\\p{L}{2,20}ing';
const time =
  '(?:(?:\\d+ ?(?:h|hrs?|m|min) ?){0,3}\\d+(?:\\.\\d)? ?(?:s|secs?|seconds?|с|сек|秒|초)|\\d{1,2}:\\d\\d(?::\\d\\d)?)';
const count = '\\d[\\d.,]*[kKM]?';
const minutes = '(?:\\d+ ?(?:h|hrs?|hours?|m|mins?|minutes?) ?){1,2}';
const size = '\\d[\\d.,]* ?[kKMGT]?i?B(?:/s)?';

/** How far something is, without what it is. */
const progress = [
  `[([]?(?:(?:~|in |for |after |ETA:? ?) ?)?(?:${time}|${minutes})(?: ?(?:left|remaining|to go))?[)\\]]?`,
  `${size}(?:(?: ?/ ?| of )${size})?`,
  '\\d{1,3}(?:\\.\\d)? ?%(?: \\p{L}+){0,2}',
  '\\d+ ?(?:\\/|of) ?\\d+(?: \\p{L}+){0,2}',
  `(?:[↑↓⬆⬇] ?)?${count} tok(?:en)?s?(?: .{0,30})?`,
  `[Tt]ok(?:en)?s?: ?${count}(?: .{0,30})?`,
  `[↑↓⬆⬇] ?${count}`,
  '[$€£]\\d+[.,]\\d+',
  '(?:[.·•…] ?){1,12}(?<!^[.·•])',
];
/** What runs, by its number or with what it is about. */
const running = [
  `\\d+ (?:${word} ){0,3}(?:running|working|active|queued|pending|in progress|remaining|left)`,
  `${doing}(?: ${word}){0,3}: \\S.{0,60}(?<![.!?])`,
  `[a-z+*–—-] ${doing}(?: ${word}){0,3}`,
  // Marks of what is done, or to be celebrated, end answers.
  `(?![✅❌❎❗❓⛔🎉🎊🚀✨⭐🌟👍👋🙌🔥💯🟢🟡🔴🔵⚪⚫])\\p{Emoji_Presentation}\\ufe0f? +\\p{L}(?:${word})?(?: ${word}){0,3}`,
];
/** Buttons, or short options with their keys, in one row. */
const buttons = [
  '\\p{L}+ \\(\\p{L}\\)(?: +\\p{L}+ \\(\\p{L}\\))+',
  '\\[\\p{L}\\]\\p{L}+(?:(?: *[/|·] *| +)\\[\\p{L}\\]\\p{L}+)+',
  '(?:<\\p{L}+> *){2,}',
  '1[.)] \\p{L}+ {1,4}2[.)] \\p{L}+.{0,40}',
  '(?:[=-]{1,2}>|☞) ?\\p{L}+(?: \\p{L}+){0,2}',
  '\\p{Ll}+ ?\\/ ?\\p{Ll}+(?: ?\\/ ?\\p{Ll}+)?',
];
const alone = new RegExp(`^(?:${[...progress, ...running, ...buttons].join('|')})$`, 'u');

/** Whether a text, all of a row apart, shows progress or offers buttons, as no end of an answer does. */
export const showsProgress = (text: string): boolean => alone.test(text);

const stop = '(?:[Ee]sc(?:ape)?|ESC|⎋|[Cc]trl[+-][Cc]|\\^C)';
const ends = '(?:interrupt|cancel|stop|abort|halt)s?';
/** What a CLI does, in a word for it. A person's own status line has other such words, such as its mode. */
const work =
  '(?:Thinking|Working|Running|Generating|Processing|Executing|Compacting|Compressing|Streaming|Waiting|Retrying|Reconnecting|Connecting|Loading|Searching|Reading|Writing|Indexing|Syncing)';
const setting = '(?:on|off|high|low|medium|max|auto|level|mode|effort|budget|tokens?|tree|dir(?:ectory)?|copy|branch)';
/** What a part of a footer says only during a turn, or with a question: a status line of a person never has it. */
const busy = new RegExp(
  `^(?:${[
    `${work}(?: (?!${setting}\\b)${word}){0,3}(?:: (?!${setting}\\b)\\S.{0,60})?`,
    `(?:${word} ){1,3}(?:is|are) ${work.toLowerCase()}(?: ${word}){0,3}`,
    `\\d+ (?:${word} ){0,3}(?:running|queued|pending|in progress)`,
    '(?:Retry|Retrying|Attempt)(?: \\p{L}+)? \\d.{0,20}',
    `(?:Please wait|One moment)(?: ${word}){0,3}`,
    `(?:Awaiting|Waiting for)(?: ${word}){1,3}`,
    '(?:Approval|Confirmation|Permission|Input) (?:is )?(?:needed|required|pending)',
    '(?:Do you want to|Would you like to|Allow|Proceed|Approve|Continue|Confirm)(?: .{0,60})?\\?',
    '(?:Press |Hit )?(?:[Ee]nter|↵|[Ss]pace|any key) (?:to )?(?:continue|approve|confirm|allow|accept|proceed)(?: .{0,30})?',
    'Press any key',
    `${stop}(?: ?[=:] ?| )${ends}(?: .{0,30})?`,
    `(?:[Tt]o )?${ends} (?:press |with |by )+${stop}`,
    `(?:[Tt]o )?${ends},? press ${stop}`,
    `(?:Press|Hit) ${stop}`,
    ...buttons.slice(0, 3),
  ]
    .map(lowerCase)
    .join('|')})$`,
  'u',
);

/**
 * A pattern for text in lower case. V8 compiles large classes of letters twice as fast as with the flag `i`, which
 * counts where the first screen of a process is read.
 */
function lowerCase(source: string): string {
  return source.replace(/\\p\{\w+\}|\\.|[A-Z]/g, (part) => (part.length > 1 ? part : part.toLowerCase()));
}

/** Whether a part of a footer shows a turn or asks something, in words that only a CLI uses. */
export function showsTurn(part: string): boolean {
  const words = part.replace(/^[^\p{L}\p{N}<[(]{1,3} +/u, '');
  return busy.test(words.toLowerCase()) && !/^\p{Ll}+ing\b/u.test(words);
}
