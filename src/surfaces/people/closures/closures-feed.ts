import type { ListedClosure } from '../../../directory/closure/closures.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { Site } from '../frame/layout.ts';
import { closureText } from './closure-words.ts';

/** Feed date before any closure was recorded. */
const NEVER = '1970-01-01T00:00:00.000Z';

/**
 * Renders the latest closures as an Atom feed (RFC 4287), each with its position (GeoRSS) and its object in the source.
 */
export function closuresFeed(site: Site, closures: readonly ListedClosure[]): string {
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
