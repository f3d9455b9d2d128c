/** Words of the CLIs' own, by expression, in another language. Longer ones come first. */
type Dictionary = readonly (readonly [RegExp, string])[];

const german: Dictionary = [
  [/\b[Ee]sc (?:again )?(?:to )?(?:interrupt|stop)\b/u, 'Esc zum Anhalten'],
  [/\b[Ee]sc (?:to )?(?:cancel|dismiss|reject)\b/u, 'Esc bricht ab'],
  [/\bctrl\+c to (?:stop|interrupt|cancel)\b/u, 'Strg+C hält an'],
  [/\b[Ee]nter (?:to )?(\w+)\b/u, 'Eingabetaste: $1'],
  [/\bDo you want to\b/u, 'Möchten Sie'],
  [/\bWould you like to\b/u, 'Wollen Sie'],
  [/\bWaiting for\b/u, 'Wartet auf'],
  [/\bstill running\b/u, 'laufen noch'],
  [/\bto manage\b/u, 'zum Verwalten'],
  [/\b[Rr]etrying in\b/u, 'neuer Versuch in'],
  [/\bbackground\b/u, 'im Hintergrund'],
  [/\b(?:Thinking|Working|Considering|Reconnecting|[A-Z][a-z]+ing)(?=…|\.\.\.| \()/u, 'Arbeitet'],
  [/\b(?:Allow|allow)\b/u, 'Erlauben'],
  [/\b[Tt]rust\b/u, 'vertrauen'],
  [/\bYes\b/u, 'Ja'],
  [/\bNo\b/u, 'Nein'],
];

const chinese: Dictionary = [
  [/\b[Ee]sc (?:again )?(?:to )?(?:interrupt|stop|cancel|dismiss|reject)\b/u, 'Esc 取消'],
  [/\bctrl\+c to (?:stop|interrupt|cancel)\b/u, 'Ctrl+C 停止'],
  [/\b[Ee]nter (?:to )?(\w+)\b/u, 'Enter 确认'],
  [/\b(?:Do you want|Would you like) to\b/u, '您是否要'],
  [/\bWaiting for\b/u, '等待'],
  [/\bstill running\b/u, '仍在运行'],
  [/\bto manage\b/u, '管理'],
  [/\b[Rr]etrying in\b/u, '重试于'],
  [/\bbackground\b/u, '后台'],
  [/\b(?:Thinking|Working|Considering|Reconnecting|[A-Z][a-z]+ing)(?=…|\.\.\.| \()/u, '正在思考'],
  [/\b(?:Allow|allow)\b/u, '允许'],
  [/\b[Tt]rust\b/u, '信任'],
  [/\bYes\b/u, '是'],
  [/\bNo\b/u, '否'],
];

/** The languages that a CLI's words are put into. */
export const languages: readonly [Dictionary, ...Dictionary[]] = [german, chinese];
