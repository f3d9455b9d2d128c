import type { JsonObject } from '@bufbuild/protobuf';
import { type Resource, type ResourceTemplateType, UriTemplate } from '@modelcontextprotocol/server';
import type { Operation } from '#contract/operation.ts';
import { getAgent } from '#contract/operations/agent.ts';
import { listAgents } from '#contract/operations/list-agents.ts';
import { readPane } from '#contract/operations/pane.ts';
import { listReviewThreads } from '#contract/operations/review-thread.ts';

/** A kind of resource: its address, and the operation that reads it. */
export interface ResourceKind {
  readonly template: ResourceTemplateType;
  readonly address: UriTemplate;
  readonly read: Operation;
  readonly text: (answer: JsonObject) => string;
  /** The part of an answer by which two readings are compared. */
  readonly digest: (answer: JsonObject) => unknown;
  /** Prefixes of the kinds of facts that may change it. */
  readonly facts: readonly string[];
  /** The subject of its facts, if not the id in the address. */
  readonly subjectOf?: (answer: JsonObject) => string;
  /** How often it is checked, in milliseconds, if it also changes without a fact. */
  readonly lookEveryMs?: number;
}

/** The kinds of resources that can be read and subscribed to. */
export const resourceKinds: readonly ResourceKind[] = [
  kindOf('muster://agents/{agentId}', {
    template: {
      name: 'agent',
      description: 'An agent with all its fields, as get_agent returns it.',
      mimeType: 'application/json',
    },
    read: getAgent,
    text: (answer) => JSON.stringify(answer),
    digest: (answer) => JSON.stringify(answer),
    facts: ['agent.'],
  }),
  kindOf('muster://agents/{agentId}/pane', {
    template: {
      name: 'pane',
      description: 'What an agent’s pane shows now, for callers who may use read_pane.',
      mimeType: 'text/plain',
    },
    read: readPane,
    text: ({ screen }) => textAt(screen, 'text'),
    digest: ({ screenDigest }) => screenDigest,
    facts: ['agent.'],
    lookEveryMs: 1_000,
  }),
  kindOf('muster://reviews/{reviewId}', {
    template: {
      name: 'review',
      description:
        'A review with its threads, as list_review_threads returns it; an unreleased one only for its author.',
      mimeType: 'application/json',
    },
    read: listReviewThreads,
    text: (answer) => JSON.stringify(answer),
    digest: (answer) => JSON.stringify(answer),
    facts: ['review.', 'doorbell.'],
    subjectOf: ({ reviews }) => textAt(Array.isArray(reviews) ? reviews[0] : undefined, 'agentId'),
  }),
];

/** The operation that lists resources. */
export const resourceList = {
  operation: listAgents,
  requestOf: (cursor: string | undefined) => (cursor === undefined ? {} : { pagination: { cursor } }),
  resourcesOf: ({ agents }: JsonObject): Resource[] =>
    (Array.isArray(agents) ? agents : []).map((row) => {
      const agent = fieldAt(row, 'agent');
      return {
        uri: `muster://agents/${textAt(agent, 'id')}`,
        name: textAt(agent, 'name'),
        description: textAt(agent, 'state'),
        mimeType: 'application/json',
      };
    }),
} as const;

/** The kind of resource at an address, and the request that reads it; undefined if there is none. */
export function resourceAt(
  uri: string,
): { readonly kind: ResourceKind; readonly request: Record<string, string> } | undefined {
  for (const kind of resourceKinds) {
    const names = kind.address.match(uri);
    if (names === null) continue;
    const request = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, String(value)]));
    return { kind, request };
  }
  return undefined;
}

function kindOf(
  uriTemplate: string,
  kind: Omit<ResourceKind, 'template' | 'address'> & { readonly template: Omit<ResourceTemplateType, 'uriTemplate'> },
): ResourceKind {
  return {
    ...kind,
    template: { ...kind.template, uriTemplate } as ResourceTemplateType,
    address: new UriTemplate(uriTemplate),
  };
}

function fieldAt(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function textAt(value: unknown, name: string): string {
  const field = fieldAt(value, name);
  return typeof field === 'string' ? field : '';
}
