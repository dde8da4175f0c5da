import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';

export async function memberOfMailbox(
  tx: Db,
  { now, newId }: Pick<Ctx, 'now' | 'newId'>,
  email: string,
): Promise<{ memberId: string; joined: boolean }> {
  const id = newId('mem');
  const [inserted] = await tx`
    insert into member (id, email, created_at) values (${id}, ${email}, ${now})
    on conflict (email) do nothing returning 1`;
  if (inserted !== undefined) return { memberId: id, joined: true };
  const [existing] = await tx<{ id: string }[]>`select id from member where email = ${email}`;
  if (existing === undefined) throw new Error('The member was deleted while signing in.');
  return { memberId: existing.id, joined: false };
}
