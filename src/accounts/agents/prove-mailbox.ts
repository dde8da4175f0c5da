import { recordAudit } from '../../core/audit.ts';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { postMessage } from '../../messages/post-message.ts';
import { removeEndpoint } from '../../webhooks/endpoint.ts';

const DAY_MS = 86_400_000;

/**
 * Notes that somebody has proven the mailbox of an operator, by a code or a link that was mailed there. The first proof
 * ends the key from before, because anybody can sign up with anybody's address. Gives how that key began, if there was
 * one; the caller waits for the lease then. No client can be connected before a proof, so that none has to be ended.
 */
export async function proveAgentMailbox(
  { config, newId }: Pick<Deps, 'config' | 'newId'>,
  db: Db,
  email: string,
  { now, requestId }: { now: Date; requestId: string },
): Promise<string | undefined> {
  const [agent] = await db<{ id: string; agent_name: string }[]>`
    update agent set email_verified_at = ${now} where operator_email = ${email} and email_verified_at is null
    returning id, agent_name`;
  if (agent === undefined) return undefined;
  const [key] = await db<{ prefix: string }[]>`
    update api_key set revoked_at = ${now}, revoked_because = 'mailbox_proven'
    where agent_id = ${agent.id} and revoked_at is null returning prefix`;
  const detail = { ended_key: key?.prefix ?? null };
  await recordAudit(db, {
    at: now,
    actor: agent.id,
    operation: 'prove_mailbox',
    requestId,
    subject: agent.id,
    detail,
  });
  if (key === undefined) return undefined;
  const text = [
    `Somebody has just proven that this mailbox is theirs, with a code or a link of ${config.serviceName} that was mailed here. Until then nobody had, and whoever signed up the agent "${agent.agent_name}" with this address held its API key ${key.prefix}….`,
    'That key has ended: it is refused from now on, wherever it is in use. Submissions, plan and wallet stay with the account.',
    `If the key was yours, and you were not shown a new one just now: POST ${config.baseUrl}/api/agent/recover with your address mails you the way to it. The new key stays good, however often you sign in.`,
    `If you know nothing of this agent, there is nothing to do: whoever had the key can no longer act in your name. Questions go to ${config.contactEmail}.`,
  ].join('\n\n');
  const subject = `The earlier API key of ${agent.agent_name} has ended`;
  await postMessage(
    db,
    { newId, now },
    { channel: 'mail', to: email, subject, text, purpose: 'key_ended', subject_id: agent.id },
  );
  return key.prefix;
}

export interface EarlierKey {
  agent_name: string;
  prefix: string;
  /** It ended with the proof of the mailbox; otherwise it will. */
  ended: boolean;
}

/** The key from before the proof of a mailbox: one that will end with it, or that has ended within the last day. */
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
 * Notes that somebody has proven the mailbox of a partner, by a link or a key that went nowhere else. The first proof
 * ends every other key, and the webhook, which could send bookings to a stranger later on. Gives how the live key began.
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
