import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { sendPage } from '../frame/send-page.ts';
import { removalsVersion } from '../../../directory/removal.ts';
import { destinationsSitemap, listMapped, placesSitemap, sitemapIndex } from './sitemaps.ts';

const XML = 'application/xml; charset=utf-8';
/** Pages for one person, and searches, which are filtered views of pages with a URL of their own. */
const NOT_FOR_CRAWLERS = [
  '/console',
  '/find',
  '/member',
  '/oauth/',
  '/partner',
  '/photos/mine',
  '/venue',
  '/d/*?',
  '/p/*?',
];
const PART = /^([1-9]\d{0,4})\.xml$/;

/** Mounts robots.txt and the sitemaps. The sitemaps are rebuilt every hour, and when a listing is removed. */
export function addCrawlerFiles(app: FastifyInstance, deps: Deps): void {
  const { baseUrl } = deps.config;
  const rules = ['User-agent: *', ...NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`)];
  const robots = [...rules, '', `Sitemap: ${baseUrl}/sitemap.xml`, ''].join('\n');
  app.get('/robots.txt', (_request, reply) =>
    sendPage(forAnHour(reply), robots, 'text/plain; charset=utf-8'),
  );
  const send = async (reply: FastifyReply, name: string, make: () => Promise<string>) => {
    const hour = Math.floor(deps.clock.now().getTime() / HOUR_MS);
    const removals = await removalsVersion(deps.readPool);
    const map = await deps.preparedPages.find(name, [hour, removals], make, XML);
    return sendPage(forAnHour(reply), map);
  };
  app.get('/sitemap.xml', (_request, reply) =>
    send(reply, 'sitemap', async () => sitemapIndex(baseUrl, await listMapped(deps.readPool))),
  );
  app.get('/sitemaps/destinations.xml', (_request, reply) =>
    send(reply, 'sitemap of destinations', async () =>
      destinationsSitemap(baseUrl, await listMapped(deps.readPool)),
    ),
  );
  app.get<{ Params: { slug: string; file: string } }>('/sitemaps/:slug/:file', ({ params }, reply) => {
    const { slug, file } = params;
    return send(reply, `sitemap of ${slug} ${file}`, async () => {
      const part = Number(PART.exec(file)?.[1]);
      const map = part > 0 ? await placesSitemap(deps.readPool, baseUrl, slug, part) : undefined;
      if (map === undefined) throw new AppError('not_found', 'There is no such sitemap.');
      return map;
    });
  });
}

function forAnHour(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=3600');
}
