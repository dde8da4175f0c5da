import { proveAgentMailbox, provePartnerMailbox } from '../accounts/agents/prove-mailbox.ts';
import { mailEndedKey } from '../accounts/partners/partner-mail.ts';
import { insertPartner } from '../accounts/partners/partner.ts';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import type { ClientFace } from './client-metadata.ts';

export type GrantContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

/** The account in whose name a client is connected. */
export interface GrantingAccount {
  id: string;
  /** How the key began that ended, because the mailbox was proven for the first time. */
  endedKey: string | undefined;
}

const NAME_MIN = 2;
const NAME_MAX = 120;

/** The agent's account of a proven mailbox. It is made now, without a key, if there is none. */
export async function agentAccount(
  tx: Db,
  ctx: GrantContext,
  email: string,
  face: ClientFace,
): Promise<GrantingAccount> {
  const { now, newId } = ctx;
  const name = clientName(face);
  await tx`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at, email_verified_at)
    values (${newId('agt')}, ${name}, ${userName(face)}, ${email}, ${`OAuth client ${name}`}, ${now}, ${now})
    on conflict on constraint agent_operator_unique do nothing`;
  // The page has told the person which key this ends; signing in alone ends none.
  const endedKey = await proveAgentMailbox(tx, ctx, email);
  const [agent] = await tx<{ id: string; status: string }[]>`
    select id, status from agent where operator_email = ${email}`;
  if (agent === undefined) throw new Error('An account vanished while it was being read.');
  if (agent.status !== 'active') throw closed(ctx, 'agent_suspended');
  return { id: agent.id, endedKey };
}

/** The partner's account of a proven mailbox, by the same rules. A person still switches bookings on for it. */
export async function partnerAccount(
  tx: Db,
  ctx: GrantContext,
  email: string,
  face: ClientFace,
): Promise<GrantingAccount> {
  const { deps, now, newId } = ctx;
  const { config } = deps;
  await insertPartner(tx, newId('ptn'), { email, name: userName(face) }, now);
  const [partner] = await tx<{ id: string; name: string; email: string; status: string }[]>`
    select id, name, email, status from partner where email = ${email} for no key update`;
  if (partner === undefined) throw new Error('An account vanished while it was being read.');
  if (partner.status !== 'active') throw closed(ctx, 'partner_suspended');
  const endedKey = await provePartnerMailbox(tx, partner.id, now);
  if (endedKey !== undefined)
    await mailEndedKey({ db: tx, config, newId, now, partner }, endedKey, 'connection');
  return { id: partner.id, endedKey };
}

function clientName({ name }: ClientFace): string {
  return name.length < NAME_MIN ? `Client ${name}` : name;
}

/** What others see as the name of somebody whose mailbox alone is known, which nobody sees. */
function userName(face: ClientFace): string {
  return Array.from(`User of ${clientName(face)}`)
    .slice(0, NAME_MAX)
    .join('');
}

function closed({ deps }: GrantContext, code: 'agent_suspended' | 'partner_suspended'): AppError {
  return new AppError(code, 'Your account is closed, so that no client can be connected with it.', {
    hint: `Write to ${deps.config.contactEmail}.`,
  });
}

/** What a person is told of the partner's account of a mailbox before they decide. */
export interface PartnerStanding {
  name: string;
  bookings_enabled: boolean;
  /** How the key begins that ends with the approval, because nobody has proven the mailbox yet. */
  ending_key: string | null;
}

export async function findPartnerStanding(db: Db, email: string): Promise<PartnerStanding | undefined> {
  const [partner] = await db<PartnerStanding[]>`
    select p.name, p.bookings_enabled, k.prefix as ending_key
    from partner p
    left join api_key k on k.partner_id = p.id and k.revoked_at is null and k.pending_until is null
      and p.email_verified_at is null
    where p.email = ${email}`;
  return partner;
}
