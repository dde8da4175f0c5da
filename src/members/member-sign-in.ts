import {
  enterSignInCode,
  openSignIn,
  sendSignInCode,
  type CodeEntered,
  type CodeSent,
  type SignIn,
} from '../accounts/sign-in/sign-in-code.ts';
import { recordAudit } from '../core/audit.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { openMemberSession } from './member-session.ts';

/** Mails a code to whoever wants to join or to sign in again. */
export function sendMemberCode(deps: Deps, signIn: SignIn): Promise<CodeSent> {
  return deps.pool.begin((sql) => sendSignInCode(deps, sql, 'member', signIn));
}

/** The mailbox that a code went to, as long as the code can still be entered. */
export function openMemberSignIn(deps: Deps, attemptId: string): Promise<string | undefined> {
  return openSignIn(deps, 'member', attemptId);
}

/** Takes a code, and gives the cookie of the session. A mailbox that is new here becomes a member. */
export function enterMemberCode(
  deps: Deps,
  attemptId: string,
  code: string,
): Promise<CodeEntered<{ cookie: string }>> {
  return enterSignInCode(deps, 'member', { attemptId, code }, async (sql, email) => {
    const memberId = await memberWith(deps, sql, email, attemptId);
    return { cookie: await openMemberSession(deps, sql, memberId) };
  });
}

async function memberWith(deps: Deps, db: Db, email: string, attemptId: string): Promise<string> {
  const id = deps.newId('mem');
  const now = deps.clock.now();
  const [joined] = await db`
    insert into member (id, email, created_at) values (${id}, ${email}, ${now})
    on conflict (email) do nothing returning 1`;
  if (joined !== undefined) {
    await recordAudit(db, {
      at: now,
      actor: id,
      operation: 'join_member',
      requestId: attemptId,
      subject: id,
    });
    return id;
  }
  const [known] = await db<{ id: string }[]>`select id from member where email = ${email}`;
  if (known === undefined) throw new Error('A member vanished while signing in.');
  return known.id;
}
