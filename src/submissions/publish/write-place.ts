import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { recordReopening } from '../../directory/closure/closure.ts';
import { latinForm } from '../../core/text/fold.ts';
import { compileSubmittedHours } from '../../directory/hours/submitted-hours.ts';
import type { HoursSource } from '../../directory/hours/verified-hours.ts';
import type { StoredHours } from '../../directory/hours/stored-hours.ts';
import { locateBusiness } from '../locate-business.ts';
import { FIELDS, hasValue, mergeFields, valueOf, type Field, type Word } from './merge-fields.ts';
import type { BusinessContent } from '../submission.ts';
import type { Place } from '../../directory/place/place.ts';
import type { ComparedPlace } from '../review/field-diff.ts';

interface Target
  extends Omit<ComparedPlace, 'hours_text'>, Pick<Place, 'id' | 'category' | 'hours' | 'badge' | 'origins'> {
  timezone: string;
  closed: boolean;
  published: Record<string, string>;
}

interface Publication extends Word {
  /** The place to change; null adds a new one. */
  placeId: string | null;
}

/** Makes an approved business a place of the directory, or brings the place that it is up to date. */
export async function writePlace(deps: OperationDeps, tx: Db, publication: Publication): Promise<string> {
  const target = publication.placeId === null ? undefined : await lockTarget(tx, publication.placeId);
  return target === undefined ? addPlace(deps, tx, publication) : changePlace(deps, tx, publication, target);
}

async function lockTarget(tx: Db, placeId: string): Promise<Target | undefined> {
  const [target] = await tx<Target[]>`
    select p.id, p.name, p.vertical, p.category, p.country, p.city, p.address, p.phone, p.email, p.website, p.about,
           p.languages, p.price_range, p.hours, p.lat, p.lng, d.timezone, p.badge, p.closed_at is not null as closed,
           p.origins, p.published
    from place p join destination d on d.id = p.destination_id where p.id = ${placeId} for update of p`;
  return target;
}

async function addPlace(deps: OperationDeps, tx: Db, publication: Publication): Promise<string> {
  const { submissionId, content } = publication;
  const now = deps.clock.now();
  const id = deps.newId('plc');
  const at = await locateBusiness(deps, tx, content);
  const hours = readHours(content, { ...at, country: content.country, now }, 'reviewer', at.zoneKnown);
  const vertical = content.vertical ?? 'other';
  const origins = Object.fromEntries(
    FIELDS.filter((field) => hasValue(valueOf(content, field))).map((field) => [field, submissionId]),
  );
  await tx`
    insert into place (id, destination_id, name, latin_name, vertical, category, country, city, address, lat, lng,
      position_known, phone, email, website, languages, price_range, about, hours, origins, verified_at, source,
      source_ref, created_at, updated_at)
    values (${id}, ${at.destinationId}, ${content.name}, ${latinForm(content.name) ?? null}, ${vertical}, ${vertical},
      ${content.country}, ${content.city}, ${content.address}, ${at.lat}, ${at.lng}, ${at.known}, ${content.phone},
      ${content.email}, ${content.website}, ${content.languages}, ${content.price_range}, ${content.description},
      ${hours === null ? null : tx.json(hours)}, ${tx.json(origins)}, ${now}, 'submission',
      ${submissionId}, ${now}, ${now})`;
  await addAccolades(tx, id, content);
  return id;
}

async function changePlace(
  deps: OperationDeps,
  tx: Db,
  publication: Publication,
  target: Target,
): Promise<string> {
  const { content, byOwner } = publication;
  const now = deps.clock.now();
  const { changed, origins, published } = mergeFields(target, publication);
  const value = <F extends Field>(field: F) =>
    (field in changed ? changed[field] : target[field]) as Target[F];
  const source = byOwner ? 'owner' : 'reviewer';
  const hours = 'hours' in changed ? readHours(content, { ...target, now }, source, true) : target.hours;
  const name = value('name');
  const stands = target.badge === 'claimed' && !byOwner;
  const kind = stands && target.vertical !== 'other' ? target.vertical : kindOf(content, target);
  await tx`
    update place set name = ${name}, latin_name = ${name === target.name ? tx`latin_name` : (latinForm(name) ?? null)},
      address = ${value('address')}, phone = ${value('phone')}, email = ${value('email')},
      website = ${value('website')}, about = ${value('about')}, languages = ${value('languages')},
      price_range = ${value('price_range')}, city = coalesce(city, ${content.city}), vertical = ${kind},
      category = ${kind === target.vertical ? target.category : kind},
      hours = ${hours === null ? null : tx.json(hours)}, origins = ${tx.json(origins)},
      published = ${tx.json(published)}, verified_at = ${now}, updated_at = ${now}
    where id = ${target.id}`;
  if (!stands) await movePlace(deps, tx, publication, target.id);
  await addAccolades(tx, target.id, content);
  if (target.closed) {
    const note = 'A reviewer approved a submission that says that the place is open.';
    await recordReopening(tx, now, { placeId: target.id, note, source: 'staff' });
  }
  return target.id;
}

function kindOf({ vertical }: BusinessContent, target: Target): string {
  return vertical !== null && vertical !== 'other' ? vertical : target.vertical;
}

/** A place that a submission made follows the coordinates of its later revisions; one from a map stays where it is. */
async function movePlace(
  deps: OperationDeps,
  tx: Db,
  { submissionId, content }: Publication,
  placeId: string,
): Promise<void> {
  if (content.lat === null) return;
  const at = await locateBusiness(deps, tx, content);
  await tx`
    update place set lat = ${at.lat}, lng = ${at.lng}, position_known = true, destination_id = ${at.destinationId}
    where id = ${placeId} and source = 'submission' and (source_ref = ${submissionId} or not position_known)`;
}

interface HoursPlace {
  lat: number;
  lng: number;
  country: string;
  timezone: string;
  now: Date;
}

/** Without a known position the time zone may be another one, so that such hours are told but never counted by. */
function readHours(
  content: BusinessContent,
  place: HoursPlace,
  source: HoursSource,
  zoneKnown: boolean,
): StoredHours | null {
  if (content.hours === null) return null;
  const { text, compiled } = compileSubmittedHours(content.hours, place);
  return { text, source, observed_at: place.now.toISOString(), compiled: zoneKnown ? compiled : null };
}

/** A claim with a source that a reviewer let pass is shown as an accolade, with its source. */
async function addAccolades(tx: Db, placeId: string, { claims }: BusinessContent): Promise<void> {
  for (const { text, source_url } of claims) {
    await tx`
      insert into accolade (place_id, title, source_name, source_url)
      values (${placeId}, ${text}, ${new URL(source_url).hostname}, ${source_url})
      on conflict (place_id, title) do nothing`;
  }
}
