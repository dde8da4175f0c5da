import { randomUUID } from 'node:crypto';
import { addPartner } from '../../../src/accounts/partners/partner.ts';
import type { PartnerPlanName } from '../../../src/metering/plans.ts';
import type { TestService } from '../service/service.ts';

export const PARTNER_MCP = '/api/partner/mcp';

export interface TestPartner {
  partnerId: string;
  apiKey: string;
  email: string;
  /** The header that the key goes into. */
  headers: Record<string, string>;
}

/** A partner of one's own, with its key. Its mailbox counts as proven, unless the test is about that. */
export async function addTestPartner(
  service: TestService,
  settings: { plan?: PartnerPlanName; payPerCall?: boolean; spendLimitCents?: number; proven?: false } = {},
): Promise<TestPartner> {
  const { pool, newId, config } = service.app.deps;
  const email = `partner-${randomUUID()}@partner.example`;
  const { partnerId, apiKey } = await addPartner(pool, newId, service.clock.now(), config.prefix, {
    email,
    name: 'Test Partner',
  });
  await pool`
    update partner set plan = ${settings.plan ?? 'free'}, pay_per_call = ${settings.payPerCall ?? false},
                       spend_limit_cents = ${settings.spendLimitCents ?? 5000},
                       email_verified_at = ${settings.proven === false ? null : service.clock.now()}
    where id = ${partnerId}`;
  return { partnerId, apiKey, email, headers: { 'x-partner-key': apiKey } };
}

const ROOMY_CALLS = 600;
const roomy = new WeakMap<TestService, { headers: Promise<Record<string, string>>; left: number }>();

/** A key with room for one more call in a minute that never ends, for tests that are not about limits. */
export function roomyKey(service: TestService): Promise<Record<string, string>> {
  let known = roomy.get(service);
  if (known === undefined || known.left === 0) {
    const added = addTestPartner(service, { plan: 'platform' });
    known = { headers: added.then(({ headers }) => headers), left: ROOMY_CALLS };
    roomy.set(service, known);
  }
  known.left--;
  return known.headers;
}
