import {
  endedSession,
  newSession,
  sessionHash,
  type WithCookies,
} from '../accounts/sign-in/session-cookie.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Member } from './member.ts';

const SESSION_MS = 30 * 86_400_000;

/** Somebody who has proven a mailbox. Until a name is chosen they are on the way to being a member. */
export type ArrivingMember = Omit<Member, 'displayName'> & { displayName: string | null };

/** Begins a session for a member, and returns the cookie for it. */
export async function openMemberSession(deps: Deps, db: Db, memberId: string): Promise<string> {
  const { cookie, tokenHash } = newSession(deps, 'member', SESSION_MS);
  const now = deps.clock.now();
  await db`
    insert into member_session (token_hash, member_id, created_at, expires_at)
    values (${tokenHash}, ${memberId}, ${now}, ${new Date(now.getTime() + SESSION_MS)})`;
  return cookie;
}

/** The member who is signed in, or undefined. Whoever has no name yet is sent to /member/sign-in like everybody else. */
export async function signedInMember(deps: Deps, request: WithCookies): Promise<Member | undefined> {
  const arriving = await arrivingMember(deps, request);
  if (arriving === undefined) return undefined;
  const { displayName } = arriving;
  return displayName === null ? undefined : { ...arriving, displayName };
}

/** The same, also before a name was chosen. */
export async function arrivingMember(deps: Deps, request: WithCookies): Promise<ArrivingMember | undefined> {
  const hash = sessionHash(deps, 'member', request);
  if (hash === undefined) return undefined;
  const [member] = await deps.pool<ArrivingMember[]>`
    select m.id, m.email, m.display_name as "displayName"
    from member_session s join member m on m.id = s.member_id
    where s.token_hash = ${hash} and s.expires_at > ${deps.clock.now()} and m.forgotten_at is null`;
  return member;
}

/** Ends the session, and returns the cookie that says so. */
export async function closeMemberSession(deps: Deps, request: WithCookies): Promise<string> {
  const hash = sessionHash(deps, 'member', request);
  if (hash !== undefined) await deps.pool`delete from member_session where token_hash = ${hash}`;
  return endedSession(deps, 'member');
}

export async function forgetMemberSessions(db: Db, now: Date): Promise<void> {
  await db`delete from member_session where expires_at <= ${now}`;
}
