import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';

/** The member whose mailbox this is. A mailbox that is new here becomes one. */
export async function memberOfMailbox(
  tx: Db,
  { now, newId }: Pick<Ctx, 'now' | 'newId'>,
  email: string,
): Promise<{ memberId: string; joined: boolean }> {
  const id = newId('mem');
  const [joined] = await tx`
    insert into member (id, email, created_at) values (${id}, ${email}, ${now})
    on conflict (email) do nothing returning 1`;
  if (joined !== undefined) return { memberId: id, joined: true };
  const [known] = await tx<{ id: string }[]>`select id from member where email = ${email}`;
  if (known === undefined) throw new Error('A member vanished while signing in.');
  return { memberId: known.id, joined: false };
}
