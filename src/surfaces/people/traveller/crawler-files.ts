import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { sendPage } from '../frame/send-page.ts';
import { removalsVersion } from '../../../directory/removal.ts';

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
/** The same pages with names in other languages; the longer rule applies. */
const FOR_CRAWLERS = ['/d/*?lang=', '/p/*?lang='];
const PART = /^([1-9]\d{0,4})\.xml$/;

/** Mounts robots.txt and the sitemaps. The sitemaps are rebuilt every hour, and when a listing is removed. */
export function addCrawlerFiles(app: FastifyInstance, deps: Deps): void {
  const { baseUrl } = deps.config;
  const rules = [
    'User-agent: *',
    ...NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`),
    ...FOR_CRAWLERS.map((path) => `Allow: ${path}`),
  ];
  const robots = [...rules, '', `Sitemap: ${baseUrl}/sitemap.xml`, ''].join('\n');
  app.get('/robots.txt', (_request, reply) =>
    sendPage(forAnHour(reply), robots, 'text/plain; charset=utf-8'),
  );
  const send = async (reply: FastifyReply, name: string, make: () => Promise<string>) => {
    const hour = Math.floor(deps.clock.now().getTime() / HOUR_MS);
    const removals = await removalsVersion(deps.publicReads);
    const map = await deps.preparedPages.find(name, [hour, removals], make, XML);
    return sendPage(forAnHour(reply), map);
  };
  app.get('/sitemap.xml', (_request, reply) =>
    send(reply, 'sitemap', async () => sitemapIndex(baseUrl, await listMapped(deps.publicReads))),
  );
  app.get('/sitemaps/destinations.xml', (_request, reply) =>
    send(reply, 'sitemap of destinations', async () =>
      destinationsSitemap(baseUrl, await listMapped(deps.publicReads)),
    ),
  );
  app.get<{ Params: { slug: string; file: string } }>('/sitemaps/:slug/:file', ({ params }, reply) => {
    const { slug, file } = params;
    return send(reply, `sitemap of ${slug} ${file}`, async () => {
      const part = Number(PART.exec(file)?.[1]);
      const map = part > 0 ? await placesSitemap(deps.publicReads, baseUrl, slug, part) : undefined;
      if (map === undefined) throw new AppError('not_found', 'There is no such sitemap.');
      return map;
    });
  });
}

function forAnHour(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=3600');
}

/** Maximum entries per sitemap: below the allowed 50,000, so that each is quick to build. */
const PLACES_IN_PART = 10_000;
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The indexable places of one destination: real and open ones with a name. */
interface MappedDestination {
  slug: string;
  places: number;
  changed: Date;
}

/** Lists the destinations that have indexable places. */
function listMapped(db: Db): Promise<MappedDestination[]> {
  return db<MappedDestination[]>`
    select d.slug, p.places, p.changed
    from destination d join (
      select destination_id, count(*)::int as places, max(updated_at) as changed
      from place where closed_at is null and source <> 'demo' and not name_generated group by destination_id) p on p.destination_id = d.id
    order by d.slug`;
}

/** Renders the sitemap index: one sitemap of destinations, and as many as each destination's places need. */
function sitemapIndex(baseUrl: string, destinations: readonly MappedDestination[]): string {
  const parts = destinations.flatMap(({ slug, places, changed }) =>
    Array.from({ length: Math.ceil(places / PLACES_IN_PART) }, (_, at) =>
      entry('sitemap', `${baseUrl}/sitemaps/${slug}/${at + 1}.xml`, changed),
    ),
  );
  const all = [entry('sitemap', `${baseUrl}/sitemaps/destinations.xml`, newest(destinations)), ...parts];
  return document('sitemapindex', all);
}

function destinationsSitemap(baseUrl: string, destinations: readonly MappedDestination[]): string {
  const pages = destinations.map(({ slug, changed }) => entry('url', `${baseUrl}/d/${slug}`, changed));
  return document('urlset', [entry('url', `${baseUrl}/`, newest(destinations)), ...pages]);
}

/** Renders one part of a destination's places; undefined where it has no such part. */
async function placesSitemap(
  db: Db,
  baseUrl: string,
  slug: string,
  part: number,
): Promise<string | undefined> {
  const places = await db<{ id: string; updated_at: Date }[]>`
    select p.id, p.updated_at from place p join destination d on d.id = p.destination_id
    where d.slug = ${slug} and p.closed_at is null and p.source <> 'demo'
      and not p.name_generated
    order by p.id offset ${(part - 1) * PLACES_IN_PART} limit ${PLACES_IN_PART}`;
  if (places.length === 0) return undefined;
  const pages = places.map(({ id, updated_at }) => entry('url', `${baseUrl}/p/${id}`, updated_at));
  return document('urlset', pages);
}

function newest(destinations: readonly MappedDestination[]): Date | undefined {
  const times = destinations.map(({ changed }) => changed.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

function entry(kind: 'sitemap' | 'url', address: string, changed: Date | undefined): Html {
  const lastmod = changed !== undefined && html`<lastmod>${changed.toISOString()}</lastmod>`;
  const content = html`<loc>${address}</loc>${lastmod}`;
  return kind === 'url' ? html`<url>${content}</url>` : html`<sitemap>${content}</sitemap>`;
}

function document(kind: 'sitemapindex' | 'urlset', entries: readonly Html[]): string {
  const content = entries.map((one) => one.toString()).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="${SCHEMA}">\n${content}\n</${kind}>\n`;
}
