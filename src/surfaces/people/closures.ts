import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { html, type Html } from '../../core/text/html.ts';
import { cutTyped } from '../../core/text/visible-text.ts';
import { listClosuresOf, type ClosuresPage, type ListedClosure } from '../../directory/closure/closures.ts';
import { closedSince } from '../../directory/closure/list-closures.ts';
import { findDestination } from '../../directory/find-destination.ts';
import { textField } from './form/form-field.ts';
import { badge, link } from './frame/components.ts';
import { page, type Site } from './frame/layout.ts';
import { nextPage } from './frame/next-page.ts';
import { sendPage } from './frame/send-page.ts';
import { siteOf } from './frame/site.ts';
import { table } from './frame/table.ts';
import { sentenceCase } from './frame/wording.ts';
import { dateOf } from './traveller/local-clock.ts';
import { illustrationUrl } from './traveller/place-picture.ts';
import { sourceName } from './traveller/place/sources-section.ts';

const PAGE_ENTRIES = 50;
const FEED_ENTRIES = 100;
const FIELD_MAX = 400;
const NOTHING: ClosuresPage = { closures: [], next_cursor: null };

/** Mounts the list of closures as a page and as a feed. */
export function addClosures(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: Record<string, unknown> }>('/closures', async (request, reply) => {
    const [since = '', destination = '', cursor = ''] = ['since', 'destination', 'cursor'].map((name) =>
      textOf(request.query[name]),
    );
    const match = destination === '' ? null : findDestination(deps.destinations.current, destination);
    const fault = faultOf(since, match === undefined);
    try {
      const search = {
        since: since || undefined,
        destinationId: match?.id,
        cursor: cursor || undefined,
        limit: PAGE_ENTRIES,
        byDate: true,
        withDemonstration: true,
      };
      const result =
        fault === null ? await listClosuresOf(deps.publicReads, deps.secrets.session, search) : NOTHING;
      const site = siteOf(deps);
      return await sendPage(reply, closuresPage({ site, since, destination, fault, ...result }));
    } catch (thrown) {
      // A stale link restarts at the first page, instead of showing the visitor an error about cursors.
      if (thrown instanceof AppError && thrown.code === 'bad_cursor') return reply.redirect('/closures', 302);
      throw thrown;
    }
  });
  app.get('/closures.atom', async (_request, reply) => {
    const { closures } = await listClosuresOf(deps.publicReads, deps.secrets.session, {
      limit: FEED_ENTRIES,
    });
    return sendPage(reply, closuresFeed(siteOf(deps), closures), 'application/atom+xml; charset=utf-8');
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

interface ClosuresModel extends ClosuresPage {
  site: Site;
  since: string;
  destination: string;
  /** Error message for invalid filter values. */
  fault: string | null;
}

/** Lists closed places for maintainers of other maps. */
function closuresPage(model: ClosuresModel): string {
  const { site, closures, next_cursor, since, destination, fault } = model;
  const filters = { since: since || undefined, destination: destination || undefined };
  return page({
    site,
    title: 'Closures',
    description: 'Places that are believed to have closed, with the evidence.',
    canonical: '/closures',
    body: html`<div class="wrap page flow">
      <h1>Closures</h1>
      <p class="lead">
        Places that have probably closed, with the evidence, so that nobody goes there and other maps can be
        corrected. The latest closure comes first.
      </p>
      <form class="filters" action="/closures" method="get">
        ${textField({ name: 'since', label: 'Closed since', type: 'date', value: since })}
        ${textField({ name: 'destination', label: 'Destination', type: 'search', value: destination, maxlength: 80 })}
        <button class="button">Show</button>
      </form>
      ${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}
      ${fault === null && (closures.length === 0 ? EMPTY : table(CLOSURES_TABLE, closures.map(row)))}
      ${next_cursor !== null && nextPage('/closures', { ...filters, cursor: next_cursor }, 'Earlier closures')}
      <p>
        Check before you delete: evidence can be wrong. Programs read the same
        <a href="/docs/rest-directory#list_closures">over the API</a> and as a
        <a href="/closures.atom">feed</a
        >${site.demo && ', without the fictional places of the demonstration'}.
      </p>
    </div>`,
  });
}

const CLOSURES_TABLE = {
  className: 'stack rows',
  caption: 'Places that closed, or are open again',
  columns: ['Place', 'Closed by', 'Evidence', 'Source'],
};

const EMPTY = html`<div class="empty">
  <p><strong>No closures are recorded here.</strong></p>
  <p>A closure appears here when a map, a report or a venue states that a place has closed.</p>
</div>`;

function row({ place_id, name, destination, category, closed_at, ...closure }: ListedClosure): Html {
  const { evidence, reopened, source, source_url } = closure;
  return html`<tr>
    <th scope="row">
      <div class="pictured">
        <img class="thumb" src="${illustrationUrl({ category }, place_id)}" alt="" width="96" height="72" />
        <div>
          <a href="/p/${place_id}">${name}</a><br /><span class="soft"
            >${sentenceCase(category)}, <a href="/d/${destination.slug}">${destination.name}</a></span
          >${source === 'demo' && html` ${badge('warn', 'Fictional')}`}
        </div>
      </div>
    </th>
    <td data-label="Closed by"><time datetime="${closed_at}">${dateOf(new Date(closed_at), 'UTC')}</time></td>
    <td>
      ${evidence.map(({ note }) => html`<p>${note}</p>`)}
      ${reopened !== null && html`<p><strong>Open again: ${REOPENED_BY[reopened.by]}.</strong></p>`}
    </td>
    <td data-label="Source">
      ${source === 'demo' || source_url === null ? sourceName(source) : link(source_url, sourceName(source))}
    </td>
  </tr>`;
}

/** Feed date before any closure was recorded. */
const NEVER = '1970-01-01T00:00:00.000Z';

/**
 * Renders the latest closures as an Atom feed (RFC 4287), each with its position (GeoRSS) and its object in the source.
 */
function closuresFeed(site: Site, closures: readonly ListedClosure[]): string {
  const { serviceName, baseUrl, attribution } = site;
  return html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">
      <id>${baseUrl}/closures.atom</id>
      <title>Closures in ${serviceName}</title>
      <subtitle>Places that are believed to have closed, and those that are open again.</subtitle>
      <link rel="self" type="application/atom+xml" href="${baseUrl}/closures.atom" />
      <link rel="alternate" type="text/html" href="${baseUrl}/closures" />
      <updated>${closures[0]?.noted_at ?? NEVER}</updated>
      <author><name>${serviceName}</name></author>
      <rights>${attribution.text}</rights>
      ${closures.map((closure) => entry(site, closure))}
    </feed> `
    .toString()
    .trim();
}

function entry({ baseUrl }: Site, closure: ListedClosure): Html {
  const { place_id, name, state, noted_at, destination, lat, lng, source_url } = closure;
  return html`<entry>
    <id>${baseUrl}/p/${place_id}#${state}-${noted_at}</id>
    <title>${state === 'closed' ? 'Closed' : 'Open again'}: ${name}, ${destination.name}</title>
    <link rel="alternate" type="text/html" href="${baseUrl}/p/${place_id}" />
    ${source_url !== null && html`<link rel="via" href="${source_url}" />`}
    <updated>${noted_at}</updated>
    <category term="${state}" />
    ${lat !== null && html`<georss:point>${lat} ${lng}</georss:point>`}
    <content type="text">${closureText(closure)}</content>
  </entry>`;
}

const REOPENED_BY = {
  staff: 'our staff found it open',
  venue: 'the venue says that it is open',
  website: 'its website answers again',
  import: 'it is in the map again',
} as const;

/** Renders the evidence of a closure and any reopening as text. */
function closureText({ evidence, reopened, source, source_ref }: ListedClosure): string {
  const notes = evidence.map(({ note, observed_at }) => `${observed_at.slice(0, 10)}: ${note}`);
  const again = reopened === null ? [] : [`${reopened.at.slice(0, 10)}: ${REOPENED_BY[reopened.by]}.`];
  return [...notes, ...again, `Source: ${source} ${source_ref}`].join('\n');
}
