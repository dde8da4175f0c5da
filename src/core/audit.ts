import type { Db } from './postgres/db.ts';

/**
 * Details of an audit entry. They contain no text of callers, except hidden text that was removed, in visible
 * form.
 */
export type AuditDetail = Record<string, string | number | boolean | null>;

interface AuditEntry {
  at: Date;
  actor: string;
  operation: string;
  requestId: string;
  subject?: string | null;
  detail?: AuditDetail;
}

/** Writes one audit entry. In a transaction it commits or rolls back together with the change it describes. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db`
    insert into audit_log (at, actor, operation, request_id, subject, detail)
    values (${entry.at}, ${entry.actor}, ${entry.operation}, ${entry.requestId}, ${entry.subject ?? null},
            ${db.json(entry.detail ?? {})})`;
}

export interface AuditLine {
  sequence: string;
  at: Date;
  actor: string;
  operation: string;
  request_id: string;
  subject: string | null;
  detail: Record<string, unknown>;
}

interface AuditFilter {
  actor?: string | undefined;
  operation?: string | undefined;
  subject?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export function listAudit(db: Db, filter: AuditFilter): Promise<readonly AuditLine[]> {
  const { actor, operation, subject, before, limit } = filter;
  return db<AuditLine[]>`
    select sequence::text, at, actor, operation, request_id, subject, detail from audit_log
    where true
      ${actor === undefined ? db`` : db`and actor = ${actor}`}
      ${operation === undefined ? db`` : db`and operation = ${operation}`}
      ${subject === undefined ? db`` : db`and subject = ${subject}`}
      ${before === undefined ? db`` : db`and audit_log.sequence < ${before}`}
    order by audit_log.sequence desc limit ${limit}`;
}

export interface HiddenTextLine {
  at: Date;
  operation: string;
  hidden_text: string;
}

const HIDDEN_LINES_MAX = 10;

/** Lists hidden text that somebody sent, or that was found in what they submitted, newest first. */
export function listHiddenText(db: Db, id: string): Promise<readonly HiddenTextLine[]> {
  return db<HiddenTextLine[]>`
    select at, operation, detail->>'hidden_text' as hidden_text from (
      select sequence, at, operation, detail from audit_log where subject = ${id} and detail ? 'hidden_text'
      union
      select sequence, at, operation, detail from audit_log where actor = ${id} and detail ? 'hidden_text') found
    order by sequence desc limit ${HIDDEN_LINES_MAX}`;
}

/** Lists every operation in the audit log, for the filter. Uses a skip scan, so its cost does not grow with the log. */
export async function listAuditedOperations(db: Db): Promise<string[]> {
  const rows = await db<{ operation: string }[]>`
    with recursive kind as (
      (select operation from audit_log order by operation limit 1)
      union all
      select (select operation from audit_log where operation > kind.operation order by operation limit 1)
      from kind where kind.operation is not null)
    select operation from kind where operation is not null`;
  return rows.map(({ operation }) => operation);
}
