import type { HttpAnswer } from '../send.ts';
import type { Caller } from '../world/caller.ts';

const ENDED =
  /"code":"(invalid_key|key_revoked|token_expired|agent_suspended|partner_suspended|bookings_not_enabled|sign_in_required)"/;
const SIGN_IN = /^\/(console|member|partner)\/(sign-in|password|enrol)/;
const NEW_KEY = /"api_key":"([^"]+)"/;

/** Looks whether an answer says that the caller's credential is no longer good, or gives it another one. */
export function noteEnded(caller: Caller, { status, headers, text }: HttpAnswer): void {
  if (caller.role === 'anonymous' || caller.role === 'stranger') return;
  const key = status === 200 && caller.role === 'agent' ? NEW_KEY.exec(text)?.[1] : undefined;
  if (key !== undefined) caller.credentials = [['Authorization', `Bearer ${key}`]];
  if (isProgram(caller)) {
    if (ENDED.test(text)) caller.ended = true;
    return;
  }
  // A browser that has no session left is led to the sign-in, or has only the cookie of its forms.
  if (status === 303 && SIGN_IN.test(headers.location ?? '')) caller.ended = true;
  if (![...caller.cookies.keys()].some((name) => /_(staff|venue|member|operator|partner)$/.test(name)))
    caller.ended = true;
}

function isProgram({ role }: Caller): boolean {
  return role === 'agent' || role === 'partner' || role === 'oauth client';
}
