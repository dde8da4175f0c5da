/** Plans of surface A. Reads are searches and place fetches; writes are free on every plan. */
export const AGENT_PLANS = {
  free: { name: 'free', price_cents: 0, reads_per_day: 100, reads_per_minute: 120, beta: false },
  starter: { name: 'starter', price_cents: 999, reads_per_day: 2_000, reads_per_minute: 300, beta: false },
  growth: { name: 'growth', price_cents: 1_999, reads_per_day: 20_000, reads_per_minute: 600, beta: false },
  scale: { name: 'scale', price_cents: 5_000, reads_per_day: 200_000, reads_per_minute: 1_200, beta: true },
} as const;

export type AgentPlanName = keyof typeof AGENT_PLANS;

/** A ceiling against agents that run wild; writes are no part of a plan. */
export const AGENT_WRITES = { per_minute: 300, per_day: 20_000 } as const;

/** Plans of surface B. A price or a ceiling that a plan does not have is null. */
export const PARTNER_PLANS = [
  { name: 'free', price: 'no fee', calls_per_month: 10_000, calls_per_minute: 30 },
  { name: 'partner', price: 'on request', calls_per_month: 250_000, calls_per_minute: 120 },
  {
    name: 'directory',
    price: '0.002 USD per call past the free allowance',
    calls_per_month: null,
    calls_per_minute: 120,
  },
  {
    name: 'concierge',
    price: '0.03 USD per concierge_answer past the free allowance',
    calls_per_month: null,
    calls_per_minute: 60,
  },
  {
    name: 'platform',
    price: '299 USD a month and 10 % of the revenue of bookings it originates',
    calls_per_month: 1_000_000,
    calls_per_minute: 600,
  },
] as const;

/** Without a key, on surface B: counted per session, or per address where no session is sent. */
export const UNKEYED_CALLS = { per_minute: 12, per_minute_per_address: 600 } as const;
