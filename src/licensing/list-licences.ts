import type { Db } from '../core/postgres/db.ts';
import type { Use } from './use.ts';

export interface ListedLicence {
  id: string;
  agent_id: string;
  agent_name: string;
  photo_id: string;
  use: Use;
  price_cents: number;
  test: boolean;
  licensed_at: Date;
  refunded_at: Date | null;
}

export async function listLicences(
  db: Db,
  { agentId, limit, offset = 0 }: { agentId?: string | undefined; limit: number; offset?: number },
) {
  const of = agentId === undefined ? db`` : db`where l.agent_id = ${agentId}`;
  const [licences, [counted]] = await Promise.all([
    db<ListedLicence[]>`
      select l.id, l.agent_id, a.agent_name, l.photo_id, l.use, l.price_cents, l.test, l.licensed_at, l.refunded_at
      from photo_licence l join agent a on a.id = l.agent_id ${of}
      order by l.licensed_at desc, l.id desc limit ${limit} offset ${offset}`,
    db<{ total: string }[]>`select count(*) as total from photo_licence l ${of}`,
  ]);
  return { licences, total: Number(counted?.total ?? 0) };
}
