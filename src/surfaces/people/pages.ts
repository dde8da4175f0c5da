import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../core/context.ts';
import { errorHeaders } from '../../protocol/http/problem.ts';
import { AppError, ERRORS } from '../../core/errors.ts';
import { findMergedInto } from '../../directory/place/merge-places.ts';
import { findPlace } from '../../directory/place/place.ts';
import { assetUrl, serveAssets } from './assets.ts';
import { addAboutPages } from './about/about-routes.ts';
import { addClosures } from './closures/closures-routes.ts';
import type { DocsModel } from './docs/docs-pages.ts';
import { addDocs } from './docs/docs-routes.ts';
import { messagePage } from './frame/message-page.ts';
import { admitVisitor, pageMade } from './person/visitors.ts';
import { sendPage } from './frame/send-page.ts';
import { siteOf } from './frame/site.ts';
import { destinationPage } from './traveller/destination-page.ts';
import {
  addressOf,
  findInDestination,
  readDestinationQuery,
  type FoundInDestination,
} from './traveller/destination-query.ts';
import { groundOf } from './traveller/map/ground.ts';
import { homePage } from './traveller/home-page.ts';
import { placePage } from './traveller/place/place-page.ts';
import { placeAddress, readReader } from './traveller/reader.ts';

const QUERY_MAX = 80;
/** Names are shown in the language of the reader. */
const BY_LANGUAGE = 'accept-encoding, accept-language';
const PLACE_ID = /^plc_[0-9a-z]{26}$/;

/** The pages that anybody may open. */
export function addPages(
  http: FastifyInstance,
  deps: Deps,
  reference: Pick<DocsModel, 'openapi' | 'surfaces'>,
): void {
  http.register(serveAssets);
  http.get('/favicon.ico', (_request, reply) => reply.redirect(assetUrl('favicon.svg'), 302));
  http.get('/logo.svg', (_request, reply) => reply.redirect(assetUrl('logo.svg'), 302));
  // Others keep these addresses, so they stay the same when the picture changes.
  for (const size of [48, 192, 512] as const)
    http.get(`/icon-${size}.png`, (_request, reply) => reply.redirect(assetUrl(`icon-${size}.png`), 302));
  http.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply) => admitVisitor(deps, request, reply));
    scope.addHook('onSend', pageMade);
    addVisitedPages(scope, deps, reference);
    done();
  });
}

function addVisitedPages(
  app: FastifyInstance,
  deps: Deps,
  reference: Pick<DocsModel, 'openapi' | 'surfaces'>,
): void {
  app.get<{ Querystring: { q?: unknown } }>('/', (request, reply) => {
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, QUERY_MAX) : '';
    const snapshot = deps.destinations.current;
    return sendPage(reply, homePage({ site: siteOf(deps), destinations: snapshot.destinations, query }));
  });
  addDestinationPage(app, deps);
  addPlacePage(app, deps);
  addClosures(app, deps);
  addAboutPages(app, deps);
  addDocs(app, deps, reference);
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params;
    if (!Object.hasOwn(ERRORS, code)) throw new AppError('not_found', 'There is no problem of this name.');
    const [status, title] = ERRORS[code as keyof typeof ERRORS];
    return sendPage(
      reply,
      messagePage({
        site: siteOf(deps),
        status,
        title,
        what: `A request was answered with status ${status} and the code ${code}.`,
        meaning:
          'Programs switch on the code. The field "detail" of the answer says what was wrong with that one request.',
        next: 'The API reference lists every code and what to do about it.',
      }),
    );
  });
}

function addDestinationPage(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { slug: string }; Querystring: Record<string, unknown> }>(
    '/d/:slug',
    async (request, reply) => {
      const snapshot = deps.destinations.current;
      const destination = snapshot.destinations.find(({ slug }) => slug === request.params.slug);
      if (destination === undefined) throw new AppError('not_found', 'There is no destination of this name.');
      const reader = readReader(request.query, request.headers);
      const query = readDestinationQuery(request.query, reader);
      let found: FoundInDestination;
      try {
        found = findInDestination(deps, destination, query);
      } catch (thrown) {
        // A page that was kept from another time begins again, instead of telling a visitor about cursors.
        if (thrown instanceof AppError && thrown.code === 'bad_cursor')
          return reply.redirect(addressOf(destination.slug, query, {}), 302);
        throw thrown;
      }
      const site = siteOf(deps);
      const ground = await groundOf(destination);
      reply.header('vary', BY_LANGUAGE);
      return sendPage(reply, destinationPage({ site, now: deps.clock.now(), destination, found, ground }));
    },
  );
}

function addPlacePage(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { placeId: string }; Querystring: Record<string, unknown> }>(
    '/p/:placeId',
    async (request, reply) => {
      const reader = readReader(request.query, request.headers);
      const snapshot = deps.destinations.current;
      const { placeId } = request.params;
      const place = PLACE_ID.test(placeId) ? await findPlace(deps.pool, placeId) : undefined;
      const destination = snapshot.destinations.find(({ id }) => id === place?.destination_id);
      const known = PLACE_ID.test(placeId) && place === undefined;
      const other = known ? await findMergedInto(deps.pool, placeId) : undefined;
      if (other !== undefined) return reply.redirect(placeAddress(other, reader), 301);
      if (place === undefined || destination === undefined)
        throw new AppError('place_not_found', 'There is no place at this address.', {
          hint: 'Look for the place by its name on the page of its destination.',
        });
      const ground = await groundOf(destination);
      const site = siteOf(deps);
      reply.header('vary', BY_LANGUAGE);
      return sendPage(reply, placePage({ site, now: deps.clock.now(), place, reader, destination, ground }));
    },
  );
}

/** What a visitor sees instead of a page that cannot be shown. */
export function sendErrorPage(reply: FastifyReply, deps: Deps, error: AppError): Promise<FastifyReply> {
  const site = siteOf(deps);
  const lost = error.status === 404;
  return sendPage(
    reply.code(error.status).headers(errorHeaders(error)),
    messagePage({
      site,
      status: error.status,
      title: lost ? 'This page is not here' : error.title,
      what: lost ? 'The address leads to nothing that we know of.' : error.message,
      meaning: lost
        ? 'It may have been mistyped, or what it named has gone.'
        : error.members['outcome'] === 'unknown'
          ? 'What you sent may have been kept. Look before you send it again.'
          : 'The page could not be shown. Nothing was changed.',
      next:
        error.hint ??
        (lost
          ? 'Start again from the list of destinations.'
          : 'Try again in a moment, or go back to the start.'),
    }),
  );
}
