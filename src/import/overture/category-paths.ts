import type { CategoryMatch } from '../categories.ts';
import type { Vertical } from '../verticals.ts';

/**
 * Verticals for branches of Overture's category tree. The deepest listed branch on the path to a category decides, so
 * `eat_and_drink` can be a restaurant and `bar` below it something else. `null` excludes a branch.
 */
const BRANCHES: readonly (readonly [vertical: Vertical | null, codes: string])[] = [
  ['hostel', 'hostel'],
  ['guesthouse', 'bed_and_breakfast guest_house holiday_rental_home cottage cabin service_apartments'],
  ['guesthouse', 'mountain_huts agriturismo country_house houseboat self_catering_accommodation'],
  ['hotel', 'accommodation hotel motel inn lodge resort ryokan health_retreats'],
  ['massage', 'massage massage_therapy reflexology tui_na'],
  ['spa', 'spas health_spa day_spa medical_spa onsen public_bath_houses turkish_baths sauna float_spa'],
  ['spa', 'hot_springs natural_hot_springs'],
  ['nightclub', 'dance_club salsa_club country_dance_hall adult_entertainment strip_club'],
  ['bar', 'cidery sugar_shack tabac'],
  ['bar', 'bar pub lounge beer_garden brewery speakeasy karaoke jazz_and_blues sake_bar'],
  ['cafe', 'coffee_roastery shaved_ice_shop shaved_snow_shop'],
  [
    'cafe',
    'cafe coffee_shop tea_room bubble_tea smoothie_juice_bar milk_bar milkshake_bar kombucha desserts',
  ],
  ['cafe', 'ice_cream_shop ice_cream_and_frozen_yoghurt gelato frozen_yoghurt_shop internet_cafe'],
  [
    'restaurant',
    'eat_and_drink restaurant food_truck food_stand sandwich_shop friterie food_court steakhouse',
  ],
  ['restaurant', 'tapas_bar salad_bar hong_kong_style_cafe doner_kebab empanadas soul_food pancake_house'],
  ['restaurant', 'baguettes acai_bowls supper_club'],
  ['restaurant', 'pizzaria diner bistro buffet gastropub canteen brasserie taverna cafeteria bar_and_grill'],
  [
    'boat',
    'boat_rental_and_training boating_places marina sailing_area sailing_club fishing_charter boat_tours',
  ],
  ['boat', 'jet_skis_rental canoe_and_kayak_hire_service paddleboard_rental'],
  ['tour', 'tours travel_agents sightseeing_tour_agency scuba_diving_center diving_center surfing_school'],
  [
    'tour',
    'hot_air_balloons_tour atv_rentals_and_tours horseback_riding_service cooking_classes cooking_school',
  ],
  ['tour', 'horse_riding sky_diving hang_gliding_center kiteboarding paddleboarding_center cannabis_tour'],
  ['tour', 'surfing snorkeling parasailing_ride_service ski_and_snowboard_school whale_watching_tours'],
  ['market', 'farmers_market flea_market night_market public_market holiday_market market_stall bazaars'],
  ['taxi', 'taxi_rank taxi_service'],
  ['transport', 'transportation airport train_station bus_station metro_station ferry_service'],
  ['transport', 'rental_service car_rental_agency motorcycle_rentals bike_rentals scooter_rental'],
  [
    'event',
    'theaters_and_performance_venues cinema auditorium music_venue topic_concert_venue opera_and_ballet',
  ],
  [
    'event',
    'comedy_club cabaret circus stadium_arena event_venue venue_and_event_space festival dinner_theater',
  ],
  ['event', 'exhibition_and_trade_center wedding_chapel theatre theater stadium arena fair festivals'],
  ['clinic', 'health_and_medical pharmacy drugstore veterinarian dentist doctor hospital medical_center'],
  [
    'salon',
    'tattoo piercing skin_care hair_removal tanning_salon hair_stylist makeup_artist waxing esthetician',
  ],
  ['salon', 'beauty_and_spa barber hair_salon nail_salon beauty_salon tattoo_and_piercing aesthetician'],
  ['gym', 'gym yoga_studio pilates_studio meditation_center boxing_gym martial_arts_club rock_climbing_gym'],
  ['gym', 'swimming_pool skating_rink health_and_wellness_club aerial_fitness_center tai_chi_studio'],
  ['gym', 'brazilian_jiu_jitsu_club karate_club kickboxing_club muay_thai_club taekwondo_club'],
  ['beach', 'beach beach_combing_area'],
  [
    'attraction',
    'attractions_and_activities religious_organization nature_reserve ski_resort water_park arcade',
  ],
  [
    'attraction',
    'planetarium escape_rooms casino wildlife_sanctuary winery distillery bowling_alley golf_course',
  ],
  [
    'attraction',
    'miniature_golf_course trampoline_park museum park zoo temple church shrine mosque synagogue',
  ],
  [
    'attraction',
    'aquarium cave fort lake landmark_and_historical_building lighthouse lookout palace waterfall',
  ],
  [
    'attraction',
    'trail ski_area ziplining_center cultural_center sculpture_statue street_art ruin observatory',
  ],
  [
    'attraction',
    'church_cathedral convents_and_monasteries shinto_shrines religious_destination plaza canyon',
  ],
  ['attraction', 'monument castle art_gallery botanical_garden virtual_reality_center laser_tag paintball'],
  ['shop', 'retail shopping store shop boutique supermarket bakery bookstore grocery_store florist jeweler'],
  ['other', 'campground rv_park currency_exchange banks embassy library post_office police_department'],
  ['other', 'gas_station laundry_services laundromat luggage_storage visitor_center coworking_space'],
  [null, 'home_health_care personal_care_service health_insurance_office health_department skilled_nursing'],
  [
    null,
    'counseling_and_mental_health abuse_and_addiction_treatment medical_transportation mission halfway_house',
  ],
  [
    null,
    'food_delivery_service pizza_delivery_service auto_parts_and_supply_store boat_parts_and_supply_store',
  ],
  [null, 'parking park_and_rides bike_parking motorcycle_parking truck_rentals trailer_rentals airlines'],
  [null, 'food_banks oxygen_bar erotic_massage striptease_dancer private_jet_charters'],
  [
    null,
    'building_supply_store lumber_store playground bicycle_path airport_lounge medical_service_organizations',
  ],
];

const verticalOf = new Map(
  BRANCHES.flatMap(([vertical, codes]) => codes.split(' ').map((code) => [code, vertical] as const)),
);

// Next to a bare code, sources often list the root of its tree among the alternatives.
const ROOTS = [
  'eat_and_drink',
  'accommodation',
  'attractions_and_activities',
  'beauty_and_spa',
  'health_and_medical',
];

/** Returns the vertical of a bare code, whose kind is at the end: an `afghan_restaurant` is a restaurant. */
function verticalOfCode(code: string): Vertical | null {
  for (
    let suffix = code;
    suffix !== '';
    suffix = suffix.includes('_') ? suffix.slice(suffix.indexOf('_') + 1) : ''
  ) {
    const vertical = verticalOf.get(suffix);
    if (vertical !== undefined) return vertical;
  }
  return null;
}

/**
 * Returns the vertical at the end of a path through the tree, from the root down; null when it is of no interest to
 * travellers.
 */
export function verticalAtPath(path: readonly string[]): Vertical | null {
  for (const code of path.toReversed()) {
    const vertical = verticalOf.get(code);
    if (vertical !== undefined) return vertical;
  }
  return null;
}

/** Returns the vertical and categories of a place. The path decides, or else the primary code. */
export function classifyOverture(
  path: readonly string[],
  alternatives: readonly string[],
): CategoryMatch | null {
  const primary = path.at(-1);
  if (primary === undefined) return null;
  let vertical = path.length > 1 ? verticalAtPath(path) : verticalOfCode(primary);
  if (path.length === 1 && !verticalOf.has(primary)) {
    vertical ??= verticalAtPath(alternatives.filter((code) => ROOTS.includes(code)));
  }
  if (vertical === null) return null;
  const relevant = alternatives.filter((code) => code !== primary && verticalOfCode(code) !== null);
  return { vertical, categories: [primary, ...new Set(relevant)] };
}
