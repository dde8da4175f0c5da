import assert from 'node:assert/strict';
import type { Actor } from '../../../core/context.ts';

/** Id of the calling agent; the runner admits no other caller to operations that require one. */
export function agentOf(actor: Actor): string {
  assert(actor.kind === 'agent', 'only an agent gets this far');
  return actor.id;
}
