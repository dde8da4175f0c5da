import assert from 'node:assert/strict';
import type { Actor } from '../../core/context.ts';

export type CallingPartner = Extract<Actor, { kind: 'partner' }>;

/** The partner who calls, in an operation that only partners may call. */
export function partnerOf(actor: Actor): CallingPartner {
  assert.ok(actor.kind === 'partner', 'Only a partner reaches this operation.');
  return actor;
}
