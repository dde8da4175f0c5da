import { z } from 'zod';
import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { WalletBalance } from '../ledger/wallet-balance.ts';
import { DAILY_CAP_CENTS } from './daily-cap.ts';
import { downloadLink } from './download-link.ts';
import { pricesNext, type OfferedPhoto } from './offered-photo.ts';
import { licenceTerms, pricedUse, termsSchema, type Use } from './use.ts';

/** One use of one photo, sold once. */
export interface Licence {
  id: string;
  agent_id: string;
  operator_name: string;
  photo_id: string;
  use: Use;
  price_cents: number;
  max_price_cents: string;
  test: boolean;
  sha256: Buffer;
  attribution_line: string;
  licensed_at: Date;
  expires_at: Date | null;
  transaction_id: string;
  refunded_at: Date | null;
}

export const licenceSchema = z.object({
  license_id: z.string(),
  ...pricedUse('What was charged, in US cents.'),
  test: z.boolean().describe('true: paid with test credit, no money moved.'),
  licensed_at: z.string(),
  expires_at: z.string().nullable().describe('When the licence ends; null: with the licensed use.'),
  licensee: z.object({ agent_id: z.string(), operator_name: z.string() }),
  terms: termsSchema,
  attribution_line: z.string().describe('Show it beside the photo.'),
  download: z
    .object({ url: z.string(), expires_at: z.string() })
    .nullable()
    .describe(
      'Link to the file, valid 15 minutes; POST /api/agent/photos/link gives a new one. null once refunded.',
    ),
  certificate_url: z.string().describe('A public page to check the licence and the file.'),
  drop: z.object({
    left: z.int(),
    ends_at: z.string(),
    price_next: z.int().nullable().describe('Price of this use after one more licence.'),
  }),
  wallet: z.object({
    balance_cents: z.int(),
    test_credit_cents: z.int(),
    spent_today_cents: z.int(),
    cap_cents: z.int(),
  }),
});

export async function findLicence(
  db: Db,
  where: { id: string } | { agentId: string; idempotencyKey: string },
): Promise<Licence | undefined> {
  const [licence] = await db<Licence[]>`
    select l.id, l.agent_id, a.operator_name, l.photo_id, l.use, l.price_cents, l.max_price_cents, l.test, l.sha256,
           l.attribution_line, l.licensed_at, l.expires_at, l.transaction_id, l.refunded_at
    from photo_licence l join agent a on a.id = l.agent_id
    where ${
      'id' in where
        ? db`l.id = ${where.id}`
        : db`l.agent_id = ${where.agentId} and l.idempotency_key = ${where.idempotencyKey}`
    }`;
  return licence;
}

export function certificateUrl({ config }: OperationDeps, licenceId: string): string {
  return `${config.baseUrl}/licenses/${licenceId}`;
}

/** A licence as its holder sees it, with the current state of the drop and of the wallet. */
export function licenceAnswer(
  deps: OperationDeps,
  licence: Licence,
  now: { at: Date; photo: OfferedPhoto; wallet: WalletBalance; spentToday: number },
): z.input<typeof licenceSchema> {
  const { photo } = now;
  return {
    license_id: licence.id,
    photo_id: licence.photo_id,
    use: licence.use,
    price_cents: licence.price_cents,
    currency: 'USD',
    test: licence.test,
    licensed_at: licence.licensed_at.toISOString(),
    expires_at: licence.expires_at?.toISOString() ?? null,
    licensee: { agent_id: licence.agent_id, operator_name: licence.operator_name },
    terms: licenceTerms(licence.use),
    attribution_line: licence.attribution_line,
    download: licence.refunded_at === null ? downloadLink(deps, licence.id, now.at) : null,
    certificate_url: certificateUrl(deps, licence.id),
    drop: {
      left: photo.drop_cap - photo.sold,
      ends_at: photo.ends_at?.toISOString() ?? '',
      price_next: pricesNext(photo)[licence.use],
    },
    wallet: {
      balance_cents: now.wallet.money,
      test_credit_cents: now.wallet.test,
      spent_today_cents: now.spentToday,
      cap_cents: DAILY_CAP_CENTS,
    },
  };
}
