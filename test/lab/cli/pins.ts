/** A version of a CLI that the lab runs. */
export interface Pin {
  /** Its npm package. */
  readonly package: string;
  readonly version: string;
  /** Arguments that it does not know yet. */
  readonly lacks?: readonly string[];
}

/** What the lab runs of each CLI: the newest version, and two older ones of most. */
export const pins = {
  claude: of('@anthropic-ai/claude-code', '2.1.332', '2.1.318', '2.1.290'),
  codex: [
    ...of('@openai/codex', '0.171.0', '0.163.0'),
    { package: '@openai/codex', version: '0.155.0', lacks: ['--no-daemon'] },
  ],
  gemini: of('@google/gemini-cli', '0.61.0', '0.57.0', '0.53.0'),
  opencode: of('opencode-ai', '1.18.33', '1.18.20', '1.17.18'),
  qwen: of('@qwen-code/qwen-code', '0.24.4', '0.23.0', '0.21.2'),
  copilot: of('@github/copilot', '1.0.102', '1.0.89', '1.0.81'),
  pi: of('@earendil-works/pi-coding-agent', '1.6.0', '1.3.0', '0.87.1'),
  // The newest whose program for Linux is published.
  kilo: of('@kilocode/cli', '7.7.7'),
  cline: of('cline', '3.0.65', '3.0.62', '3.0.57'),
} as const satisfies Readonly<Record<string, readonly Pin[]>>;

/** The newest version of a CLI that is known here. */
export function newestPin(harness: string): Pin {
  const pin = new Map<string, readonly Pin[]>(Object.entries(pins)).get(harness)?.[0];
  if (pin === undefined) throw new Error(`the lab has no CLI ${harness}: it has ${Object.keys(pins).join(', ')}`);
  return pin;
}

function of(name: string, ...versions: readonly string[]): readonly Pin[] {
  return versions.map((version) => ({ package: name, version }));
}
