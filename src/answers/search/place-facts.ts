import { IMPORTED_SOURCES } from '../../directory/place/imported-sources.ts';
import type { Db } from '../../core/postgres/db.ts';
import { PROMOTIONS_SQL, runningPromotions, type Promotion } from '../../directory/place/place.ts';
import type { Facts } from '../../directory/place/facts.ts';
import { shownPhones, type ShownPhones } from '../../directory/place/shown-phones.ts';
import { DAY_MS } from '../../core/time.ts';

/** Facts of a place record that are not in the index. */
export interface AnswerFacts {
  id: string;
  verified: boolean;
  /** Time when a person or a source last confirmed the place; null when unknown. */
  observed_at: string | null;
  hours_observed_at: string | null;
  /** Observation times of facts that come from another source than the record, by fact. */
  filled_at: Readonly<Record<string, string>>;
  promotions: Promotion[];
  /** Its numbers, without one that only an agent submitted. */
  phones: ShownPhones;
}

interface Row {
  id: string;
  verified_at: Date | null;
  observed_at: Date | null;
  hours_observed_at: string | null;
  filled_by: Record<string, { at: string }>;
  promotions: Promotion[];
  phone: string | null;
  country: string;
  facts: Facts;
}

const SUBMITTED_PHONE_SQL = "coalesce(p.field_claims #>> '{phone,0,by}' = 'agent', p.source = 'submission')";
const VERIFIED_MS = 365 * DAY_MS;

/** Reads the facts of places that have not closed since. */
export async function readAnswerFacts(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, AnswerFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await db<Row[]>`
    select p.id, p.verified_at, p.hours ->> 'observed_at' as hours_observed_at, p.filled_by,
      case when ${db.unsafe(SUBMITTED_PHONE_SQL)} then null else p.phone end as phone, p.country, p.facts,
      -- The import time of a map does not reveal its age; data entered here is as old as its last update.
      coalesce(p.observed_at, case when p.source <> all(${Object.keys(IMPORTED_SOURCES)}) then p.updated_at end) as observed_at,
      ${db.unsafe(PROMOTIONS_SQL)} as promotions
    from place p where p.id = any(${ids}) and p.closed_at is null`;
  return new Map(rows.map((row) => [row.id, factsOf(row, now)]));
}

function factsOf(
  { id, verified_at, observed_at, hours_observed_at, filled_by, promotions, ...listed }: Row,
  now: Date,
): AnswerFacts {
  return {
    id,
    verified: verified_at !== null && verified_at.getTime() > now.getTime() - VERIFIED_MS,
    observed_at: laterOf(verified_at, observed_at)?.toISOString() ?? null,
    hours_observed_at: hours_observed_at === null ? null : new Date(hours_observed_at).toISOString(),
    filled_at: Object.fromEntries(Object.entries(filled_by).map(([field, { at }]) => [field, at])),
    promotions: runningPromotions({ promotions }, now),
    phones: shownPhones(listed),
  };
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}
