import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { quoteUntrusted } from '../core/text/tool-text.ts';
import { recompileHours } from '../directory/hours/renew-hours.ts';

/** closed, full: on local days. notice, max_stay: in minutes. not_offered: what the venue should not be asked for. */
type RuleKind = 'closed' | 'full' | 'max_party' | 'notice' | 'last_seating' | 'max_stay' | 'not_offered';

export interface VenueRule {
  id: string;
  kind: RuleKind;
  fromDate: string | null;
  untilDate: string | null;
  amount: number | null;
  atTime: string | null;
  words: string | null;
}

type NewRule = Pick<VenueRule, 'kind'> & Partial<VenueRule> & { placeId: string; bookingId?: string };

const RULE_SQL = `
  r.id::text, r.kind, r.from_date::text as "fromDate", r.until_date::text as "untilDate", r.amount,
  r.at_time as "atTime", r.words`;

/** Lists the rules of a venue that still apply; `today` is local to it. */
export function listRules(db: Db, placeId: string, today: string): Promise<VenueRule[]> {
  return db<VenueRule[]>`
    select ${db.unsafe(RULE_SQL)} from venue_rule r
    where r.place_id = ${placeId} and (r.until_date is null or r.until_date >= ${today})
    order by r.from_date nulls last, r.kind, r.id`;
}

/** Stores a rule. A rule without days replaces the one of its kind. Rules of past days are deleted. */
export async function setRule(tx: Db, now: Date, today: string, rule: NewRule): Promise<void> {
  const {
    placeId,
    kind,
    fromDate = null,
    untilDate = fromDate,
    amount = null,
    atTime = null,
    words = null,
  } = rule;
  await tx`select 1 from place where id = ${placeId} for update`;
  await tx`delete from venue_rule where place_id = ${placeId} and until_date < ${today}::date - 1`;
  await tx`
    insert into venue_rule (place_id, kind, from_date, until_date, amount, at_time, words, booking_id, set_at)
    values (${placeId}, ${kind}, ${fromDate}, ${untilDate}, ${amount}, ${atTime}, ${words}, ${rule.bookingId ?? null}, ${now})
    on conflict (place_id, kind, coalesce(from_date, '-infinity'), coalesce(until_date, '-infinity'))
      do update set amount = excluded.amount, at_time = excluded.at_time, words = excluded.words, set_at = excluded.set_at`;
  if (kind === 'closed') await tx`update place set hours = hours, updated_at = ${now} where id = ${placeId}`;
}

/** Ends a rule of a venue. False when it has none with this id. */
export async function endRule(tx: Db, now: Date, placeId: string, ruleId: string): Promise<boolean> {
  const [ended] = await tx<{ kind: RuleKind }[]>`
    delete from venue_rule where place_id = ${placeId} and id::text = ${ruleId} returning kind`;
  if (ended?.kind === 'closed') await recompileHours(tx, placeId, now);
  return ended !== undefined;
}

/** Ends the rules that the page of a request set, when its answer is undone. */
export async function endRulesOf(tx: Db, bookingId: string): Promise<void> {
  await tx`delete from venue_rule where booking_id = ${bookingId} and kind = 'full'`;
}

interface AskedTable {
  placeId: string;
  date: string;
  time: string;
  partySize: number;
  tableAt: Date;
}

/** Lists the rules of the venue that a table would break, closed and full days first. */
export function rulesAgainst(
  db: Db,
  { placeId, date, time, partySize, tableAt }: AskedTable,
  now: Date,
): Promise<VenueRule[]> {
  return db<VenueRule[]>`
    select ${db.unsafe(RULE_SQL)}
    from venue_rules_against(${placeId}, ${date}, ${time}, ${partySize}, ${tableAt}, ${now}) r`;
}

/** Refuses a table against a rule. With `waits`, a full day is none; returns true when the day is full. */
export async function refuseAgainstRule(
  db: Db,
  table: AskedTable,
  now: Date,
  { waits = false } = {},
): Promise<boolean> {
  // A rule that is being set waits for this request, or this request for the rule.
  await db`select from place where id = ${table.placeId} for key share`;
  const rules = await rulesAgainst(db, table, now);
  const rule = rules.find(({ kind }) => !waits || kind !== 'full');
  if (rule === undefined) return rules.length > 0;
  throw new AppError(
    'against_venue_rule',
    `${venueRuleText(rule)} Nobody was asked, and nothing was changed.`,
    { hint: 'Request another date, time or party size, or choose another venue.' },
  );
}

/** A rule in one sentence. What the venue wrote itself is quoted. */
export function venueRuleText({ kind, fromDate, untilDate, amount, atTime, words }: VenueRule): string {
  const days = fromDate === untilDate ? `on ${fromDate}` : `from ${fromDate} to ${untilDate}`;
  switch (kind) {
    case 'closed':
      return `The venue is closed ${days}.`;
    case 'full':
      return `The venue is full ${days}.`;
    case 'max_party':
      return `The venue takes at most ${amount} people.`;
    case 'notice':
      return `The venue must be asked at least ${amount} minutes before.`;
    case 'last_seating':
      return `The last seating is at ${atTime}.`;
    case 'max_stay':
      return `A table is for at most ${amount} minutes.`;
    case 'not_offered':
      return `Do not ask the venue for: ${quoteUntrusted(words)}.`;
  }
}

/** Ends a rule that applies on every day. */
export async function endStandingRule(tx: Db, placeId: string, kind: RuleKind): Promise<void> {
  await tx`delete from venue_rule where place_id = ${placeId} and kind = ${kind} and from_date is null`;
}
