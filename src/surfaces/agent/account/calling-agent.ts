import assert from 'node:assert/strict';
import type { Actor } from '../../../core/context.ts';

/** The agent who calls; the runner lets nobody else in where an operation asks for one. */
export function agentOf(actor: Actor): string {
  assert(actor.kind === 'agent', 'only an agent gets this far');
  return actor.id;
}
