import type { english } from './words/english.js';

/** Settings of a view, embedded in its page as JSON. */
export interface Setup {
  view: 'places' | 'place' | 'table' | 'photos' | 'reservation';
  service: string;
  version: string;
  /** The only origin that photos and streets are loaded from. */
  origin: string;
  /** Names of the tools of this endpoint that views call, by operation. */
  tools: Record<string, string | undefined>;
  /** True when searches of this endpoint cost the caller: then none is made without a request. */
  metered: boolean;
  /** True when this service has a street map. */
  streets: boolean;
}

/** The street map of this service, as `/tiles/map.json` describes it. */
export interface StreetMapInfo {
  script: string;
  style: string;
  renderer: string;
  street_script: string;
  tiles: string;
  max_zoom: number;
  boxes: { west: number; south: number; east: number; north: number }[];
  attribution: string;
}

/** A numbered place on a map. */
export interface MapSpot {
  lat: number;
  lng: number;
  number: number;
  name: string;
}

/** Renders a tool's structured content, given the arguments of the call. */
export type ViewRenderer = (
  answer: Record<string, unknown>,
  input: Record<string, unknown>,
) => (Node | null)[];

/** Attribution of a result, which is shown with it. */
export interface Attributed {
  attribution?: string;
}

/** A place on a card. An endpoint may omit fields that were not requested, so only id and name are certain. */
export interface Card {
  place_id: string;
  name: string;
  local_name?: string;
  category?: string;
  cuisine?: string[];
  area?: string | null;
  city?: string | null;
  address?: string | null;
  lat?: number | null;
  lng?: number | null;
  rating?: number | null;
  review_count?: number;
  price_range?: string | null;
  open_now?: boolean | null;
  open_by_hours?: boolean;
  hours_from?: string;
  open_until?: string | null;
  booking?: { method: string };
  distance_m?: number;
  url?: string;
}

export interface PlaceList extends Attributed {
  places: Card[];
  next_cursor?: string | null;
  hint?: string;
  timezone?: string;
  destination?: { name: string; timezone: string };
}

export interface Hours {
  structured: Record<string, string[][]> | null;
  text: string | null;
  verified: boolean;
}

/** One place as returned to agents or to partners: the same data in two shapes. */
export interface PlaceRecord extends Attributed, Omit<Card, 'rating' | 'booking'> {
  phone?: string | null;
  website?: string | null;
  contact?: { phone: string | null; website: string | null; address: string | null };
  coordinates?: { lat: number | null; lng: number | null };
  rating?: number | { value: number | null; count: number } | null;
  about?: string | null;
  facts?: Record<string, unknown>;
  hours?: Hours | null;
  open_status?: { state: string; next_change_at: string | null };
  closed?: { text: string } | null;
  destination?: { name: string; timezone: string };
  timezone?: string;
  booking?: { method: string; url?: string | null; phone?: string | null };
  booking_page?: string | null;
  menu?: { sections: MenuSection[]; currency: string | null };
  promotions?: { title: string }[];
  photos?: { url: string; attribution: string }[];
}

export interface MenuSection {
  name: string;
  items: { name: string; description: string | null; price: string | null }[];
}

export interface Table {
  date: string;
  time: string;
  party_size: number;
}

export interface Offer extends Table {
  offer_id: string;
  note: string | null;
  expires_at: string;
}

export interface Booking extends Table, Attributed {
  booking_id: string;
  status: string;
  booked: boolean;
  place: { place_id: string; name: string | null; address: string | null; timezone: string };
  for: { name: string };
  notes: string | null;
  answer_by: string | null;
  revision: number;
  offer: Offer | null;
  offers: Offer[];
  confirmation: { ref: string | null } | null;
  held: Table | null;
  reason: string | null;
  link: { url: string } | null;
  waiting: { until: string; ahead: number } | null;
  timeline: { at: string; event: string; to: string; text: string }[];
}

export type Prices = Record<string, number | null>;

export interface Photo {
  photo_id: string;
  place: { place_id: string; name: string };
  city: string;
  month: string;
  preview_url: string;
  width: number;
  height: number;
  caption: string;
  attribution: string;
  prices: Prices;
  drop: { left: number; ends_at: string; price_next: Prices };
}

export interface Quote {
  photo_id: string;
  use: string;
  price_cents: number;
  price_after_next_cents: number;
  drop: { left: number; ends_at: string };
  terms: { scope: string };
}

export interface Licence {
  license_id: string;
  photo_id: string;
  use: string;
  price_cents: number;
  test: boolean;
  terms: { scope: string };
  attribution_line: string;
  download: { url: string; expires_at: string } | null;
  certificate_url: string;
}

/** Data of a restaurant for the form that requests a table. */
export interface Restaurant extends Attributed {
  place_id?: string;
  restaurant_id?: string;
  name?: string;
  address?: string | null;
  timezone?: string;
  can_request?: boolean;
  open?: boolean | null;
  refusal?: string | null;
  available?: boolean | null;
  local_time?: string;
  link?: { url: string | null } | null;
  phone?: string | null;
}

/** All texts of the views in one language. */
export type Words = typeof english;
