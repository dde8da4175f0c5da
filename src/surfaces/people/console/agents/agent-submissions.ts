import type { Db } from '../../../../core/postgres/db.ts';
import { TAKEDOWN_SQL } from '../../../../submissions/submission.ts';

export interface AgentSubmission {
  id: string;
  name: string;
  status: string;
  place_id: string | null;
}

const NEWEST = 20;

/** Lists the agent's latest submissions. */
export function listAgentSubmissions(db: Db, agentId: string): Promise<readonly AgentSubmission[]> {
  return db<AgentSubmission[]>`
    select s.id, coalesce(r.content->>'title', r.content->>'name') as name, s.place_id,
           case when t.submission_id is null then s.status else 'rejected' end as status
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    ${db.unsafe(TAKEDOWN_SQL)}
    where s.agent_id = ${agentId} order by s.created_at desc, s.id desc limit ${NEWEST}`;
}
