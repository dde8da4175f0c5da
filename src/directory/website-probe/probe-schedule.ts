import type { Db } from '../../core/postgres/db.ts';
import { recordClosure, recordReopening } from '../closure/closure.ts';
import { shownBySql } from '../provenance/stored-claims.ts';
import { hostToCheck, type WebsiteFinding } from './check-website.ts';

export interface ProbeIntervals {
  aliveMs: number;
  failedMs: number;
  /** For a venue that is believed closed, where only its return matters. */
  deadMs: number;
  unclearMs: number;
}

interface DueWebsite {
  place_id: string;
  website: string;
  host: string;
}

export interface Finding extends WebsiteFinding {
  due: DueWebsite;
}

const HOST_SPACING_MS = 60_000;
/** Due rows that are read per check, so that one host with many venues does not block the rest. */
const LOOK_AHEAD = 20;
const ENROL_BATCH = 2_000;

/** Excludes websites that an agent provided: a dead one proves nothing about the venue. */
const VENUES_OWN = `${shownBySql('website')} in ('map', 'provider', 'owner')`;

/** Schedules the next batch of websites. Returns the id to continue after, or '' at the end of the directory. */
export async function enrolWebsites(db: Db, now: Date, after: string): Promise<string> {
  const places = await db<{ id: string; website: string }[]>`
    select id, website from place p where id > ${after} and website is not null and closed_at is null
      and not is_sample_venue(p.id) and ${db.unsafe(VENUES_OWN)}
    order by id limit ${ENROL_BATCH}`;
  const checkable = places.filter(({ website }) => hostToCheck(website) !== undefined);
  await db`
    insert into website_probe (place_id, website, next_probe_at)
    select place.id, found.website, ${now}
    from unnest(${checkable.map(({ id }) => id)}::text[], ${checkable.map(({ website }) => website)}::text[]) as found (id, website)
    join place using (id)
    on conflict (place_id) do update set website = excluded.website, next_probe_at = excluded.next_probe_at,
      failures = 0, first_failure_at = null
    where website_probe.website <> excluded.website`;
  return places.length < ENROL_BATCH ? '' : (places.at(-1)?.id ?? '');
}

/** Returns the websites to check now, at most one per host; the others of that host are postponed, a minute apart. */
export async function takeDue(db: Db, now: Date, limit: number): Promise<DueWebsite[]> {
  // Drops places that no longer have a website of their own, or that closed for another reason.
  await db`
    delete from website_probe w using place p
    where w.next_probe_at <= ${now} and p.id = w.place_id and (p.website is null or not ${db.unsafe(VENUES_OWN)} or (p.closed_at is not null
      and not exists (select 1 from closure_evidence e where e.place_id = p.id and e.kind = 'website_dead')))`;
  const rows = await db<{ place_id: string; website: string }[]>`
    select w.place_id, p.website from website_probe w join place p on p.id = w.place_id
    where w.next_probe_at <= ${now} and p.website is not null
    order by w.next_probe_at, w.place_id limit ${limit * LOOK_AHEAD}`;
  const selected = new Map<string, DueWebsite>();
  const waiting = new Map<string, number>();
  const later: { place_id: string; at: Date }[] = [];
  for (const { place_id, website } of rows) {
    const host = hostToCheck(website);
    if (host === undefined) await db`delete from website_probe where place_id = ${place_id}`;
    else if (selected.has(host)) {
      const turn = (waiting.get(host) ?? 0) + 1;
      waiting.set(host, turn);
      later.push({ place_id, at: new Date(now.getTime() + turn * HOST_SPACING_MS) });
    } else if (selected.size < limit) selected.set(host, { place_id, website, host });
  }
  await db`
    update website_probe w set next_probe_at = put_off.at
    from unnest(${later.map(({ place_id }) => place_id)}::text[], ${later.map(({ at }) => at.toISOString())}::timestamptz[]) as put_off (id, at)
    where w.place_id = put_off.id`;
  return [...selected.values()];
}

/** Websites that answered last time: they distinguish dead venues from an outage of our own. */
export async function knownAlive(db: Db, except: readonly string[], limit: number): Promise<string[]> {
  const rows = await db<{ website: string }[]>`
    select w.website from website_probe w
    where w.last_result = 'alive' and not w.place_id = any(${[...except]})
    order by w.next_probe_at limit ${limit}`;
  return rows.map(({ website }) => website);
}

export async function noteFinding(
  tx: Db,
  now: Date,
  intervals: ProbeIntervals,
  { due, result, detail }: Finding,
): Promise<void> {
  // Locks the place first, in the same order as every other writer of closures.
  const [place] = await tx<{ closed: boolean }[]>`
      select closed_at is not null as closed from place where id = ${due.place_id} and website = ${due.website} for update`;
  if (place === undefined) return;
  const [state] = await tx<{ failures: number; first_failure_at: Date | null }[]>`
      select failures, first_failure_at from website_probe where place_id = ${due.place_id} and website = ${due.website}`;
  const before = result === 'alive' ? undefined : state;
  const failures = (before?.failures ?? 0) + (result === 'failed' ? 1 : 0);
  const since = failures === 0 ? null : (before?.first_failure_at ?? now);
  const wait = place.closed ? intervals.deadMs : failures > 0 ? intervals.failedMs : intervals.unclearMs;
  const next = new Date(now.getTime() + (result === 'alive' ? intervals.aliveMs : wait));
  await tx`
      insert into website_probe (place_id, website, failures, first_failure_at, last_probe_at, next_probe_at, last_result, last_detail)
      values (${due.place_id}, ${due.website}, ${failures}, ${since}, ${now}, ${next}, ${result}, ${detail})
      on conflict (place_id) do update set website = excluded.website, failures = excluded.failures,
        first_failure_at = excluded.first_failure_at, last_probe_at = excluded.last_probe_at,
        next_probe_at = excluded.next_probe_at, last_result = excluded.last_result, last_detail = excluded.last_detail`;
  if (result === 'alive') {
    const note = `The website answered again on ${day(now)}.`;
    await recordReopening(tx, now, { placeId: due.place_id, source: 'website', note });
  }
  if (result === 'failed' && since !== null) {
    const note = `The website failed ${failures} checks from ${day(since)} to ${day(now)}, the last with ${inWords(detail)}.`;
    const closure = { placeId: due.place_id, kind: 'website_dead' as const, source_url: due.website, note };
    await recordClosure(tx, now, { ...closure, observed_at: now });
  }
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function inWords(detail: string): string {
  if (detail === 'dns') return 'a host name that does not exist';
  return detail === 'refused' ? 'a refused connection' : `HTTP ${detail.replace('http_', '')}`;
}
