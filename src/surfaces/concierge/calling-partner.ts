import assert from 'node:assert/strict';
import type { Actor } from '../../core/context.ts';

/** Common properties of the tools with which partners book tables. */
export const bookingTool = { tag: 'bookings', access: { who: 'partner' }, tools: ['concierge'] } as const;

/** The same for tools that guests of large assistants call too. */
export const guestTool = {
  ...bookingTool,
  tools: ['concierge', 'reserve'],
  containsUntrustedText: true,
} as const;

type CallingPartner = Extract<Actor, { kind: 'partner' }>;

export function partnerOf(actor: Actor): CallingPartner {
  assert.ok(actor.kind === 'partner', 'Only a partner reaches this operation.');
  return actor;
}
