import type { Db } from '../../../../core/postgres/db.ts';

export interface AgentWork {
  id: string;
  name: string;
  status: string;
  place_id: string | null;
}

const NEWEST = 20;

/** What an agent submitted last. */
export function agentWork(db: Db, agentId: string): Promise<readonly AgentWork[]> {
  return db<AgentWork[]>`
    select s.id, coalesce(r.content->>'title', r.content->>'name') as name, s.status, s.place_id
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    where s.agent_id = ${agentId} order by s.created_at desc, s.id desc limit ${NEWEST}`;
}
