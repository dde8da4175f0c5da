import { fold } from '../../core/text/fold.ts';

/** Words that travellers use for a vertical, a category or a cuisine that is stored under another word. */
const SYNONYMS: Readonly<Record<string, string>> = {
  restaurant: 'restaurants eatery diner food eat dining ristorante restaurante trattoria bistro brasserie',
  cafe: 'cafes coffee coffee_shop coffeehouse kaffee kahve espresso caffe',
  bar: 'bars drinks drink',
  pub: 'pubs tavern',
  cocktail_bar: 'cocktail cocktails mixology',
  beer_garden: 'biergarten',
  hotel: 'hotels lodging accommodation stay albergo',
  guesthouse: 'guesthouses guest_house bnb bed_and_breakfast homestay pension',
  hostel: 'hostels backpackers backpacker',
  spa: 'spas wellness sauna hammam onsen',
  massage: 'massages',
  nightclub: 'nightclubs club clubs disco dancing',
  boat: 'boats yacht yachts sailing cruise',
  tour: 'tours excursion excursions guide',
  market: 'markets bazaar mercado mercato',
  shop: 'shops store stores shopping boutique',
  transport: 'rental rentals',
  bicycle_rental: 'bike_rental bike_hire bicycle_hire rent_a_bike',
  car_rental: 'car_hire rent_a_car',
  taxi: 'taxis cab cabs',
  event: 'events concert concerts',
  cinema: 'cinemas movie movies kino',
  theatre: 'theatres theater theaters',
  clinic: 'clinics doctor doctors medical',
  hospital: 'hospitals',
  dentist: 'dentists',
  dental: 'dentist dentists',
  pharmacy: 'pharmacies drugstore chemist',
  salon: 'salons hairdresser haircut barber nails',
  gym: 'gyms fitness workout',
  beach: 'beaches seaside playa plage',
  attraction: 'attractions sight sights sightseeing things_to_do',
  museum: 'museums museo musee gallery galleries',
  park: 'parks garden gardens',
  viewpoint: 'viewpoints view lookout',
  ice_cream: 'gelato icecream gelateria',
  fast_food: 'takeaway takeout street_food',
  pizza: 'pizzeria pizzerias pizzas',
  sushi: 'sashimi',
  burger: 'burgers hamburger',
  seafood: 'fish',
  bakery: 'bakeries patisserie',
  vegetarian: 'veggie meatless',
  vegan: 'plant_based',
  japanese: 'izakaya',
  barbecue: 'bbq grill',
  steak_house: 'steakhouse steak',
};

const CANONICAL = new Map<string, string[]>();
for (const [canonical, words] of Object.entries(SYNONYMS)) {
  for (const word of [canonical, ...words.split(' ')]) {
    CANONICAL.set(word, [...(CANONICAL.get(word) ?? []), canonical]);
  }
}

/** The single words among them, which a traveller may misspell. */
export const KIND_WORDS: readonly string[] = [...CANONICAL.keys()].filter((word) => !word.includes('_'));

/** A category as it is stored and indexed: folded, with underscores. */
export function categoryKey(text: string): string {
  return fold(text).replaceAll(' ', '_');
}

/** What a traveller's word may mean as a category: the word itself, and what it is another word for. */
export function categoriesFor(word: string): string[] {
  const key = categoryKey(word);
  const singular = key.endsWith('s') ? [key.slice(0, -1)] : [];
  return [...new Set([key, ...singular, ...(CANONICAL.get(key) ?? [])])];
}
