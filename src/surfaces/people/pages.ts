import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../core/context.ts';
import { AppError, ERRORS } from '../../core/errors.ts';
import type { DestinationSnapshot } from '../../directory/destinations.ts';
import { listBestPlaces } from '../../directory/list-best-places.ts';
import { assetUrl, serveAssets } from './assets.ts';
import { docsPage, type DocsModel } from './docs/docs-page.ts';
import type { Site } from './layout.ts';
import { messagePage } from './message-page.ts';
import { sendPage } from './send-page.ts';
import { destinationPage } from './traveller/destination-page.ts';
import { homePage } from './traveller/home-page.ts';

const QUERY_MAX = 80;

/** The pages that anybody may open. */
export function addPages(app: FastifyInstance, deps: Deps, reference: Omit<DocsModel, 'site'>): void {
  app.register(serveAssets);
  app.get('/favicon.ico', (_request, reply) => reply.redirect(assetUrl('favicon.svg'), 302));
  app.get('/logo.svg', (_request, reply) => reply.redirect(assetUrl('logo.svg'), 302));
  app.get<{ Querystring: { q?: unknown } }>('/', (request, reply) => {
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, QUERY_MAX) : '';
    const snapshot = deps.destinations.current;
    return sendPage(
      reply,
      homePage({ site: siteOf(deps.config, snapshot), destinations: snapshot.destinations, query }),
    );
  });
  app.get<{ Params: { slug: string } }>('/d/:slug', async (request, reply) => {
    const snapshot = deps.destinations.current;
    const destination = snapshot.destinations.find(({ slug }) => slug === request.params.slug);
    if (destination === undefined) throw new AppError('not_found', 'There is no destination of this name.');
    const places = await listBestPlaces(deps.pool, destination.id);
    return sendPage(
      reply,
      destinationPage({ site: siteOf(deps.config, snapshot), now: deps.clock.now(), destination, places }),
    );
  });
  app.get('/docs', (_request, reply) =>
    sendPage(reply, docsPage({ site: siteOf(deps.config, deps.destinations.current), ...reference })),
  );
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params;
    if (!Object.hasOwn(ERRORS, code)) throw new AppError('not_found', 'There is no problem of this name.');
    const [status, title] = ERRORS[code as keyof typeof ERRORS];
    return sendPage(
      reply,
      messagePage({
        site: siteOf(deps.config, deps.destinations.current),
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

/** What a visitor sees instead of a page that cannot be shown. */
export function sendErrorPage(reply: FastifyReply, deps: Deps, error: AppError): Promise<FastifyReply> {
  const site = siteOf(deps.config, deps.destinations.current);
  const lost = error.status === 404;
  return sendPage(
    reply.code(error.status),
    messagePage({
      site,
      status: error.status,
      title: lost ? 'This page is not here' : error.title,
      what: lost ? 'The address leads to nothing that we know of.' : error.message,
      meaning: lost
        ? 'It may have been mistyped, or what it named has gone.'
        : 'The page could not be shown. Nothing was changed.',
      next:
        error.hint ??
        (lost
          ? 'Start again from the list of destinations.'
          : 'Try again in a moment, or go back to the start.'),
    }),
  );
}

function siteOf(config: Config, snapshot: DestinationSnapshot): Site {
  const { serviceName, providerName, baseUrl, partnerUrl } = config;
  const { attribution, attribution_links: links } = snapshot.attribution;
  return {
    serviceName,
    providerName,
    baseUrl,
    partnerUrl,
    attribution: { text: attribution, links },
    demo: snapshot.demo,
  };
}
