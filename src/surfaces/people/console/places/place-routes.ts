import type { FastifyInstance, FastifyReply } from 'fastify';
import { accoladeSchema, removeAccolade, setAccolade } from '../../../../directory/place/accolade.ts';
import { recordClosure, recordReopening } from '../../../../directory/closure/closure.ts';
import { mergePlaces } from '../../../../directory/place/merge-places.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import { recordAudit } from '../../../../core/audit.ts';
import type { Deps } from '../../../../core/context.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { readFields } from '../../form/read-fields.ts';
import { consoleRoute, EVERYONE, REVIEWERS, type PageRequest } from '../console-route.ts';
import { sendMergePage } from './merge-page.ts';
import { closureFields, mergeFields, reopeningFields, type Sent } from './place-forms.ts';
import { sendPlacePage } from './place-page.ts';
import { sendPlacesPage } from './places-page.ts';
import { placeOf } from './visited-place.ts';

const DONE: Readonly<Record<string, string>> = {
  closed: 'The place is believed closed. Search no longer returns it.',
  suspected: 'The report is noted. The place stays open, because it was confirmed after that date.',
  answered: 'Nothing was changed: the place was reopened after that date.',
  open: 'The place is open again. Search returns it.',
  unchanged: 'Nothing was changed: the place is not believed closed.',
  accolade: 'The accolade is shown with its source.',
  accolade_removed: 'The accolade is no longer shown.',
  merged: 'The two records are one.',
  connector: "The venue's booking system is saved.",
  connector_removed: "The venue's booking system is no longer asked.",
};

export function addPlaces(scope: FastifyInstance, deps: Deps): void {
  const page = '/console/places/:id';
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/places',
    roles: EVERYONE,
    handle: sendPlacesPage,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: page,
    roles: EVERYONE,
    handle: async (visit) => {
      const done = DONE[visit.query.get('done') ?? ''];
      const notice = done === undefined ? undefined : ({ kind: 'good', text: done } as const);
      return sendPlacePage(visit, await placeOf(visit), { notice });
    },
  });
  consoleRoute(scope, deps, { method: 'POST', path: `${page}/closure`, roles: EVERYONE, handle: close });
  consoleRoute(scope, deps, { method: 'POST', path: `${page}/reopening`, roles: EVERYONE, handle: reopen });
  consoleRoute(scope, deps, { method: 'POST', path: `${page}/accolades`, roles: REVIEWERS, handle: honour });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: `${page}/accolades/remove`,
    roles: REVIEWERS,
    handle: dishonour,
  });
  consoleRoute(scope, deps, { method: 'POST', path: `${page}/merge`, roles: REVIEWERS, handle: merge });
}

async function close(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  const read = readFields(visit.form, closureFields);
  if (!read.ok) return refuse(visit, place, 'closure', read.faults);
  const { source_url, note, observed_on } = read.values;
  const observed_at = observed_on === '' ? visit.now : new Date(`${observed_on}T00:00:00Z`);
  if (observed_at > visit.now)
    return refuse(visit, place, 'closure', { observed_on: 'This lies in the future.' });
  const outcome = await write(visit, place, 'record_closure', { source_url, note }, (tx) =>
    recordClosure(tx, visit.now, {
      placeId: place.id,
      kind: 'published_report',
      source_url,
      note,
      observed_at,
    }),
  );
  return done(visit, place, outcome);
}

async function reopen(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  const read = readFields(visit.form, reopeningFields);
  if (!read.ok) return refuse(visit, place, 'reopening', read.faults);
  const { source_url, note } = read.values;
  const outcome = await write(visit, place, 'record_reopening', { source_url, note }, (tx) =>
    recordReopening(tx, visit.now, { placeId: place.id, note: `${note} (${source_url})`, source: 'staff' }),
  );
  return done(visit, place, outcome);
}

async function honour(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  const read = readFields(visit.form, accoladeSchema, ['year']);
  if (!read.ok) return refuse(visit, place, 'accolade', read.faults);
  await write(
    visit,
    place,
    'set_accolade',
    { title: read.values.title, source_url: read.values.source_url },
    (tx) => setAccolade(tx, visit.now, place.id, read.values),
  );
  return done(visit, place, 'accolade');
}

async function dishonour(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  const title = visit.form.get('title') ?? '';
  if (!place.accolades.some((accolade) => accolade.title === title))
    return done(visit, place, 'accolade_removed');
  await write(visit, place, 'remove_accolade', { title }, (tx) =>
    removeAccolade(tx, visit.now, place.id, title),
  );
  return done(visit, place, 'accolade_removed');
}

async function merge(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, now } = visit;
  const place = await placeOf(visit);
  const read = readFields(form, mergeFields);
  if (!read.ok) return refuse(visit, place, 'merge', read.faults);
  const { merged_id: mergedId, sure } = read.values;
  const other = await findPlace(deps.pool, mergedId);
  if (other === undefined || other.id === place.id)
    return refuse(visit, place, 'merge', { merged_id: 'This must be the id of another place.' });
  if (other.badge === 'claimed')
    return refuse(visit, place, 'merge', {
      merged_id:
        'That record is claimed by its venue and must be the one that stays: open it, and merge this one into it.',
    });
  if (sure !== 'yes') return sendMergePage(visit, place, other);
  const outcome = await write(
    visit,
    place,
    'merge_places',
    { merged_id: mergedId, merged_name: other.name },
    (tx) => mergePlaces(tx, now, { placeId: place.id, mergedId, staffId: staff.id }),
  );
  if (outcome === 'merged') return done(visit, place, 'merged');
  return refuse(visit, place, 'merge', { merged_id: 'The record changed meanwhile. Nothing was merged.' });
}

/** A change of a place and its line in the audit log, both or neither. */
function write<T extends string | boolean>(
  { deps, staff, request, now }: PageRequest,
  place: Place,
  operation: string,
  detail: Record<string, string>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return deps.pool.begin(async (tx) => {
    const outcome = await work(tx);
    await recordAudit(tx, {
      at: now,
      actor: staff.id,
      operation,
      requestId: request.id,
      subject: place.id,
      detail: { ...detail, outcome },
    });
    return outcome;
  }) as Promise<T>;
}

async function done({ reply }: PageRequest, place: Place, what: string): Promise<FastifyReply> {
  return reply.redirect(`/console/places/${place.id}?done=${what}`, 303);
}

function refuse(
  visit: PageRequest,
  place: Place,
  form: Sent['form'],
  faults: Record<string, string>,
): Promise<FastifyReply> {
  const sent = { form, values: visit.form, faults };
  return sendPlacePage({ ...visit, reply: visit.reply.code(422) }, place, { sent });
}
