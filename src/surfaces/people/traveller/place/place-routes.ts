import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readTerms, type StatedTerms } from '../../../../bookings/terms/table-terms.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Point } from '../../../../core/geo.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { findMergedInto } from '../../../../directory/place/merge-places.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import { refuseRemoved } from '../../../../directory/removal.ts';
import { listMemberTables } from '../../../../members/list-tables.ts';
import type { Member } from '../../../../members/member.ts';
import { localizeAreas } from '../../../../search/localize-place.ts';
import { addFormPages, readQuery } from '../../form/form-body.ts';
import { sendPage } from '../../frame/send-page.ts';
import { siteOf } from '../../frame/site.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { definePage } from '../../person/page.ts';
import { member } from '../../person/people.ts';
import { baseMapOf } from '../map/ground.ts';
import { BY_LANGUAGE, placeAddress, readNear, readReader, thisMinute, type PageReader } from '../reader.ts';
import { findAlternatives } from './alternatives.ts';
import { placePage } from './place-page.ts';
import type { MemberVisit } from './place-model.ts';
import { sharePicture } from '../share-picture.ts';
import { requestTableHere, WANTED_PARAMETERS } from './table-section.ts';

const PLACE_ID = /^plc_[0-9a-z]{26}$/;

/** Mounts the pages of places. Signed-in members see their tables on them; all others get equal bytes from a cache. */
export function addPlacePages(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { placeId: string }; Querystring: Record<string, unknown> }>(
    '/p/:placeId',
    async (request, reply) => {
      const person = await member.find(deps, request, reply);
      return sendPlace(deps, request, reply, person, {});
    },
  );
  app.get<{ Params: { placeId: string } }>('/p/:placeId/share.png', async ({ params }, reply) => {
    const found = await findListed(deps, params.placeId);
    if (typeof found === 'string') return reply.redirect(`/p/${found}/share.png`, 301);
    const picture = await sharePicture(found.place, found.destination, deps.config.serviceName);
    return picture.send(reply.header('cache-control', 'public, max-age=86400'));
  });
  addFormPages(app, (scope) => {
    addPage(scope, deps, tablePage, () => Promise.reject(new Error('This page has no frame.')));
    addAction(scope, deps, requestTableHere, {
      path: '/p/:placeId',
      show: (req, state) => sendPlace(deps, req.request, req.reply, req.person, state),
    });
  });
}

/** Leads a visitor who asked for a table through the sign-in, and back to the form with the same table. */
const tablePage = definePage({
  path: '/p/:placeId/table',
  who: member,
  load: () => undefined,
  view({ params, query }) {
    const wanted = WANTED_PARAMETERS.map((name) => [name, query.get(name) ?? '']);
    return {
      to: `/p/${encodeURIComponent(params['placeId'] ?? '')}?${new URLSearchParams(wanted).toString()}#table`,
    };
  },
});

interface FoundPlace {
  place: Place;
  destination: Destination;
  /** Terms of the venue, where tables are requested through us. */
  terms: StatedTerms;
}

async function sendPlace(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Member | undefined,
  state: PageState,
): Promise<FastifyReply> {
  const query = request.query as Record<string, unknown>;
  const { placeId } = request.params as { placeId: string };
  const [reader, near] = [readReader(query, request.headers), readNear(query)];
  const found = await findListed(deps, placeId);
  if (typeof found === 'string') return reply.redirect(placeAddress(found, reader), 301);
  reply.header('vary', `${BY_LANGUAGE}, cookie`);
  const now = thisMinute(deps);
  if (person !== undefined) {
    const req: PageRequest<Member> = {
      ...{ deps: { ...deps, pool: deps.readPool }, request, reply, person },
      ...{ params: { placeId }, query: readQuery(request), now: deps.clock.now() },
    };
    const readAt = Date.now();
    const here = { placeId: found.place.id };
    const tables = (await listMemberTables(deps.readPool, person.id, req.now, here)).filter(isCurrent);
    reply.header('cache-control', 'no-store');
    return sendPage(
      reply,
      await render(deps, found, { reader, near, now, visit: { req, readAt, tables, state } }),
    );
  }
  const streets = await deps.streets.look();
  const page = await deps.preparedPages.find(
    `${placeAddress(placeId, reader, near)} ${reader.languages.join()}`,
    // The record itself, so that a change is visible at once to the person who made it.
    [
      JSON.stringify([found.place, found.terms]),
      deps.destinations.current,
      deps.places.isReady ? deps.places.version : 'no index',
      now.getTime(),
      streets?.version ?? '',
    ],
    () => render(deps, found, { reader, near, now }),
  );
  return sendPage(reply, page);
}

/** A table whose time has passed, or that came to nothing, is on the member's own page only. */
function isCurrent({ past, status }: MemberVisit['tables'][number]): boolean {
  return !past && status !== 'cancelled';
}

/** Returns the place with its destination, or the id of the one that it was merged into. */
async function findListed(deps: Deps, placeId: string): Promise<FoundPlace | string> {
  const place = PLACE_ID.test(placeId) ? await findPlace(deps.publicReads, placeId) : undefined;
  const { destinations } = deps.destinations.current;
  const destination = destinations.find(({ id }) => id === place?.destination_id);
  const isMissing = PLACE_ID.test(placeId) && place === undefined;
  const mergedInto = isMissing ? await findMergedInto(deps.publicReads, placeId) : undefined;
  if (mergedInto !== undefined) return mergedInto;
  if (place === undefined || destination === undefined)
    throw new AppError('place_not_found', 'There is no place at this address.', {
      hint: 'Look for the place by its name on the page of its destination.',
    });
  refuseRemoved(place);
  const isAsked = place.booking_method === 'request';
  return { place, destination, terms: isAsked ? await readTerms(deps.publicReads, placeId) : {} };
}

async function render(
  deps: Deps,
  { place, destination, terms }: FoundPlace,
  shown: { reader: PageReader; near: Point | undefined; now: Date; visit?: MemberVisit },
): Promise<string> {
  const { reader, now } = shown;
  return placePage({
    ...shown,
    site: siteOf(deps),
    place: localizeAreas(deps, place, reader.languages),
    destination,
    terms,
    ground: await baseMapOf(destination),
    streets: await deps.streets.look(),
    alternatives: await findAlternatives(deps, place, reader, now),
  });
}
