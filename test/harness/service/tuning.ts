import type { Tuning } from '../../../src/node/tuning.ts';

/** The tuning that tests and benchmarks change, by the name under which they pass it beside the settings. */
const NAMES = {
  JOBS_AT_ONCE: 'jobsAtOnce',
  LEASE_MS: 'leaseMs',
  SIGNUPS_PER_HOUR: 'signupsPerHour',
  REGISTRATIONS_PER_HOUR: 'registrationsPerHour',
  PARTNER_SIGNUPS_PER_HOUR: 'partnerSignupsPerHour',
  WEBHOOK_CHANGES_PER_HOUR: 'webhookChangesPerHour',
  VENUE_ASKS_PER_DAY: 'venueAsksPerDay',
  LLM_TIMEOUT_MS: 'llmTimeoutMs',
} as const satisfies Record<string, keyof Tuning>;

type Values = Readonly<Record<string, string | undefined>>;

/** Reads the second argument of `parseConfig` from values that a test passes beside the settings of the service. */
export function tuningOf(values: Values): Partial<Tuning> {
  const numbers = Object.entries(NAMES).flatMap(([name, key]) =>
    values[name] === undefined ? [] : [[key, Number(values[name])]],
  );
  const { VENUE_WAKING_HOURS: hours, TWILIO_URL: twilioUrl, STRIPE_API_URL: stripeApiUrl } = values;
  return {
    ...(Object.fromEntries(numbers) as Partial<Tuning>),
    ...(hours !== undefined && { venueContactHours: hoursOf(hours) }),
    ...(twilioUrl !== undefined && { twilioUrl }),
    ...(stripeApiUrl !== undefined && { stripeApiUrl }),
  };
}

function hoursOf(text: string): Tuning['venueContactHours'] {
  const [from = 0, until = 0] = text
    .split('-')
    .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return { from, until };
}
