import assert from 'node:assert/strict';
import type { Actor } from '../../core/context.ts';

/** Members shared by reads of agents, to be spread into an operation. */
export const agentReadTool = {
  effect: 'read',
  access: { who: 'agent', scope: 'read' },
  tools: ['agent'],
} as const;

export const agentWriteTool = {
  effect: 'write',
  access: { who: 'agent', scope: 'write' },
  tools: ['agent'],
} as const;

/** Members shared by operations about the account, which only the full list of tools has. */
export const accountTool = {
  tag: 'account',
  containsUntrustedText: false,
  tools: [],
  furtherTools: ['agent'],
} as const;

/** Id of the calling agent; the runner admits no other caller to operations that require one. */
export function agentOf(actor: Actor): string {
  assert(actor.kind === 'agent', 'only an agent gets this far');
  return actor.id;
}
