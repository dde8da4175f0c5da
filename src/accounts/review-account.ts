import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { recordAudit } from '../core/audit.ts';
import type { NewId } from '../core/ids.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Secrets } from '../core/secret/secrets.ts';
import { DAY_MS } from '../core/time.ts';
import { insertPartner } from './partners/partner.ts';

/** Sixteen digits in groups: the code is used many times, so it is longer than a one-time code. */
const GROUPS = 4;
const GROUP_DIGITS = 4;

export const REVIEW_DAYS_MAX = 365;

interface At {
  secrets: Pick<Secrets, 'session'>;
  now: Date;
  newId: NewId;
}

interface ReviewAccount {
  email: string;
  agentId: string;
  expiresAt: Date;
  code: string;
  added: boolean;
}

/** Thrown when the mailbox already has an account, because a code that is not mailed would give access to it. */
export class MailboxTakenError extends Error {}

export class NoReviewAccountError extends Error {}

export async function addReviewAccount(
  tx: Db,
  { secrets, now, newId }: At,
  { email, days }: { email: string; days: number },
): Promise<ReviewAccount> {
  const code = randomCode();
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const [existing] = await tx<{ agent_id: string }[]>`
    select agent_id from review_account where email = ${email} for update`;
  if (existing === undefined) await refuseTaken(tx, email);
  const agentId = existing?.agent_id ?? (await addAgent(tx, newId('agt'), email, now));
  await addPartner(tx, newId('ptn'), email, now);
  await tx`
    insert into review_account (email, agent_id, code_hash, created_at, expires_at)
    values (${email}, ${agentId}, ${hashCode(secrets, email, code)}, ${now}, ${expiresAt})
    on conflict (email) do update set code_hash = excluded.code_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at, revoked_at = null`;
  const detail = { expires_at: expiresAt.toISOString() };
  await audit(tx, { now, newId, operation: 'add_review_account', agentId, detail });
  return { email, agentId, expiresAt, code, added: existing === undefined };
}

export async function revokeReviewAccount(
  tx: Db,
  { now, newId }: Omit<At, 'secrets'>,
  email: string,
): Promise<void> {
  const [ended] = await tx<{ agent_id: string }[]>`
    update review_account set revoked_at = ${now} where email = ${email} and revoked_at is null returning agent_id`;
  if (ended === undefined) throw new NoReviewAccountError(`${email} has no active review account.`);
  await revokeAccess(tx, email, ended.agent_id, now);
  await audit(tx, { now, newId, operation: 'revoke_review_account', agentId: ended.agent_id, detail: {} });
}

/** Revokes expired review accounts, including their open connections. */
export async function endPastReviewAccounts(tx: Db, at: Omit<At, 'secrets'>): Promise<void> {
  const past = await tx<{ email: string }[]>`
    select email from review_account where revoked_at is null and expires_at <= ${at.now}`;
  for (const { email } of past) await revokeReviewAccount(tx, at, email);
}

export async function isReviewMailbox(db: Db, email: string, now: Date): Promise<boolean> {
  return (await openHash(db, email, now)) !== undefined;
}

export async function isReviewCode(
  db: Db,
  secrets: At['secrets'],
  { email, digits }: { email: string; digits: string },
  now: Date,
): Promise<boolean> {
  const codeHash = await openHash(db, email, now);
  return codeHash !== undefined && timingSafeEqual(codeHash, hashCode(secrets, email, digits));
}

async function openHash(db: Db, email: string, now: Date): Promise<Buffer | undefined> {
  const [row] = await db<{ code_hash: Buffer }[]>`
    select code_hash from review_account where email = ${email} and revoked_at is null and expires_at > ${now}`;
  return row?.code_hash;
}

async function refuseTaken(db: Db, email: string): Promise<void> {
  const [account] = await db`
    select from agent where operator_email = ${email}
    union all select from partner where email = ${email}
    union all select from member where email = ${email}
    union all select from staff where email = ${email}`;
  if (account !== undefined)
    throw new MailboxTakenError(
      `${email} belongs to an account. A review account needs a mailbox of its own.`,
    );
}

async function addAgent(db: Db, id: string, email: string, now: Date): Promise<string> {
  await db`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at, email_verified_at)
    values (${id}, 'Directory review', 'Reviewer of a directory', ${email}, 'The review of a directory.', ${now}, ${now})`;
  return id;
}

/** The partner endpoints are reviewed too. Staff enable bookings for this partner, as for every other. */
async function addPartner(db: Db, id: string, email: string, now: Date): Promise<void> {
  if (await insertPartner(db, id, { email, name: 'Reviewer of a directory' }, now))
    await db`update partner set email_verified_at = ${now} where id = ${id}`;
}

async function revokeAccess(db: Db, email: string, agentId: string, now: Date): Promise<void> {
  await db`delete from operator_session where email = ${email}`;
  await db`delete from sign_in_code where email = ${email}`;
  const [partner] = await db<{ id: string }[]>`
    update partner set bookings_enabled = false where email = ${email} returning id`;
  const partnerId = partner?.id ?? null;
  await db`delete from partner_session where partner_id = ${partnerId}`;
  await db`delete from oauth_grant where agent_id = ${agentId} or partner_id = ${partnerId}`;
  await db`
    update api_key set revoked_at = ${now}
    where (agent_id = ${agentId} or partner_id = ${partnerId}) and revoked_at is null`;
}

function audit(
  db: Db,
  entry: Omit<At, 'secrets'> & { operation: string; agentId: string; detail: Record<string, string> },
): Promise<void> {
  const { now: at, newId, operation, agentId: subject, detail } = entry;
  return recordAudit(db, { at, actor: 'operator', operation, requestId: newId('req'), subject, detail });
}

function randomCode(): string {
  const group = () => String(randomInt(10 ** GROUP_DIGITS)).padStart(GROUP_DIGITS, '0');
  return Array.from({ length: GROUPS }, group).join(' ');
}

function hashCode(secrets: At['secrets'], email: string, code: string): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['review_code', email, code.replaceAll(' ', '')]))
    .digest();
}
