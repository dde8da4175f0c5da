import { cutTyped } from '../../../core/text/visible-text.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { metresBetween, type Point } from '../../../core/geo.ts';
import { withPlaces, type Destination } from '../../../directory/destinations.ts';
import { searchPlaces } from '../../../search/search-places.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { destinationPage } from './destination-page.ts';
import {
  destinationUrl,
  findInDestination,
  readDestinationQuery,
  type DestinationQuery,
} from './destination-query.ts';
import { findFeatured } from './featured.ts';
import { homePage } from './home-page.ts';
import { searchFromHome, suggestFromHome, suggestions } from './home-search.ts';
import { baseMapOf } from './map/ground.ts';
import { addPlacePages } from './place/place-routes.ts';
import { destinationPicture } from './share-picture.ts';
import { BY_LANGUAGE, nearText, readNear, readReader, thisMinute, type PageReader } from './reader.ts';

const QUERY_MAX = 80;

/** Mounts home, destination and place pages. Equal requests without a session get the same bytes. */
export function addTravellerPages(app: FastifyInstance, deps: Deps): void {
  addHomePage(app, deps);
  addDestinationPage(app, deps);
  addPlacePages(app, deps);
}

type Searched = { Querystring: Record<string, unknown> };

function addHomePage(app: FastifyInstance, deps: Deps): void {
  app.get<Searched>('/', async (request, reply) => {
    const asked = readSearch(deps, request);
    const { text, reader, now } = asked;
    const near = readNear(request.query);
    if (near !== undefined) return reply.redirect(addressNear(deps, near, asked), 302);
    const results = text === '' ? undefined : await searchFromHome(deps, text, reader, now);
    // A search that means one destination is answered by its page, which has map and filters.
    if (results?.within !== undefined) return reply.header('vary', BY_LANGUAGE).redirect(results.within, 302);
    return sendSearch(deps, request, reply, asked, async () =>
      homePage({
        site: siteOf(deps),
        destinations: deps.destinations.current.destinations,
        ...(results === undefined ? { featured: await findFeatured(deps, reader, now) } : { results }),
      }),
    );
  });
  // Fragment that the page's script shows under the search box while the visitor types.
  app.get<Searched>('/find', (request, reply) => {
    const asked = readSearch(deps, request);
    return sendSearch(deps, request, reply.header('x-robots-tag', 'noindex'), asked, async () => {
      const results = await suggestFromHome(deps, asked.text, asked.reader, asked.now);
      return (suggestions(results, deps.destinations.current.destinations) || '').toString();
    });
  });
}

/** Returns the page of the destination around a point, or else of the nearest one, with the search around the point. */
function addressNear(deps: Deps, near: Point, { text, reader }: HomeSearch): string {
  const all = withPlaces(deps.destinations.current.destinations);
  const [nearest] = all.toSorted(
    (a, b) =>
      Number(contains(b, near)) - Number(contains(a, near)) ||
      metresBetween(a, near) - metresBetween(b, near),
  );
  const query = readDestinationQuery({ q: text, near: nearText(near), lang: reader.lang }, reader);
  return nearest === undefined ? '/' : destinationUrl(nearest.slug, query, {});
}

function contains({ south, west, north, east }: Destination, { lat, lng }: Point): boolean {
  const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
  return lat >= south && lat <= north && isBetween;
}

interface HomeSearch {
  text: string;
  reader: PageReader;
  now: Date;
}

function readSearch(deps: Deps, { query, headers }: FastifyRequest<Searched>): HomeSearch {
  return { text: textOf(query), reader: readReader(query, headers), now: thisMinute(deps) };
}

async function sendSearch(
  deps: Deps,
  { routeOptions }: FastifyRequest<Searched>,
  reply: FastifyReply,
  { text, reader, now }: HomeSearch,
  render: () => Promise<string>,
): Promise<FastifyReply> {
  const streets = await deps.streets.look();
  const page = await deps.preparedPages.find(
    `${routeOptions.url}?q=${text} ${reader.lang} ${languagesOf(reader)}`,
    [deps.destinations.current, deps.places.version, now.getTime(), streets?.version ?? ''],
    render,
  );
  return sendPage(reply.header('vary', BY_LANGUAGE), page);
}

function textOf({ q }: Record<string, unknown>): string {
  return typeof q === 'string' ? cutTyped(q.trim(), QUERY_MAX) : '';
}

function addDestinationPage(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { slug: string }; Querystring: Record<string, unknown> }>(
    '/d/:slug',
    async (request, reply) => {
      const destination = requireDestination(deps, request.params.slug);
      const query = readDestinationQuery(request.query, readReader(request.query, request.headers));
      try {
        return await sendDestination(deps, reply, destination, query);
      } catch (thrown) {
        // A stale link restarts at the first page, instead of showing the visitor an error about cursors.
        if (thrown instanceof AppError && thrown.code === 'bad_cursor')
          return reply.redirect(destinationUrl(destination.slug, query, {}), 302);
        throw thrown;
      }
    },
  );
  app.get<{ Params: { slug: string } }>('/d/:slug/share.png', async ({ params }, reply) => {
    const destination = requireDestination(deps, params.slug);
    // The kind of place that its list begins with.
    const [first] = searchPlaces(deps, { destination, limit: 1 }).cards();
    const picture = await destinationPicture(
      destination,
      first?.category ?? 'attraction',
      deps.config.serviceName,
    );
    return picture.send(reply.header('cache-control', 'public, max-age=86400'));
  });
}

function requireDestination(deps: Deps, slug: string): Destination {
  const destination = deps.destinations.current.destinations.find((one) => one.slug === slug);
  if (destination === undefined)
    throw new AppError('not_found', 'There is no destination with this name.', {
      hint: 'Search for it on the home page.',
    });
  return destination;
}

async function sendDestination(
  deps: Deps,
  reply: FastifyReply,
  destination: Destination,
  query: DestinationQuery,
): Promise<FastifyReply> {
  const [now, streets] = [thisMinute(deps), await deps.streets.look()];
  const address = destinationUrl(destination.slug, query, query);
  const page = await deps.preparedPages.find(
    `${address} ${languagesOf(query.reader)}`,
    [deps.places.version, deps.destinations.current, now.getTime(), streets?.version ?? ''],
    async () => {
      const results = await findInDestination(deps, destination, query, now);
      const ground = await baseMapOf(destination);
      return destinationPage({ site: siteOf(deps), now, destination, results, ground, streets });
    },
  );
  return sendPage(reply.header('vary', BY_LANGUAGE), page);
}

function languagesOf({ languages }: PageReader): string {
  return languages.join();
}
