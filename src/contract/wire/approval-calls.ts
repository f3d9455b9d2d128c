import { z } from 'zod';
import { ReadQuestion } from '#contract/approval/asked-question.ts';
import { ScreenTail } from '#contract/pane/sighting.ts';

const Path = z.string().max(8_192);

/** Where the file of a question is: its path and the agent's directory, each also with links followed. */
export const ResolvedPath = z.object({ absolute: Path, resolved: Path, folder: Path, resolvedFolder: Path });

/** The calls of the registry to a host about questions that rules may answer. */
export const approvalCalls = {
  /** The question on an agent's screen, without secrets; absent if it asks nothing. */
  question: {
    verb: 'question',
    request: z.object({ agentId: z.string() }),
    response: z.object({
      screenDigest: z.string(),
      /** Identifies the question to the last character, for `answer`. */
      questionDigest: z.string().optional(),
      question: ReadQuestion.optional(),
      /** Absent if it names no file, or one that cannot be resolved. */
      place: ResolvedPath.optional(),
      screen: ScreenTail,
    }),
  },
} as const;
