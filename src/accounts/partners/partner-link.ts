import type { Db } from '../../core/postgres/db.ts';
import { TOKEN, hashToken, newToken } from '../../core/secret/token.ts';

type PartnerLinkPurpose = 'sign_in' | 'replace_key';

export interface PartnerLink {
  partner_id: string;
  name: string;
  email: string;
  /** Display prefix of the live key that is revoked when the link is used, because the mailbox is unproven. */
  ending_key: string | null;
  key_hash: Buffer | null;
}

/** Creates the token of a link. It is sent in one mail; the database stores its hash. */
export async function createPartnerLink(
  db: Db,
  link: { partnerId: string; purpose: PartnerLinkPurpose; keyHash?: Buffer; now: Date; lifeMs: number },
): Promise<string> {
  const token = newToken();
  await db`
    insert into partner_link (token_hash, partner_id, purpose, key_hash, created_at, expires_at)
    values (${hashToken(token)}, ${link.partnerId}, ${link.purpose}, ${link.keyHash ?? null}, ${link.now},
            ${new Date(link.now.getTime() + link.lifeMs)})`;
  return token;
}

/** Finds a link without redeeming it; undefined when it was used, has expired, or never existed. */
export async function findPartnerLink(
  db: Db,
  purpose: PartnerLinkPurpose,
  token: string,
  now: Date,
): Promise<PartnerLink | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [link] = await db<PartnerLink[]>`
    select p.id as partner_id, p.name, p.email, l.key_hash, k.prefix as ending_key
    from partner_link l join partner p on p.id = l.partner_id
    left join api_key k on k.partner_id = p.id and k.revoked_at is null and k.pending_until is null
      and p.email_verified_at is null
    where l.token_hash = ${hashToken(token)} and l.purpose = ${purpose} and l.used_at is null and l.expires_at > ${now}
      and p.status <> 'revoked'`;
  return link;
}

/** Redeems a link. Of two simultaneous requests, only one succeeds. */
export async function usePartnerLink(
  db: Db,
  purpose: PartnerLinkPurpose,
  token: string,
  now: Date,
): Promise<PartnerLink | undefined> {
  const link = await findPartnerLink(db, purpose, token, now);
  if (link === undefined) return undefined;
  const used = await db`
    update partner_link set used_at = ${now}
    where token_hash = ${hashToken(token)} and used_at is null and expires_at > ${now}`;
  return used.count === 1 ? link : undefined;
}
