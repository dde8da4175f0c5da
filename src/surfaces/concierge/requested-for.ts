import { refuseContacts } from '../../core/text/contact/contact-data.ts';
import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { isLinked, redeemLinkCode } from '../../members/member-link.ts';
import { findMember } from '../../members/member.ts';

interface TableRequest {
  guest_name?: string | undefined;
  member_id?: string | undefined;
  link_code?: string | undefined;
  dry_run?: boolean | undefined;
}

interface Guest {
  forType: 'guest' | 'member';
  memberId: string | null;
  guestName: string;
}

/** Determines whom the table is for. Of a member the venue sees only the name that the member chose. */
export async function guestOf(ctx: Ctx, partnerId: string, request: TableRequest): Promise<Guest> {
  const { guest_name: guestName, member_id: memberId } = request;
  if (memberId === undefined) return { forType: 'guest', memberId: null, guestName: guestName ?? '' };
  // A member links one partner, not everybody who calls in the name of a shared one.
  if (ctx.actor.kind === 'partner' && ctx.actor.shared === true) throw notLinked();
  // A code works once, and a dry run must not redeem it.
  const code = request.dry_run === true ? undefined : request.link_code;
  if (!(await mayAskFor(ctx, partnerId, memberId, code))) throw notLinked();
  const member = await findMember(ctx.db, memberId);
  if (member === undefined) throw notLinked();
  refuseContacts({ member_id: member.displayName });
  return { forType: 'member', memberId, guestName: member.displayName };
}

async function mayAskFor(ctx: Ctx, partnerId: string, memberId: string, code?: string): Promise<boolean> {
  if (await isLinked(ctx.db, memberId, partnerId)) return true;
  if (code === undefined) return false;
  return redeemLinkCode(ctx.db, { memberId, partnerId, code, now: ctx.now });
}

function notLinked(): AppError {
  return new AppError('member_not_linked', 'This member has not linked you. Nothing was changed.', {
    hint: 'The member creates a code at /member/link and gives it to you; send it once as link_code.',
  });
}
