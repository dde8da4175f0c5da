import type { ListingPart } from '../../../../venue/edit-listing.ts';
import { badge, userText } from '../../frame/components.ts';
import { currentItem, sideMenu } from '../../frame/side-menu.ts';
import type { PageRequest, View } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage, pageLanguage } from '../language/area-language.ts';
import { missingParts } from './listing-summary.ts';

/** The parts in the order of the venue's home. */
const PARTS: readonly ListingPart[] = ['hours', 'photo', 'menu', 'about', 'contacts', 'position', 'booking'];

/** Returns the frame of a page of the area: its language, the form that changes it, and the menu of all parts. */
export function venueFrame(req: PageRequest<Venue>, path: string): NonNullable<View['language']> {
  const language = areaLanguage(req);
  const { area } = language;
  const missing = missingParts(req, language);
  const groups = [
    {
      title: userText(req.person.place.name),
      items: [
        { href: '/venue', label: area('nav.overview') },
        { href: '/venue/tables', label: area('nav.tables') },
        { href: '/venue/rules', label: area('part.rules') },
        { href: '/venue/terms', label: area('part.terms') },
      ],
    },
    {
      title: area('parts.title'),
      items: PARTS.map((part) => ({
        href: `/venue/${part}`,
        label: area(`part.${part}`),
        mark: missing.includes(part) && badge('warn', area('parts.missing')),
      })),
    },
  ];
  const current = currentItem(
    groups.flatMap(({ items }) => items),
    path,
  );
  const menu = sideMenu(area('nav.listing'), groups, { current: current?.href });
  return { ...pageLanguage(req, path), menu };
}
