/** Usual parameter names of web services, by their meaning. Any agent that knows English has such a list. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  where: ['destination', 'city', 'location', 'where', 'town'],
  country: ['country', 'country_code'],
  area: ['area', 'neighbourhood', 'neighborhood', 'district'],
  what: ['query', 'q', 'text', 'search', 'keywords', 'keyword', 'term'],
  kind: ['category', 'kind', 'vertical', 'type'],
  cuisine: ['cuisine', 'cuisines', 'food'],
  people: ['party_size', 'people', 'guests', 'covers', 'persons'],
  date: ['date', 'day'],
  time: ['time', 'hour'],
  at: ['at', 'when', 'datetime'],
  guest: ['guest_name', 'guest', 'under_name'],
  note: ['notes', 'note', 'message', 'special_requests'],
  limit: ['limit', 'max_results', 'page_size', 'count'],
  rating: ['min_rating', 'rating', 'minimum_rating'],
  use: ['use', 'usage'],
  budget: ['max_price_cents', 'max_price', 'budget'],
  agent: ['agent_name', 'agent'],
  operator: ['operator_name', 'operator', 'company'],
  email: ['operator_email', 'email'],
  ref: ['external_ref', 'reference', 'ref'],
  discount: ['discount_pct', 'discount', 'discount_percent'],
  until: ['ends_at', 'end', 'until', 'valid_until'],
  from: ['starts_at', 'start', 'from'],
  member: ['member_id', 'member'],
  code: ['link_code', 'code'],
  place: ['place_id', 'place'],
  url: ['url', 'webhook_url', 'callback'],
};

const CONCEPT = new Map(
  Object.entries(NAMES).flatMap(([concept, names]) => names.map((name): [string, string] => [name, concept])),
);

/** The meaning of a parameter; an unknown parameter means its own name. */
export function conceptOf(parameter: string): string {
  return CONCEPT.get(parameter) ?? parameter.replace(/_id$/, '');
}
