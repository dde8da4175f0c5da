import type { Deps } from '../../../core/context.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { withPlaces, type Destination } from '../../../directory/destinations.ts';
import type { StreetMap } from '../../../streets/street-tiles.ts';
import type { PlaceSearch } from '../../../search/search-places.ts';
import { userText } from '../frame/components.ts';
import { findCards, type ListedCard } from './destination-query.ts';
import { pointMap, streetsOf } from './map/street-figure.ts';
import { placeEntry } from './place-list.ts';
import { findThumbnails, type Thumbnails } from './place-picture.ts';
import type { PageReader } from './reader.ts';

/** The destination with which the home page begins, and some of its places. */
export interface Featured {
  destination: Destination;
  rows: readonly { title: string; href: string; cards: readonly ListedCard[] }[];
  thumbnails: Thumbnails;
  streets: StreetMap | undefined;
  reader: PageReader;
  now: Date;
}

const CARDS = 4;
/** From a country to a town. */
const ZOOM = { min: 10, max: 14 };

/** Chooses the destination with real places in a demonstration, or else the largest one, with streets if possible. */
export async function findFeatured(deps: Deps, reader: PageReader, now: Date): Promise<Featured | undefined> {
  const { destinations, samples } = deps.destinations.current;
  const streets = await deps.streets.look();
  const rankOf = (one: Destination) => [
    samples.includes(one.name) ? 1 : 0,
    streetsOf(streets, one) === undefined ? 0 : 1,
    one.places,
  ];
  const [destination] = withPlaces(destinations).toSorted((a, b) => {
    const [ranks, others] = [rankOf(a), rankOf(b)];
    return others.map((rank, at) => rank - (ranks[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  });
  if (destination === undefined) return undefined;
  const { languages } = reader;
  const find = (search: Omit<PlaceSearch, 'limit'>): ListedCard[] =>
    findCards(deps, { destination, languages, limit: CARDS, ...search }, now).cards;
  const page = `/d/${destination.slug}`;
  const openNow = find({ category: 'restaurant', openAt: now, openLikely: true });
  const eat =
    openNow.length === CARDS
      ? { title: 'Open now or usually open', href: `${page}?category=restaurant&open=1`, cards: openNow }
      : {
          title: 'Eat and drink',
          href: `${page}?category=restaurant`,
          cards: find({ category: 'restaurant' }),
        };
  const see = { title: 'See', href: `${page}?category=attraction`, cards: find({ category: 'attraction' }) };
  const rows = [see, eat].filter(({ cards }) => cards.length > 0);
  const thumbnails = await findThumbnails(
    deps.publicReads,
    rows.flatMap(({ cards }) => cards),
  );
  return { destination, rows, thumbnails, streets: streetsOf(streets, destination), reader, now };
}

/** Returns the zoom at which the destination is about as wide as one tile, so that its towns and streets are in the picture. */
function zoomOf({ west, east }: Destination): number {
  const width = (east - west + 360) % 360 || 360;
  const zoom = Math.round(Math.log2(360 / width));
  return Math.min(ZOOM.max, Math.max(ZOOM.min, zoom));
}

/** Renders the featured destination: its street map where there is one, and cards of its places. */
export function featuredSection({ destination, rows, streets, ...shown }: Featured): Html {
  const { slug, name, places, timezone } = destination;
  const { reader, now, thumbnails } = shown;
  const label = `Street map of ${name}`;
  return html`<section
    class="featured ${streets === undefined && 'mapless'}"
    aria-labelledby="featured-title"
  >
    <div class="featured-head">
      <h2 id="featured-title"><a href="/d/${slug}">${userText(name)}</a></h2>
      <p class="soft">${formatCount(places, 'place')} on one map</p>
      ${
        streets !== undefined &&
        pointMap({
          ...{ map: streets, point: destination, label, zoom: zoomOf(destination) },
          languages: reader.languages,
        })
      }
      <p><a class="button" href="/d/${slug}">${`Explore ${name}`}</a></p>
    </div>
    <div class="featured-rows">
      ${rows.map(
        ({ title, href, cards }) =>
          html`<div>
            <h2><a href="${href}">${title} in ${userText(name)}</a></h2>
            <ol class="places cards">
              ${cards.map((card) => placeEntry(card, { reader, thumbnails }, timezone, now))}
            </ol>
          </div>`,
      )}
    </div>
  </section>`;
}
