import type { JsonSchema } from '../../../src/protocol/describe/schema-node.ts';
import {
  answerJsonSchema,
  eventJsonSchema,
  inputJsonSchema,
  toolAnswerJsonSchema,
} from '../../../src/protocol/describe/json-schema.ts';
import { withSentences } from '../../../src/protocol/describe/closed-sets.ts';
import { OUTGOING_EVENTS, servedOperations } from '../../../src/surfaces/operations.ts';

/** A member that takes or gives a text, by its name and by the way to it. */
export interface Member {
  name: string;
  path: string;
  schema: JsonSchema & { anyOf?: JsonSchema[]; items?: JsonSchema };
}

/** Every text that a program can send or get: arguments, answers and what is posted, on all surfaces. */
export function describedTexts(prefix: string): Member[] {
  const reserve = {} as NonNullable<Parameters<typeof servedOperations>[0]['reserve']>;
  const ofOperations = servedOperations({ reserve }).flatMap((operation) =>
    [
      inputJsonSchema(operation.input),
      answerJsonSchema(operation),
      toolAnswerJsonSchema(operation, prefix),
    ].flatMap((schema) => textsIn(withSentences(schema, prefix), operation.name)),
  );
  const ofEvents = OUTGOING_EVENTS.flatMap(({ name, body }) =>
    textsIn(withSentences(eventJsonSchema(body), prefix), name),
  );
  return [...ofOperations, ...ofEvents];
}

function textsIn(given: JsonSchema, path: string, name = ''): Member[] {
  const schema = given as Member['schema'];
  const { properties = {}, anyOf = [], items, additionalProperties } = schema;
  return [
    ...(schema.type === 'string' ? [{ name, path, schema }] : []),
    ...Object.entries(properties).flatMap(([member, one]) => textsIn(one, `${path}.${member}`, member)),
    ...anyOf.flatMap((one) => textsIn(one, path, name)),
    ...(items === undefined ? [] : textsIn(items, path, name)),
    ...(typeof additionalProperties === 'object'
      ? textsIn(additionalProperties as JsonSchema, path, name)
      : []),
  ];
}

/**
 * Members whose values nobody can list: words of people, names, addresses, ids, times, words of a vocabulary that maps
 * make, codes that other standards list, and names of other members.
 */
export const FREE_TEXTS: ReadonlySet<string> = new Set(
  `
about accept_offer address agent_id agent_name alternatives answer answer_by api_key area areas at attribution
attribution_line bbox booking_id booking_move.data.reason booking_page booking_status.bookings.reason brand
brand_wikidata callback_keys_url cancel_booking.reason cap_resets_at caption category certificate_url
choice_id booking_status.bookings.choice.venues.refusal cancel_booking.choice.venues.refusal
message_venue.choice.venues.refusal modify_booking.choice.venues.refusal
changes_token charge checked_at checkout_id checkout_url city closed_at company
concierge_answer.understood.kind concierge_answer.understood.open
concierge_answer.understood.price concierge_answer.understood.stars corrected country country_name created_at cuisine cursor date delivery_id
denomination description destination detail diet diets disclosure dish display_name email emailed_to ends_at
expected_by expires_at external_ref field filename first_attempt_at fix formatted currency
get_menu.sections.items.price get_place.menu.sections.items.price
get_usage.period.from get_usage.period.to guest_name guidance hash heritage hint homepage hours how id
idempotency_key image lang languages last_attempt_at last_used_at left_nothing left_out level license_id
licensed_at line1 link_code live_from local_name local_time locality member_id message_to_venue
modify_booking.reason message_venue.reason month name names near next next_attempt_at next_change_at next_cursor next_page_token
not_in_directory note noted_at notes observed_at offer_id only_diets open open_at open_until hours_from operator
operator_email operator_name page paid_until partner_id payment phone phone_as_published phone_number photo_id place_id
platform_url pointer postcode prefix preview_url price_range promo_id promo_ref public_keys_url purpose q
query question quiet_until quote_id read_at ref refunded_at rejection_reason religion removed_at resets_at
restaurant_id restaurant_image restaurant_name restaurant_reservation.restaurant_address.state reviewed_at
rotated_at rules_url scope search_places.understood.kind search_places.understood.open
search_places.understood.price search_places.understood.stars secret secret_prefix sha256 slug snapshot
source_name source_ref source_url starts_at stated_at seen_at sent_at structured submission_id terms test_delivery_id text time
time_until timezone title topup_id updated_at updated_since url use_case valid_until value venue_rules website website_url wikidata
wikipedia within_hours_reason without zipcode
`
    .trim()
    .split(/\s+/),
);
