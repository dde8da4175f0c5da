import type { OperationDeps } from '../core/context.ts';
import type { Languages } from '../core/text/languages.ts';

interface Located {
  area: string | null;
  areas: string[];
  country: string;
}

/** Returns a place with the names of its areas in the reader's language. */
export function localizeAreas<Place extends Located>(
  { places }: Pick<OperationDeps, 'places'>,
  place: Place,
  languages: Languages = [],
): Place {
  if (languages.length === 0) return place;
  const { area, areas, country } = place;
  const [shown = null] = places.localizedAreas(area === null ? [] : [area], country, languages);
  return { ...place, area: shown, areas: places.localizedAreas(areas, country, languages) };
}
