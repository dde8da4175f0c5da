import type { CategoryMatch } from '../categories.ts';
import { verticalOfCode } from '../overture/category-paths.ts';
import type { Vertical } from '../verticals.ts';

/** Verticals by the beginning of a path; the longest decides. Null excludes it, `words` asks the last words. */
const BRANCHES: Readonly<Record<string, Vertical | 'words' | null>> = {
  arts_and_entertainment: 'attraction',
  'arts_and_entertainment/night_club': 'nightclub',
  'arts_and_entertainment/strip_club': 'nightclub',
  'arts_and_entertainment/movie_theater': 'event',
  'arts_and_entertainment/performing_arts_venue': 'event',
  'arts_and_entertainment/stadium': 'event',
  'arts_and_entertainment/dance_hall': 'event',
  'arts_and_entertainment/comedy_club': 'event',
  business_and_professional_services: 'words',
  'business_and_professional_services/health_and_beauty_service': 'salon',
  'business_and_professional_services/health_and_beauty_service/spa': 'spa',
  'business_and_professional_services/health_and_beauty_service/massage_clinic': 'massage',
  'business_and_professional_services/event_space': 'event',
  'business_and_professional_services/convention_center': 'event',
  'business_and_professional_services/office': null,
  'business_and_professional_services/factory': null,
  community_and_government: 'words',
  'community_and_government/spiritual_center': 'attraction',
  'community_and_government/residential_building': null,
  'community_and_government/education': null,
  dining_and_drinking: 'restaurant',
  'dining_and_drinking/bar': 'bar',
  'dining_and_drinking/brewery': 'bar',
  'dining_and_drinking/night_market': 'market',
  'dining_and_drinking/cafe,_coffee,_and_tea_house': 'cafe',
  'dining_and_drinking/dessert_shop': 'cafe',
  'dining_and_drinking/juice_bar': 'cafe',
  'dining_and_drinking/bakery': 'cafe',
  'dining_and_drinking/smoothie_shop': 'cafe',
  'dining_and_drinking/winery': 'attraction',
  'dining_and_drinking/vineyard': 'attraction',
  'dining_and_drinking/distillery': 'attraction',
  event: 'event',
  health_and_medicine: 'clinic',
  'health_and_medicine/assisted_living': null,
  'health_and_medicine/nursing_home': null,
  landmarks_and_outdoors: 'attraction',
  'landmarks_and_outdoors/beach': 'beach',
  'landmarks_and_outdoors/harbor_or_marina': 'boat',
  'landmarks_and_outdoors/states_and_municipalities': null,
  'landmarks_and_outdoors/campground': 'other',
  retail: 'shop',
  'retail/automotive_retail': null,
  'retail/pharmacy': 'clinic',
  'retail/drugstore': 'clinic',
  'retail/market': 'market',
  sports_and_recreation: 'gym',
  'sports_and_recreation/water_sports': 'tour',
  'sports_and_recreation/golf': 'attraction',
  'sports_and_recreation/snow_sports': 'attraction',
  travel_and_transportation: 'words',
  'travel_and_transportation/lodging': 'hotel',
  'travel_and_transportation/lodging/hostel': 'hostel',
  'travel_and_transportation/lodging/bed_and_breakfast': 'guesthouse',
  'travel_and_transportation/lodging/vacation_rental': 'guesthouse',
  'travel_and_transportation/transport_hub': 'transport',
  'travel_and_transportation/rental_car_location': 'transport',
  'travel_and_transportation/taxi': 'taxi',
  'travel_and_transportation/taxi_stand': 'taxi',
  'travel_and_transportation/travel_agency': 'tour',
  'travel_and_transportation/tourist_information_and_service': 'tour',
  'travel_and_transportation/boat_rental': 'boat',
  'travel_and_transportation/fuel_station': 'other',
  'travel_and_transportation/road': null,
  'travel_and_transportation/parking': null,
};

/** Returns the vertical and the categories of a place; null when it is of no interest to travellers. */
export function classifyFoursquare(labels: readonly string[]): CategoryMatch | null {
  const categories: string[] = [];
  let vertical: Vertical | null = null;
  for (const label of labels) {
    const path = label
      .split('>')
      .map(codeOf)
      .filter((code) => code !== '');
    const own = verticalOf(path);
    const code = path.at(-1)?.replaceAll(',', '');
    if (own === null || code === undefined) continue;
    vertical ??= own;
    categories.push(code);
  }
  return vertical === null ? null : { vertical, categories: [...new Set(categories)] };
}

function verticalOf(path: readonly string[]): Vertical | null {
  for (let length = path.length; length > 0; length--) {
    const vertical = BRANCHES[path.slice(0, length).join('/')];
    if (vertical === undefined) continue;
    return vertical === 'words' ? verticalOfCode(path.at(-1) ?? '') : vertical;
  }
  return null;
}

function codeOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9,]+/g, '_')
    .replace(/^_|_$/g, '');
}
