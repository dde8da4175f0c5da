import { proveAgentMailbox, provePartnerMailbox } from '../accounts/agents/prove-mailbox.ts';
import { mailEndedKey } from '../accounts/partners/partner-mail.ts';
import { insertPartner } from '../accounts/partners/partner.ts';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { HOLDER_NAME_MAX, HOLDER_NAME_MIN } from '../core/text/limits.ts';
import type { ClientDisplay } from './client-metadata.ts';

export type GrantContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

export interface GrantingAccount {
  id: string;
  /** Display prefix of the key that was revoked, because the mailbox was proven for the first time. */
  endedKey: string | undefined;
}

/** Returns the agent account of a proven mailbox. Creates one, without a key, if there is none. */
export async function agentAccount(
  tx: Db,
  ctx: GrantContext,
  email: string,
  face: ClientDisplay,
): Promise<GrantingAccount> {
  const { now, newId } = ctx;
  const name = clientName(face);
  await tx`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at, email_verified_at)
    values (${newId('agt')}, ${name}, ${userName(face)}, ${email}, ${`OAuth client ${name}`}, ${now}, ${now})
    on conflict on constraint agent_operator_unique do nothing`;
  // The page has named the key that this revokes; signing in alone revokes none.
  const endedKey = await proveAgentMailbox(tx, ctx, email);
  const [agent] = await tx<{ id: string; status: string }[]>`
    select id, status from agent where operator_email = ${email}`;
  if (agent === undefined) throw new Error('An account was deleted while it was being read.');
  if (agent.status !== 'active') throw closed(ctx, 'agent_suspended');
  return { id: agent.id, endedKey };
}

/** Returns the partner account of a proven mailbox, by the same rules. Staff still have to enable bookings for it. */
export async function partnerAccount(
  tx: Db,
  ctx: GrantContext,
  email: string,
  face: ClientDisplay,
): Promise<GrantingAccount> {
  const { deps, now, newId } = ctx;
  const { config } = deps;
  await insertPartner(tx, newId('ptn'), { email, name: userName(face) }, now);
  const [partner] = await tx<{ id: string; name: string; email: string; status: string }[]>`
    select id, name, email, status from partner where email = ${email} for no key update`;
  if (partner === undefined) throw new Error('An account was deleted while it was being read.');
  if (partner.status !== 'active') throw closed(ctx, 'partner_suspended');
  const endedKey = await provePartnerMailbox(tx, partner.id, now);
  if (endedKey !== undefined)
    await mailEndedKey({ db: tx, config, newId, now, partner }, endedKey, 'connection');
  return { id: partner.id, endedKey };
}

function clientName({ name }: ClientDisplay): string {
  return name.length < HOLDER_NAME_MIN ? `Client ${name}` : name;
}

/** Public name of somebody of whom only the mailbox is known, which is not public. */
function userName(face: ClientDisplay): string {
  return Array.from(`User of ${clientName(face)}`)
    .slice(0, HOLDER_NAME_MAX)
    .join('');
}

function closed({ deps }: GrantContext, code: 'agent_suspended' | 'partner_suspended'): AppError {
  return new AppError(code, 'Your account is closed, so no client can be connected to it.', {
    hint: `Write to ${deps.config.contactEmail}.`,
  });
}

/** State of a mailbox's partner account, shown before the person decides. */
export interface PartnerAccountState {
  name: string;
  bookings_enabled: boolean;
  /** Display prefix of the key that the approval revokes, because the mailbox is unproven. */
  ending_key: string | null;
}

export async function findPartnerAccount(db: Db, email: string): Promise<PartnerAccountState | undefined> {
  const [partner] = await db<PartnerAccountState[]>`
    select p.name, p.bookings_enabled, k.prefix as ending_key
    from partner p
    left join api_key k on k.partner_id = p.id and k.revoked_at is null and k.pending_until is null
      and p.email_verified_at is null
    where p.email = ${email}`;
  return partner;
}
