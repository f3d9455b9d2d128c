import { aider } from './aider.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { type Harnesses, harnessesOf } from './harnesses.ts';
import { kilo } from './kilo.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import { shell } from './shell.ts';

/** Every built-in harness, in the order in which a first workflow prefers them. */
export const builtIn: Harnesses = harnessesOf([
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  pi,
  cline,
  aider,
  cursor,
  amp,
  kilo,
  droid,
  shell,
]);
