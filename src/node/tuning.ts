/** Limits and timings that no operator sets. Tests and benchmarks pass other values to `parseConfig`. */
export const TUNING = {
  /** Jobs of each kind that one node runs at the same time. A busier installation adds nodes. */
  jobsAtOnce: 4,
  /** How long a node uses a cached key; prefetched quota is used for twice as long. Revoking a key waits for one. */
  leaseMs: 900,
  /** Sign-ups and registrations of OAuth clients from one address. */
  signupsPerHour: 60,
  registrationsPerHour: 10,
  partnerSignupsPerHour: 10,
  /** Changes of one partner's webhook; test events count. */
  webhookChangesPerHour: 10,
  /** Table requests to one venue from all partners. */
  venueAsksPerDay: 20,
  /** Time that a venue has to answer, and until it is reminded, gets a mail, and is called; counted in contact hours. */
  venueAnswerMinutes: 240,
  venueReminderMinutes: 45,
  venueMailMinutes: 60,
  venueDeskMinutes: 90,
  /** When venues may be contacted, in minutes of their local day. Their opening hours count too. */
  venueContactHours: { from: 9 * 60, until: 21 * 60 + 30 },
  /**
   * A partner's record of a year is poor with at least `tables`, of which `lostPct` per cent were no-shows or late
   * cancellations. Its limits are then the last two.
   */
  poorRecord: { tables: 10, lostPct: 25, openAsksPerVenue: 1, asksPerDay: 20 },
  llmTimeoutMs: 4_000,
  twilioUrl: 'https://api.twilio.com',
  /** Undefined: the address that the library of the payment provider knows. */
  stripeApiUrl: undefined as string | undefined,
};

export type Tuning = typeof TUNING;
