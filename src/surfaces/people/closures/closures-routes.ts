import { cutTyped } from '../../../core/text/visible-text.ts';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { closedSince } from '../../../directory/closure/list-closures.ts';
import { listClosuresOf, type ClosuresPage } from '../../../directory/closure/closures.ts';
import { findDestination } from '../../../directory/find-destination.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { closuresFeed } from './closures-feed.ts';
import { closuresPage } from './closures-page.ts';

const PAGE_ENTRIES = 50;
const FEED_ENTRIES = 100;
const FIELD_MAX = 400;
const NOTHING: ClosuresPage = { closures: [], next_cursor: null };

/** Mounts the list of closures as a page and as a feed. */
export function addClosures(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: Record<string, unknown> }>('/closures', async (request, reply) => {
    const parameter = (name: string) => textOf(request.query[name]);
    const [since, destination] = [parameter('since'), parameter('destination')];
    const match = destination === '' ? null : findDestination(deps.destinations.current, destination);
    const fault = faultOf(since, match === undefined);
    try {
      const result =
        fault === null ? await findClosures(deps, since, match?.id, parameter('cursor')) : NOTHING;
      return await sendPage(
        reply,
        closuresPage({ site: siteOf(deps), since, destination, fault, ...result }),
      );
    } catch (thrown) {
      // A stale link restarts at the first page, instead of showing the visitor an error about cursors.
      if (thrown instanceof AppError && thrown.code === 'bad_cursor') return reply.redirect('/closures', 302);
      throw thrown;
    }
  });
  app.get('/closures.atom', async (_request, reply) => {
    const { closures } = await listClosuresOf(deps.readPool, deps.secrets.session, { limit: FEED_ENTRIES });
    return sendPage(reply, closuresFeed(siteOf(deps), closures), 'application/atom+xml; charset=utf-8');
  });
}

function findClosures(deps: Deps, since: string, destinationId: string | undefined, cursor: string) {
  return listClosuresOf(deps.readPool, deps.secrets.session, {
    since: since || undefined,
    destinationId,
    cursor: cursor || undefined,
    limit: PAGE_ENTRIES,
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cutTyped(value.trim(), FIELD_MAX) : '';
}

function faultOf(since: string, unknown: boolean): string | null {
  if (since !== '' && !closedSince.safeParse(since).success)
    return 'This is not a valid date. Write it as 2026-01-31.';
  return unknown ? 'No destination with this name is covered. Leave the field empty to see all.' : null;
}
