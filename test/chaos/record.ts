/** Writes that the service acknowledged. Each of them must be present afterwards. */
export interface Acknowledged {
  /** Agents by mailbox. */
  agents: Map<string, { agentId: string; apiKey: string; rotated: 'never' | 'known' | 'unknown' }>;
  /** Submissions and promotions by id. */
  submissions: Map<string, { agentId: string; ownRef: string; revision: number }>;
  decisions: Map<string, 'approved' | 'rejected'>;
  members: Set<string>;
  /** Photos, by the last state that the service acknowledged to their owner and the reviewer. */
  photos: Map<string, 'arrived' | 'approved' | 'offered' | 'live'>;
  /** Payments by the provider's session. */
  payments: Map<string, { agentId: string; cents: number }>;
  licences: Map<string, { agentId: string; photoId: string; cents: number }>;
  /** Keys under which licences were asked for; each buys one at most. */
  licenceKeys: Set<string>;
  /** Table requests by booking. */
  bookings: Map<string, { guest: string; cancelled: boolean }>;
  /** The last map that was imported to its end, and the one that was begun after it. */
  imported: { version: number; begun: number };
  /** How often the secret of the webhook was made anew. */
  secrets: number;
}

export function emptyRecord(): Acknowledged {
  return {
    agents: new Map(),
    submissions: new Map(),
    decisions: new Map(),
    members: new Set(),
    photos: new Map(),
    payments: new Map(),
    licences: new Map(),
    licenceKeys: new Set(),
    bookings: new Map(),
    imported: { version: 0, begun: 0 },
    secrets: 0,
  };
}
