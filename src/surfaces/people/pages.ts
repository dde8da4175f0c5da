import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../core/context.ts';
import { errorHeaders } from '../../protocol/http/problem.ts';
import { AppError, ERRORS } from '../../core/errors.ts';
import { assetUrl, serveAssets } from './assets.ts';
import { html } from '../../core/text/html.ts';
import { addAboutPages } from './about-pages.ts';
import { addClosures } from './closures.ts';
import type { DocsModel } from './docs/docs-model.ts';
import { addDocs } from './docs/docs-routes.ts';
import { errorWords, messagePage, restartLink } from './frame/message-page.ts';
import { admitVisitor, releaseVisitorSlot } from './person/visitors.ts';
import { sendPage } from './frame/send-page.ts';
import { siteOf } from './frame/site.ts';
import { addTileRoute } from './traveller/map/tile-route.ts';
import { addCrawlerFiles } from './traveller/crawler-files.ts';
import { addTravellerPages } from './traveller/traveller-routes.ts';
import { venueError } from './venue/language/venue-error.ts';

/** Mounts the public pages. */
export function addPublicPages(
  http: FastifyInstance,
  deps: Deps,
  reference: () => Pick<DocsModel, 'openapi' | 'surfaces'>,
): void {
  http.register(serveAssets);
  addTileRoute(http, deps);
  http.get('/favicon.ico', (_request, reply) => reply.redirect(assetUrl('favicon.svg'), 302));
  http.get('/logo.svg', (_request, reply) => reply.redirect(assetUrl('logo.svg'), 302));
  // Third parties store these URLs, so they stay the same when the picture changes.
  for (const size of [48, 192, 512] as const)
    http.get(`/icon-${size}.png`, (_request, reply) => reply.redirect(assetUrl(`icon-${size}.png`), 302));
  http.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply) => admitVisitor(deps, request, reply));
    scope.addHook('onSend', releaseVisitorSlot);
    addVisitedPages(scope, deps, reference);
    done();
  });
}

function addVisitedPages(
  app: FastifyInstance,
  deps: Deps,
  reference: () => Pick<DocsModel, 'openapi' | 'surfaces'>,
): void {
  addTravellerPages(app, deps);
  addCrawlerFiles(app, deps);
  addClosures(app, deps);
  addAboutPages(app, deps);
  addDocs(app, deps, reference);
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params;
    if (!Object.hasOwn(ERRORS, code))
      throw new AppError('not_found', 'There is no error code with this name.', {
        hint: '/docs/errors lists all codes.',
      });
    const [status, title] = ERRORS[code as keyof typeof ERRORS];
    return sendPage(
      reply,
      messagePage({
        site: siteOf(deps),
        status,
        title,
        what: `A request was answered with status ${status} and the code ${code}.`,
        meaning:
          'Programs switch on the code. The field "detail" of the answer explains what was wrong with the request.',
        next: html`<a href="/docs/errors#error-${code}">The API reference</a> describes the format of errors
          and lists every code.`,
      }),
    );
  });
}

/** Sends an error page. It is cached too, because most error pages are sent when load is highest. */
export async function sendErrorPage(reply: FastifyReply, deps: Deps, error: AppError): Promise<FastifyReply> {
  const own = venueError(reply.request, deps, error);
  const start = own?.start ?? restartLink(reply.request.url);
  const words = own?.words ?? errorWords(error, start);
  const hasSearch = start === undefined && [404, 410].includes(error.status);
  const make = () => messagePage({ site: siteOf(deps), ...words, start, hasSearch, language: own?.language });
  // Words may be markup, which has no JSON.
  const said = Object.values(words).map(String);
  const name = `error ${JSON.stringify([said, start, hasSearch, own?.language.frame.code])}`;
  const page = await deps.preparedPages.find(name, [deps.destinations.current], make);
  return sendPage(reply.code(error.status).headers(errorHeaders(error)), page);
}
