import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../../core/context.ts';
import { recordClosure, recordReopening } from '../../../../directory/closure/closure.ts';
import { accoladeSchema, removeAccolade, setAccolade } from '../../../../directory/place/accolade.ts';
import { mergePlaces } from '../../../../directory/place/merge-places.ts';
import { findPlace } from '../../../../directory/place/place.ts';
import { refuse, type Action } from '../../person/action.ts';
import { doneNotice, type PageRequest } from '../../person/page-request.ts';
import { ALL_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { correctPlace } from './correct-place.ts';
import { sendMergePage } from './merge-page.ts';
import { closureFields, mergeFields, reopeningFields } from './place-forms.ts';
import { sendPlacePage } from './place-page.ts';
import { sendPlacesPage } from './places-page.ts';
import { removePlaceAction, restorePlaceAction } from './remove-place.ts';
import { placeFromUrl } from './visited-place.ts';

const PATH = '/console/places/:id';

const DONE: Readonly<Record<string, string>> = {
  closed: 'The place is believed closed. Search no longer returns it.',
  suspected: 'The report is recorded. The place stays open because it was confirmed after that date.',
  answered: 'Nothing was changed: the place was reopened after that date.',
  open: 'The place is open again. Search returns it.',
  unchanged: 'Nothing was changed: the place is not believed closed.',
  accolade: 'The accolade is shown with its source.',
  accolade_removed: 'The accolade is no longer shown.',
  corrected: 'The correction is recorded with your name. It is shown unless the venue states something else.',
  said_already: 'Nothing was changed: the field already has this value.',
  merged: 'The two records are merged.',
  removed: 'The listing is removed. Its operators and partners are notified.',
  restored: 'The listing is back as it was.',
  connector: "The venue's booking system is saved.",
  connector_removed: "The venue's booking system is no longer asked.",
};

export function addPlaces(scope: FastifyInstance, deps: Deps): void {
  const who = staff(ALL_ROLES);
  addPage(scope, deps, { path: '/console/places', who, show: sendPlacesPage });
  addPage(scope, deps, {
    path: PATH,
    who,
    show: (req) => sendPlacePage(req, { notice: doneNotice(req.query, DONE) }),
  });
  addActions(
    scope,
    deps,
    close,
    reopen,
    correctPlace,
    addAccolade,
    dropAccolade,
    merge,
    removePlaceAction,
    restorePlaceAction,
  );
}

const close: Action<Staff, typeof closureFields> = {
  name: 'record_closure',
  path: `${PATH}/closure`,
  who: staff(ALL_ROLES),
  form: closureFields,
  async run(act, { source_url, note, observed_on }) {
    const { id: placeId } = await placeFromUrl(act.db, act);
    const observed_at = observed_on === '' ? act.now : new Date(`${observed_on}T00:00:00Z`);
    if (observed_at > act.now) refuse({ faults: { observed_on: 'This is in the future.' } });
    const report = { placeId, kind: 'published_report' as const, source_url, note, observed_at };
    const outcome = await recordClosure(act.db, act.now, report);
    act.audit(placeId, { source_url, note, outcome });
    return { to: donePath(placeId, outcome) };
  },
  page: sendPlacePage,
};

const reopen: Action<Staff, typeof reopeningFields> = {
  name: 'record_reopening',
  path: `${PATH}/reopening`,
  who: staff(ALL_ROLES),
  form: reopeningFields,
  async run(act, { source_url, note }) {
    const { id: placeId } = await placeFromUrl(act.db, act);
    const reopening = { placeId, note: `${note} (${source_url})`, source: 'staff' as const };
    const outcome = await recordReopening(act.db, act.now, reopening);
    act.audit(placeId, { source_url, note, outcome });
    return { to: donePath(placeId, outcome) };
  },
  page: sendPlacePage,
};

const addAccolade: Action<Staff, typeof accoladeSchema> = {
  name: 'set_accolade',
  path: `${PATH}/accolades`,
  who: staff(REVIEWER_ROLES),
  form: accoladeSchema,
  numbers: ['year'],
  async run(act, accolade) {
    const { id } = await placeFromUrl(act.db, act);
    const outcome = await setAccolade(act.db, act.now, id, accolade);
    act.audit(id, { title: accolade.title, source_url: accolade.source_url, outcome });
    return { to: donePath(id, 'accolade') };
  },
  page: sendPlacePage,
};

const titleField = z.object({ title: z.string() });

const dropAccolade: Action<Staff, typeof titleField> = {
  name: 'remove_accolade',
  path: `${PATH}/accolades/remove`,
  who: staff(REVIEWER_ROLES),
  form: titleField,
  async run(act, { title }) {
    const { id } = await placeFromUrl(act.db, act);
    const outcome = await removeAccolade(act.db, act.now, id, title);
    if (outcome) act.audit(id, { title, outcome });
    else act.unchanged();
    return { to: donePath(id, 'accolade_removed') };
  },
  page: sendPlacePage,
};

const merge: Action<Staff, typeof mergeFields> = {
  name: 'merge_places',
  path: `${PATH}/merge`,
  who: staff(REVIEWER_ROLES),
  form: mergeFields,
  async run(act, { merged_id: mergedId, sure }) {
    const place = await placeFromUrl(act.db, act);
    const other = await findPlace(act.db, mergedId);
    if (other === undefined || other.id === place.id || other.removed_at !== null)
      refuse({ faults: { merged_id: 'This must be the id of another place.' } });
    if (other.badge === 'claimed')
      refuse({
        faults: {
          merged_id:
            'That record is claimed by its venue and must be the one that remains: open it, and merge this one into it.',
        },
      });
    if (sure !== 'yes') {
      act.unchanged();
      return { show: (req: PageRequest<Staff>) => sendMergePage(req, place, other) };
    }
    const pair = { placeId: place.id, mergedId, staffId: act.person.id };
    const outcome = await mergePlaces(act.db, act.now, pair);
    if (outcome !== 'merged')
      refuse({ faults: { merged_id: 'The record has changed in the meantime. Nothing was merged.' } });
    act.audit(place.id, { merged_id: mergedId, merged_name: other.name, outcome });
    return { to: donePath(place.id, 'merged') };
  },
  page: sendPlacePage,
};

function donePath(placeId: string, done: string): string {
  return `/console/places/${placeId}?done=${done}`;
}
