import assert from 'node:assert/strict';
import type { Actor } from '../../core/context.ts';

/** What the tools have in common by which partners book tables. */
export const bookingTool = { tag: 'bookings', access: { who: 'partner' }, tools: ['concierge'] } as const;

/** The same where guests of large assistants call too. */
export const guestTool = { ...bookingTool, tools: ['concierge', 'reserve'], strangersText: true } as const;

export type CallingPartner = Extract<Actor, { kind: 'partner' }>;

/** The partner who calls, in an operation that only partners may call. */
export function partnerOf(actor: Actor): CallingPartner {
  assert.ok(actor.kind === 'partner', 'Only a partner reaches this operation.');
  return actor;
}
