import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { postMessage } from '../../messages/post-message.ts';
import { removeEndpoint } from '../../webhooks/endpoint.ts';

/**
 * The first proof of an operator's mailbox revokes the earlier key, because anybody can sign up with any address; the
 * caller then invalidates the key caches. Returns the display prefix of the revoked key.
 */
export async function proveAgentMailbox(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  email: string,
): Promise<string | undefined> {
  const { now } = ctx;
  const [first] = await tx<{ id: string; agent_name: string }[]>`
    update agent set email_verified_at = ${now} where operator_email = ${email} and email_verified_at is null
    returning id, agent_name`;
  if (first === undefined) return undefined;
  const [key] = await tx<{ prefix: string }[]>`
    update api_key set revoked_at = ${now}, revoked_because = 'mailbox_proven'
    where agent_id = ${first.id} and revoked_at is null returning prefix`;
  if (key !== undefined) await mailEndedKey(tx, ctx, { ...first, email, prefix: key.prefix });
  return key?.prefix;
}

async function mailEndedKey(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  { id, agent_name: agent, email, prefix }: { id: string; agent_name: string; email: string; prefix: string },
): Promise<void> {
  const { serviceName, baseUrl, contactEmail } = ctx.deps.config;
  const text = [
    `Somebody has just verified this mailbox with a code or a link that ${serviceName} mailed here. Until now it was not verified, and the person who signed up the agent "${agent}" with this address had its API key ${prefix}….`,
    'That key no longer works: every call with it is refused from now on. Submissions, plan and wallet stay with the account.',
    `If the key was yours and you have not just been shown a new one, send POST ${baseUrl}/api/agent/recover with your address: you get a link to a new key by mail. The new key stays valid, however often you sign in.`,
    `If you do not know this agent, you need not do anything: nobody can act in your name with the old key any more. If you have questions, write to ${contactEmail}.`,
  ].join('\n\n');
  const subject = `The earlier API key of ${agent} no longer works`;
  await postMessage(tx, ctx, {
    channel: 'mail',
    to: email,
    subject,
    text,
    purpose: 'key_ended',
    subject_id: id,
  });
}

export async function findAgentOf(db: Db, email: string): Promise<string | undefined> {
  const [agent] = await db<{ id: string }[]>`select id from agent where operator_email = ${email}`;
  return agent?.id;
}

export interface EarlierKey {
  agent_name: string;
  prefix: string;
  /** True when the proof of the mailbox has revoked it; false when it will. */
  ended: boolean;
}

/** Finds the key from before the proof of a mailbox: one that the proof will revoke, or revoked within the last day. */
export async function findEarlierKey(db: Db, email: string, now: Date): Promise<EarlierKey | undefined> {
  const [key] = await db<EarlierKey[]>`
    select a.agent_name, k.prefix, k.revoked_at is not null as ended
    from agent a join api_key k on k.agent_id = a.id
    where a.operator_email = ${email} and (
      k.revoked_at is null and a.email_verified_at is null
      or k.revoked_because = 'mailbox_proven' and k.revoked_at > ${new Date(now.getTime() - DAY_MS)})`;
  return key;
}

/**
 * The first proof of a partner's mailbox revokes every other key and removes the webhook, which may be a stranger's.
 * Returns the display prefix of the live key that was revoked.
 */
export async function provePartnerMailbox(
  db: Db,
  partnerId: string,
  now: Date,
  proof?: Buffer,
): Promise<string | undefined> {
  const first = await db`
    update partner set email_verified_at = ${now} where id = ${partnerId} and email_verified_at is null`;
  if (first.count === 0) return undefined;
  await removeEndpoint(db, partnerId, now);
  const ended = await db<{ prefix: string; pending_until: Date | null }[]>`
    update api_key set revoked_at = ${now}, revoked_because = 'mailbox_proven'
    where partner_id = ${partnerId} and revoked_at is null and hash is distinct from ${proof ?? null}
    returning prefix, pending_until`;
  return ended.find(({ pending_until }) => pending_until === null)?.prefix;
}
