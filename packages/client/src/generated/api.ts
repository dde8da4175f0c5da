// Made by `npm run client` from the operations of the service. Do not edit it.

export interface paths {
  '/api/agent/destinations': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * List destinations
     * @description Destinations that have places, by country, with their number. Needs no key, costs no read. With country or query also ids, time zones and verified places.
     */
    get: operations['list_destinations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Search places
     * @description Real places not known to have closed, by how well they match. Costs one read.
     */
    get: operations['search_places'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/business/{place_id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Get one place
     * @description The full record of one place: contacts, hours, menu, how to book it, whether it has closed. Costs one read.
     */
    get: operations['get_place'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/closures': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * List closures
     * @description Places believed to have closed, and places open again, with evidence and source object, for editors of other maps. Newest first. Needs no key, costs no read. /closures is the same for people, /closures.atom as a feed.
     */
    get: operations['list_closures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/business': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Submit a business
     * @description Adds a real business (relationship, name, country, city required) or updates yours by external_ref or submission_id: absent fields stay, null clears. Agents never invent a business: a key that does is revoked. Free; a person reviews it.
     */
    post: operations['submit_business'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/promo': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Submit a promotion
     * @description A promotion, special, event or ad of your business, or update by promo_ref. Free; a person reviews it. Shown with the business.
     */
    post: operations['submit_promo'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/submissions': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * List submissions
     * @description Your submissions and their status, newest first. Free.
     */
    get: operations['list_submissions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/signup': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Sign up
     * @description Registers an agent for its operator and issues its only API key. Free. With an Idempotency-Key a lost answer can be fetched again.
     */
    post: operations['sign_up'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/me': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Your account
     * @description The agent behind the key: its record, its plan, what is left of its reads, its submissions.
     */
    get: operations['get_account'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/me/rotate': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Rotate the key
     * @description Replaces the API key. The old key is refused from the next request on. If the answer is lost, the operator recovers the key by mail.
     */
    post: operations['rotate_key'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/recover': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Recover a lost key
     * @description Mails the operator a one-time link to a page with a new key. Unknown addresses get the same answer.
     */
    post: operations['recover_key'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/me/plan': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Change the plan
     * @description A link where a person pays for a month of a plan. A larger quota applies at once, a smaller one from the next UTC day. Refused without a payment provider.
     */
    post: operations['change_plan'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Search photos
     * @description Travellers' photos to license, the newest first, with the price of each use, up 10 % with every licence. Free.
     */
    get: operations['search_photos'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/quote': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Quote a photo
     * @description Price and terms of one use of a photo. Nothing is charged or reserved: another buyer may raise the price.
     */
    get: operations['quote_photo'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/license': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * License a photo
     * @description Licenses one use of a photo and links the file. Spends wallet money, so it needs the API key itself. At most your maximum, and 50 USD per UTC day.
     */
    post: operations['license_photo'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/link': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Link to a licensed photo
     * @description A new link to the file of one of your licences, valid for 15 minutes; it supports range requests. At most 10 per licence and UTC day.
     */
    post: operations['link_photo'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/wallet': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Photo wallet
     * @description The balance, today's spending against the cap, and the licences held.
     */
    get: operations['photo_wallet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/agent/photos/topup': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Top up the wallet
     * @description A link, valid for 24 hours, where a person pays into the wallet. Test payments grant test credit only. Refused without a payment provider.
     */
    post: operations['top_up_wallet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/partner/signup': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Get a partner key
     * @description Creates a partner account and its key, which is shown once and mailed. Signing up again replaces the key: at once with the current key in X-Partner-Key, otherwise by mail, and the old key works until the new one is first used.
     */
    post: operations['sign_up_partner'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/partner/usage': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /**
     * Usage of a partner
     * @description The partner's usage in this calendar month UTC, what is left, and what calls beyond the allowance cost.
     */
    get: operations['get_usage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/partner/webhook/test': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Test the webhook
     * @description Sends an event of type webhook.test to the registered address.
     */
    post: operations['test_webhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/partner/bookings/message': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Send the venue a coded message
     * @description Sends one of a fixed list of messages about a confirmed table: late, allergies, step-free access, a child seat, coming. The venue acknowledges it with a tap: seen_at, and the webhook booking.message. one_more and one_fewer request a change, which the venue answers; the table stays until then.
     */
    post: operations['message_venue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/partner/webhook/redeliver': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * Send a webhook again
     * @description Sends a delivery of the last 30 days again, with the same id and content, so that your receiver recognises a repeat.
     */
    post: operations['redeliver_webhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  booking_move: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * A booking has moved
     * @description Every move of a booking, in the order of sequence: sent, asking, offered, confirmed, declined, no_answer, cancelled. Posted to the address of set_webhook and signed with its secret: the key is what follows whsec_, decoded from base64.
     */
    post: operations['booking_move'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  booking_message: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * A coded message about a table
     * @description The venue sent a coded message about a confirmed table, or has seen yours. The status stays the same. Posted to the address of set_webhook and signed with its secret: the key is what follows whsec_, decoded from base64.
     */
    post: operations['booking_message'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  webhook_test: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * A test of the address
     * @description Sent by set_webhook with send_test. It belongs to no booking. Posted to the address of set_webhook and signed with its secret: the key is what follows whsec_, decoded from base64.
     */
    post: operations['webhook_test'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  submission_decided: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /**
     * A submission was decided
     * @description A person has approved or rejected a submission or revision with a callback_url; that of a business also applies to its promotions. Posted to the callback_url of the submission and signed with Ed25519; callback_keys_url of your account has the public keys.
     */
    post: operations['submission_decided'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description Input that was accepted but interpreted differently: an unknown field, a limit above its cap. */
    Warnings: {
      code: components['schemas']['WarningCode'];
      /** @description JSON pointer into the request. */
      pointer: string;
      detail?: string;
    }[];
    /** @description Show this line beside everything you render from this answer. */
    Attribution: string;
    /** @description Links for the names in the attribution line. */
    AttributionLinks: { name: string; url: string }[];
    /** @description As on the sign, or in the language that lang requests. */
    Name: string;
    /**
     * @description The source has no name; this is brand, operator, or kind and area.
     * @constant
     */
    NameGenerated: true;
    /** @description All names by language tag, if there is more than one. */
    Names: { [key: string]: string };
    /** @description The type of place. */
    Vertical2: components['schemas']['Vertical'];
    /** @description ISO 3166 alpha-2 code. */
    Country: string;
    City: string | null;
    Lat: number | null;
    /** @description false: lat and lng are null, and neither near nor bbox nor a map finds the place. */
    PositionKnown: boolean;
    /** @description null: the hours are not verified, which does not mean closed. */
    OpenNow: boolean | null;
    /** @description Numbers as the source writes them; their country code is missing or wrong. Show them as they are: never complete, call or text them. */
    PhoneAsPublished: string;
    /** @description mon to sun, each with pairs of HH:mm; an end at or before its start is on the next day. */
    Structured: { [key: string]: string[][] } | null;
    /** @description Only verified hours determine whether a place is open now. */
    Verified: boolean;
    /** @description Send it as cursor for the next page; null when there is none. */
    NextCursor: string | null;
    /** @description A place; without place_id an area, street or corner. */
    Near: { place_id?: string; name: string; lat: number; lng: number };
    Evidence: {
      kind: components['schemas']['ClosureEvidence'];
      source_url: components['schemas']['City'];
      note: string;
      observed_at: string;
    };
    Year: number | null;
    /** @description Fields already filled in on the booking page. */
    Prefilled: { party_size: boolean; date: boolean; time: boolean };
    /** @description Your reference; a known one updates. */
    ExternalRef: string | null;
    Answer: {
      /** @description Keep it. null after a dry run. */
      submission_id: string | null;
      external_ref: components['schemas']['City'];
      warnings?: components['schemas']['Warnings'];
      /** @description Possible duplicates; a reviewer checks them. */
      possible_duplicates: { place_id: string; name: string; distance_m: components['schemas']['Year'] }[];
      status: components['schemas']['Status'];
      action: components['schemas']['SubmissionAction'];
      revision: components['schemas']['Revision'];
      review: components['schemas']['Review'];
      dry_run: components['schemas']['DryRun'];
      attribution: components['schemas']['Attribution'];
      attribution_links: components['schemas']['AttributionLinks'];
    };
    /** @description Nothing is ever approved automatically: a person decides. null after a dry run. */
    Status: 'pending_review' | null;
    /** @description Counts up with every update. null after a dry run. */
    Revision: number | null;
    /** @description null after a dry run. */
    Review: {
      /** @description A target, not a promise. */
      expected_by: string;
    } | null;
    /** @description true: everything was checked, and nothing was stored. */
    DryRun: boolean;
    Answer2: {
      promo_id: components['schemas']['PromoId'];
      /** @description The business that it belongs to. */
      submission_id: string;
      promo_ref: components['schemas']['City'];
      /** @description UTC. */
      starts_at: string | null;
      /** @description ends_at in UTC; from then on its status is expired. */
      expires_at: string | null;
      warnings?: components['schemas']['Warnings'];
      status: components['schemas']['Status'];
      action: components['schemas']['SubmissionAction'];
      revision: components['schemas']['Revision'];
      review: components['schemas']['Review'];
      dry_run: components['schemas']['DryRun'];
      attribution: components['schemas']['Attribution'];
      attribution_links: components['schemas']['AttributionLinks'];
    };
    /** @description Keep it. null after a dry run. */
    PromoId: string | null;
    /** @description Why it was rejected, and what to do about it. */
    Reason: { code: components['schemas']['ReasonCode']; text: string; fix: string } | null;
    Quota: {
      /** @description The UTC day counted. */
      date: string;
      limit: number;
      used: number;
      remaining: number;
      resets_at: string;
    };
    /**
     * @description US dollars.
     * @constant
     */
    Currency: 'USD';
    Terms: {
      /** @description What the licence allows, in full. */
      scope: string;
      duration: components['schemas']['LicenceDuration'];
      /**
       * @description Others may license the same photo.
       * @constant
       */
      exclusive: false;
      /**
       * @description Show the attribution line beside the photo.
       * @constant
       */
      attribution_required: true;
      /** @constant */
      revocable: false;
    };
    Answer3: {
      license_id: string;
      photo_id: string;
      use: components['schemas']['Use'];
      /** @description What was charged, in US cents. */
      price_cents: number;
      currency: components['schemas']['Currency'];
      /** @description true: paid with test credit, no money moved. */
      test: boolean;
      licensed_at: string;
      /** @description When the licence ends; null: with the licensed use. */
      expires_at: string | null;
      licensee: { agent_id: string; operator_name: string };
      terms: components['schemas']['Terms'];
      /** @description Show it beside the photo. */
      attribution_line: string;
      /** @description Link to the file, valid 15 minutes; POST /api/agent/photos/link gives a new one. null once refunded. */
      download: { url: string; expires_at: string } | null;
      /** @description A public page to check the licence and the file. */
      certificate_url: string;
      drop: {
        left: number;
        ends_at: string;
        /** @description Price of this use after one more licence. */
        price_next: number | null;
      };
      wallet: {
        balance_cents: number;
        test_credit_cents: number;
        spent_today_cents: number;
        cap_cents: number;
      };
      warnings?: components['schemas']['Warnings'];
      attribution: components['schemas']['Attribution'];
      attribution_links: components['schemas']['AttributionLinks'];
    };
    Answer4: {
      /** @description Absent when the key was sent by mail only. */
      partner_id?: string;
      /** @description Send it as X-Partner-Key. It is shown only once; absent when it was sent by mail only. */
      api_key?: string;
      /** @constant */
      key_shown_once?: true;
      /**
       * @description The address was already registered: its key was replaced.
       * @constant
       */
      rotated?: true;
      /**
       * @description The new key was sent by mail only.
       * @constant
       */
      delivery?: 'email';
      /** @description Where the key was mailed, with most of it hidden. */
      emailed_to: string;
      plan?: components['schemas']['PartnerPlan'];
      limits?: {
        calls_per_minute: number;
        /** @description What the plan includes. */
        calls_per_month: number;
      };
      /** @description What ends this key, and what to do before setting a webhook. */
      next?: string;
      warnings?: components['schemas']['Warnings'];
      attribution: components['schemas']['Attribution'];
      attribution_links: components['schemas']['AttributionLinks'];
    };
    Answer5: {
      /** @description The webhook-id; webhook_status shows the outcome. */
      delivery_id: string;
      event: components['schemas']['DeliveryEvent'];
      booking_id: components['schemas']['City'];
      state: components['schemas']['DeliveryState'];
      warnings?: components['schemas']['Warnings'];
      attribution: components['schemas']['Attribution'];
      attribution_links: components['schemas']['AttributionLinks'];
    };
    /**
     * @description Set at a rehearsal venue, where there is no table.
     * @constant
     */
    Rehearsal: true;
    Offer: {
      /** @description Send it as accept_offer to modify_booking to accept. */
      offer_id: string;
      date: string;
      time: string;
      party_size: number;
      note: components['schemas']['City'];
      expires_at: string;
    };
    Reason2: (components['schemas']['BookingReason'] | string) | null;
    Deposit: {
      value: {
        /** @description In the smallest unit of the currency; 0: none. */
        amount_minor: number;
        /** @description ISO 4217 code. */
        currency: string;
        per: components['schemas']['TableTermPer'];
      };
      source: components['schemas']['TableTermSource'];
      stated_at: string;
    };
    Messages: {
      sender: components['schemas']['MessageSender'];
      code: components['schemas']['CodedMessage'];
      /** @description With late. */
      minutes: number | null;
      /** @description With allergies. */
      allergens: components['schemas']['Allergen'][] | null;
      /** @description HH:mm, local to the place, with ready_later and kitchen_closes. */
      at: string | null;
      sent_at: string;
      /** @description When the venue acknowledged yours; null: not yet. */
      seen_at: string | null;
    };
    Status2: components['schemas']['BookingStatus'] | null;
    /** @description Set while the venue is full and the guest waits for a free table. */
    Waiting: {
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description Then the request ends by itself.
       */
      until: string;
      /** @description How many joined the waiting list of that day before. The venue may choose another. */
      ahead: number;
    } | null;
    To: components['schemas']['BookingStatus'];
    /** @description The same at every attempt, and in the header webhook-id. */
    Id: string;
    /**
     * Format: date-time
     * @description When it happened.
     */
    Timestamp: string;
    /** @description HH:mm, local to the place. */
    Time: string;
    /** @description Its entry in the booking's timeline, by its number and its hash. */
    TimelineHead: { sequence: number; hash: string };
    /**
     * @description - id: Its identifier.
     *     - name: Its name.
     *     - country_name: The English name of its country.
     *     - timezone: Its time zone.
     *     - places: How many places are listed.
     *     - verified_places: How many of them are verified.
     * @enum {string}
     */
    DestinationField: 'id' | 'name' | 'country_name' | 'timezone' | 'places' | 'verified_places';
    /**
     * @description - unknown_field: We do not know this field and ignored it.
     *     - other_name: This name was accepted as another name of a field.
     *     - limit_capped: It was above the maximum; we used the maximum.
     *     - hidden_text_removed: We removed invisible characters.
     *     - claim_unsourced: The description claims an award or a rating without a source.
     *     - hours_not_understood: The hours could not be parsed; it is shown as neither open nor closed.
     *     - outside_destinations: It is in none of our destinations.
     *     - callback_unresolved: The host name of callback_url cannot be resolved at the moment.
     *     - webhook_unresolved: The host name of your webhook cannot be resolved at the moment.
     *     - idempotency_key_missing: If you repeat this call, you buy a second licence.
     * @enum {string}
     */
    WarningCode:
      | 'unknown_field'
      | 'other_name'
      | 'limit_capped'
      | 'hidden_text_removed'
      | 'claim_unsourced'
      | 'hours_not_understood'
      | 'outside_destinations'
      | 'callback_unresolved'
      | 'webhook_unresolved'
      | 'idempotency_key_missing';
    /**
     * @description - likely: Certain ones first.
     * @enum {string}
     */
    OpenFilter: 'likely';
    /**
     * @description - wheelchair: Wheelchair-accessible.
     *     - wifi: Guests can use the internet.
     *     - outdoor_seating: There are seats outside.
     *     - vegan: It has vegan dishes.
     *     - vegetarian: It has vegetarian dishes.
     *     - halal: It has halal dishes.
     *     - kosher: It has kosher dishes.
     *     - gluten_free: It has dishes without gluten.
     *     - takeaway: Meals can be taken away.
     *     - delivery: It delivers meals.
     *     - no_smoking: No smoking inside.
     *     - cards: It takes cards.
     *     - reservation: Tables can be reserved.
     *     - dogs: Dogs may come in.
     *     - free: Entry costs nothing.
     * @enum {string}
     */
    Wish:
      | 'wheelchair'
      | 'wifi'
      | 'outdoor_seating'
      | 'vegan'
      | 'vegetarian'
      | 'halal'
      | 'kosher'
      | 'gluten_free'
      | 'takeaway'
      | 'delivery'
      | 'no_smoking'
      | 'cards'
      | 'reservation'
      | 'dogs'
      | 'free';
    /**
     * @description - rating: Its rating.
     *     - review_count: How many people rated it.
     *     - price_range: Its price range.
     *     - cuisine: Its cuisines.
     *     - address: Its street address.
     *     - lat: Its latitude.
     *     - lng: Its longitude.
     *     - guidance: How to book it, to follow as written.
     *     - url: Its page.
     *     - phone: Its phone number.
     *     - hours: Its week of opening hours.
     *     - all: All of these.
     * @enum {string}
     */
    CardField:
      | 'rating'
      | 'review_count'
      | 'price_range'
      | 'cuisine'
      | 'address'
      | 'lat'
      | 'lng'
      | 'guidance'
      | 'url'
      | 'phone'
      | 'hours'
      | 'all';
    /**
     * @description - restaurant: Serves meals.
     *     - cafe: Coffee, tea and small dishes.
     *     - bar: Drinks, also pubs and wine bars.
     *     - hotel: Rooms with hotel services.
     *     - guesthouse: A small house with rooms for guests, also apartments.
     *     - hostel: Beds in shared rooms.
     *     - spa: Baths, saunas and treatments.
     *     - massage: Massages.
     *     - boat: Trips, rides and charters on the water.
     *     - tour: Guided tours and activities.
     *     - market: A market or a food hall.
     *     - shop: Sells goods.
     *     - transport: Stations, ferries, rentals and the like.
     *     - taxi: Taxis and drivers.
     *     - event: A venue for events, or an event.
     *     - clinic: Doctors, dentists, pharmacies and hospitals.
     *     - salon: Hair, nails and beauty.
     *     - gym: Sports and fitness.
     *     - attraction: A sight, a museum or a park.
     *     - nightclub: Dancing at night.
     *     - other: Anything else.
     *     - beach: A beach.
     * @enum {string}
     */
    Vertical:
      | 'restaurant'
      | 'cafe'
      | 'bar'
      | 'hotel'
      | 'guesthouse'
      | 'hostel'
      | 'spa'
      | 'massage'
      | 'boat'
      | 'tour'
      | 'market'
      | 'shop'
      | 'transport'
      | 'taxi'
      | 'event'
      | 'clinic'
      | 'salon'
      | 'gym'
      | 'attraction'
      | 'nightclub'
      | 'other'
      | 'beach';
    /**
     * @description - mapped: It comes from a map or a submission; the venue has not claimed it.
     *     - claimed: The venue claimed its listing and looks after it.
     * @enum {string}
     */
    Badge: 'mapped' | 'claimed';
    /**
     * @description - request: Ask the venue for a table with request_table of the concierge surface; the venue decides.
     *     - venue_system: The traveller books on the page at booking.url.
     *     - phone: The traveller calls or goes there; the number is given if known.
     *     - closed: The place appears to have closed for good: send nobody.
     *     - not_through_svc: The venue asked not to be sent bookings through this service: do not request a table.
     * @enum {string}
     */
    BookingMethod: 'request' | 'venue_system' | 'phone' | 'closed' | 'not_through_svc';
    /**
     * @description - cheap: Its price range is $.
     *     - expensive: Its price range is above $.
     * @enum {string}
     */
    PriceWish: 'cheap' | 'expensive';
    /**
     * @description - yes: Fully wheelchair-accessible.
     *     - limited: Partly wheelchair-accessible, or with help.
     *     - no: Not wheelchair-accessible.
     *     - designated: Designed for people in wheelchairs.
     * @enum {string}
     */
    Wheelchair: 'yes' | 'limited' | 'no' | 'designated';
    /**
     * @description - free: Free for guests.
     *     - paid: Guests pay for it.
     *     - yes: Available; the price is unknown.
     *     - no: There is none.
     * @enum {string}
     */
    InternetAccess: 'free' | 'paid' | 'yes' | 'no';
    /**
     * @description - yes: The source says yes.
     *     - no: The source says no.
     * @enum {string}
     */
    Said: 'yes' | 'no';
    /**
     * @description - yes: People may smoke everywhere.
     *     - no: Smoking is not allowed.
     *     - outside: People may smoke outside only.
     *     - separated: There is an area for smokers.
     *     - isolated: There is a closed room for smokers.
     *     - dedicated: Designed for smokers.
     * @enum {string}
     */
    Smoking: 'yes' | 'no' | 'outside' | 'separated' | 'isolated' | 'dedicated';
    /**
     * @description - yes: It does this.
     *     - no: It does not do this.
     *     - only: It does only this; guests cannot eat there.
     * @enum {string}
     */
    MealsOut: 'yes' | 'no' | 'only';
    /**
     * @description - yes: Tables can be reserved.
     *     - no: Tables cannot be reserved.
     *     - recommended: Guests should reserve.
     *     - required: Guests must reserve.
     *     - members_only: Only members may reserve.
     * @enum {string}
     */
    Reservation: 'yes' | 'no' | 'recommended' | 'required' | 'members_only';
    /**
     * @description - yes: Dogs may come in.
     *     - no: Dogs may not come in.
     *     - leashed: Dogs may come in on a leash.
     *     - outside: Dogs may come to the tables outside.
     * @enum {string}
     */
    Dogs: 'yes' | 'no' | 'leashed' | 'outside';
    /**
     * @description - public: The public, as counted by public sources.
     * @enum {string}
     */
    RatingSource: 'public';
    /**
     * @description - owner: The venue, on its own pages here.
     *     - reviewer: Our staff, who checked it.
     *     - venue_website: The venue's own website.
     *     - map: A public map.
     *     - agent: An agent; nobody has checked it, so it is never verified.
     * @enum {string}
     */
    HoursSource: 'owner' | 'reviewer' | 'venue_website' | 'map' | 'agent';
    /**
     * @description - open: Open at this moment, by verified hours.
     *     - closed_now: Closed at this moment, by verified hours.
     *     - unverified: No verified hours; that does not mean closed.
     *     - closed: It appears to have closed for good: send nobody.
     * @enum {string}
     */
    OpenState: 'open' | 'closed_now' | 'unverified' | 'closed';
    /**
     * @description - website_dead: Its website is gone.
     *     - published_report: A published source says so.
     *     - venue_said: The venue itself said so.
     * @enum {string}
     */
    ClosureEvidence: 'website_dead' | 'published_report' | 'venue_said';
    /**
     * @description - none: Nothing says that it has closed.
     *     - suspected: One sign says so; it is still listed.
     *     - believed: It is treated as closed.
     * @enum {string}
     */
    ClosureConfidence: 'none' | 'suspected' | 'believed';
    /**
     * @description - owner: The venue wrote it here itself.
     * @enum {string}
     */
    MenuSource: 'owner';
    /**
     * @description - promo: A lower price or something extra.
     *     - special: A dish, room or service that is offered for a limited time.
     *     - event: Something that happens at a time.
     *     - ad: A plain advertisement.
     * @enum {string}
     */
    PromoKind: 'promo' | 'special' | 'event' | 'ad';
    /**
     * @description - opentable: OpenTable.
     *     - resy: Resy.
     *     - tock: Tock.
     *     - sevenrooms: SevenRooms.
     *     - tablecheck: TableCheck.
     *     - chope: Chope.
     *     - resdiary: ResDiary.
     *     - designmynight: DesignMyNight.
     *     - yelp: Yelp.
     *     - zenchef: Zenchef.
     *     - ikyu: Ikyu.
     *     - pocket_concierge: Pocket Concierge.
     *     - synxis: SynXis, for rooms.
     *     - thefork: TheFork.
     *     - quandoo: Quandoo.
     *     - eatapp: Eat App.
     *     - covermanager: CoverManager.
     *     - nowbookit: Now Book It.
     *     - inline: Inline.
     *     - hungryhub: Hungry Hub.
     *     - superb: Superb.
     *     - bookarestaurant: Book a Restaurant.
     * @enum {string}
     */
    BookingPlatform:
      | 'opentable'
      | 'resy'
      | 'tock'
      | 'sevenrooms'
      | 'tablecheck'
      | 'chope'
      | 'resdiary'
      | 'designmynight'
      | 'yelp'
      | 'zenchef'
      | 'ikyu'
      | 'pocket_concierge'
      | 'synxis'
      | 'thefork'
      | 'quandoo'
      | 'eatapp'
      | 'covermanager'
      | 'nowbookit'
      | 'inline'
      | 'hungryhub'
      | 'superb'
      | 'bookarestaurant';
    /**
     * @description - listing: The venue's own.
     *     - member: A traveller's, checked by a person.
     * @enum {string}
     */
    PlacePhotoKind: 'listing' | 'member';
    /**
     * @description - name: What it is called.
     *     - kind: Its vertical and category.
     *     - city: Its city.
     *     - address: Its street address.
     *     - lat: Its latitude.
     *     - lng: Its longitude.
     *     - phone: Its phone number.
     *     - email: Its mail address.
     *     - website: Its website.
     *     - about: Its description.
     *     - languages: The languages that it speaks.
     *     - price_range: Its price range.
     *     - hours: Its opening hours.
     *     - booking: How it is booked.
     *     - cuisine: Its cuisines.
     *     - facts: One or more of its facts.
     * @enum {string}
     */
    PlaceField:
      | 'name'
      | 'kind'
      | 'city'
      | 'address'
      | 'lat'
      | 'lng'
      | 'phone'
      | 'email'
      | 'website'
      | 'about'
      | 'languages'
      | 'price_range'
      | 'hours'
      | 'booking'
      | 'cuisine'
      | 'facts';
    /**
     * @description - osm: OpenStreetMap.
     *     - overture: Overture Maps.
     *     - geojson: A file of map data that the operator of this directory loaded.
     *     - submission: An agent submitted it.
     *     - demo: It is fictional, for demonstration.
     * @enum {string}
     */
    PlaceSource: 'osm' | 'overture' | 'geojson' | 'submission' | 'demo';
    /**
     * @description - closed: It is believed closed.
     *     - reopened: It was believed closed, and is not any more.
     * @enum {string}
     */
    ClosureState: 'closed' | 'reopened';
    /**
     * @description - staff: Our staff found it open.
     *     - venue: The venue said so.
     *     - website: Its website is back.
     *     - import: A newer map has it again.
     * @enum {string}
     */
    ReopenedBy: 'staff' | 'venue' | 'website' | 'import';
    /**
     * @description - owner: It is your own.
     *     - authorized_agent: It gave you permission; we ask it to confirm.
     *     - third_party: You know of it.
     * @enum {string}
     */
    Relationship: 'owner' | 'authorized_agent' | 'third_party';
    /**
     * @description - restaurant: Serves meals.
     *     - cafe: Coffee, tea and small dishes.
     *     - bar: Drinks, also pubs and wine bars.
     *     - hotel: Rooms with hotel services.
     *     - guesthouse: A small house with rooms for guests, also apartments.
     *     - hostel: Beds in shared rooms.
     *     - spa: Baths, saunas and treatments.
     *     - massage: Massages.
     *     - boat: Trips, rides and charters on the water.
     *     - tour: Guided tours and activities.
     *     - market: A market or a food hall.
     *     - shop: Sells goods.
     *     - transport: Stations, ferries, rentals and the like.
     *     - taxi: Taxis and drivers.
     *     - event: A venue for events, or an event.
     *     - clinic: Doctors, dentists, pharmacies and hospitals.
     *     - salon: Hair, nails and beauty.
     *     - gym: Sports and fitness.
     *     - attraction: A sight, a museum or a park.
     *     - nightclub: Dancing at night.
     *     - other: Anything else.
     * @enum {string}
     */
    SubmittedVertical:
      | 'restaurant'
      | 'cafe'
      | 'bar'
      | 'hotel'
      | 'guesthouse'
      | 'hostel'
      | 'spa'
      | 'massage'
      | 'boat'
      | 'tour'
      | 'market'
      | 'shop'
      | 'transport'
      | 'taxi'
      | 'event'
      | 'clinic'
      | 'salon'
      | 'gym'
      | 'attraction'
      | 'nightclub'
      | 'other';
    /**
     * @description - created: It is new.
     *     - updated: It is a new revision of an existing submission.
     *     - would_create: A dry run: without dry_run it would be new.
     *     - would_update: A dry run: without dry_run it would be a new revision.
     * @enum {string}
     */
    SubmissionAction: 'created' | 'updated' | 'would_create' | 'would_update';
    /**
     * @description - pending_review: It is waiting for review.
     *     - approved: A person approved it.
     *     - rejected: A person rejected it; reason says why.
     *     - expired: An approved promotion whose time is over.
     * @enum {string}
     */
    SubmissionStatus: 'pending_review' | 'approved' | 'rejected' | 'expired';
    /**
     * @description - business: A business.
     *     - promo: A promotion of a business.
     * @enum {string}
     */
    SubmissionType: 'business' | 'promo';
    /**
     * @description - not_a_real_place: We could not confirm that this place exists.
     *     - closed: This place appears to have closed for good.
     *     - duplicate: The directory already lists this place.
     *     - contact_not_verifiable: A contact detail could not be found anywhere that the business publishes.
     *     - relationship_not_supported: Nothing supports the relationship that was declared.
     *     - claim_unsourced: The description claims an award or a rating without a source.
     *     - prohibited_content: The text contains something that the directory does not show.
     *     - insufficient_detail: There is too little detail to tell which place this is.
     *     - relationship_denied: The business says that the operator does not act for it.
     * @enum {string}
     */
    ReasonCode:
      | 'not_a_real_place'
      | 'closed'
      | 'duplicate'
      | 'contact_not_verifiable'
      | 'relationship_not_supported'
      | 'claim_unsourced'
      | 'prohibited_content'
      | 'insufficient_detail'
      | 'relationship_denied';
    /**
     * @description - business_confirmation: The business has yet to confirm that you act for it.
     * @enum {string}
     */
    LiveBlockedBy: 'business_confirmation';
    /**
     * @description - pending: It is being delivered or retried.
     *     - delivered: The receiver accepted it.
     *     - given_up: It was never accepted and is not retried.
     * @enum {string}
     */
    DeliveryState: 'pending' | 'delivered' | 'given_up';
    /**
     * @description - free: 100 reads a day.
     *     - starter: 2,000 reads a day.
     *     - growth: 20,000 reads a day.
     *     - scale: 200,000 reads a day; in beta.
     * @enum {string}
     */
    AgentPlan: 'free' | 'starter' | 'growth' | 'scale';
    /**
     * @description - active: Its key works.
     *     - suspended: Its key is refused until the suspension is lifted.
     *     - revoked: Its key is refused for good.
     * @enum {string}
     */
    AccountStatus: 'active' | 'suspended' | 'revoked';
    /**
     * @description - awaiting_payment: The plan changes at once when a person has paid at checkout_url.
     *     - changed: The plan is active.
     * @enum {string}
     */
    PlanChange: 'awaiting_payment' | 'changed';
    /**
     * @description - social: one post.
     *     - web: one site or page.
     *     - ad: one campaign, up to a year.
     *     - ai_training: your own models.
     * @enum {string}
     */
    Use: 'social' | 'web' | 'ad' | 'ai_training';
    /**
     * @description - landscape: Wider than high.
     *     - portrait: Higher than wide.
     *     - square: As wide as high.
     * @enum {string}
     */
    Orientation: 'landscape' | 'portrait' | 'square';
    /**
     * @description - one post: For one post.
     *     - while it runs: For as long as the site or page runs.
     *     - 12 months: For up to 12 months from the day of the licence.
     *     - models you operate: For as long as you operate the models.
     * @enum {string}
     */
    LicenceDuration: 'one post' | 'while it runs' | '12 months' | 'models you operate';
    /**
     * @description - free: 10,000 calls a month.
     *     - partner: 250,000 calls a month, by agreement.
     *     - directory: 10,000 calls a month, then paid by the call.
     *     - concierge: The same with table requests.
     *     - platform: 1,000,000 calls a month.
     * @enum {string}
     */
    PartnerPlan: 'free' | 'partner' | 'directory' | 'concierge' | 'platform';
    /**
     * @description - sent: Received; the venue has not been asked yet.
     *     - asking: The venue is being asked, or is full and the guest waits (waiting).
     *     - offered: The venue offers another table; accept it with accept_offer.
     *     - confirmed: The venue holds the table.
     *     - declined: The venue said no.
     *     - no_answer: The venue did not answer in time.
     *     - cancelled: The table is no longer wanted or no longer held.
     *     - message: The venue sent a coded message, or has seen yours (seen_at).
     *     - test: A test that you asked for; it belongs to no booking.
     * @enum {string}
     */
    DeliveryEvent:
      | 'sent'
      | 'asking'
      | 'offered'
      | 'confirmed'
      | 'declined'
      | 'no_answer'
      | 'cancelled'
      | 'message'
      | 'test';
    /**
     * @description - late: The guest comes so many minutes late.
     *     - allergies: The guest has allergies.
     *     - step_free: The guest needs step-free access.
     *     - child_seat: The guest needs a child seat.
     *     - coming: The guest is coming: answers please_confirm.
     *     - one_more: One guest more: requests a change, which the venue answers.
     *     - one_fewer: One guest fewer: requests a change, which the venue answers.
     * @enum {string}
     */
    MessageToVenue: 'late' | 'allergies' | 'step_free' | 'child_seat' | 'coming' | 'one_more' | 'one_fewer';
    /**
     * @description - gluten: Cereals with gluten.
     *     - crustaceans: Crustaceans.
     *     - eggs: Eggs.
     *     - fish: Fish.
     *     - peanuts: Peanuts.
     *     - soy: Soy.
     *     - milk: Milk.
     *     - nuts: Tree nuts.
     *     - celery: Celery.
     *     - mustard: Mustard.
     *     - sesame: Sesame.
     *     - sulphites: Sulphites.
     *     - lupin: Lupin.
     *     - molluscs: Molluscs.
     * @enum {string}
     */
    Allergen:
      | 'gluten'
      | 'crustaceans'
      | 'eggs'
      | 'fish'
      | 'peanuts'
      | 'soy'
      | 'milk'
      | 'nuts'
      | 'celery'
      | 'mustard'
      | 'sesame'
      | 'sulphites'
      | 'lupin'
      | 'molluscs';
    /**
     * @description - sent: Received; the venue has not been asked yet.
     *     - asking: The venue is being asked, or is full and the guest waits (waiting).
     *     - offered: The venue offers another table; accept it with accept_offer.
     *     - confirmed: The venue holds the table.
     *     - declined: The venue said no.
     *     - no_answer: The venue did not answer in time.
     *     - cancelled: The table is no longer wanted or no longer held.
     * @enum {string}
     */
    BookingStatus: 'sent' | 'asking' | 'offered' | 'confirmed' | 'declined' | 'no_answer' | 'cancelled';
    /**
     * @description - guest: Your own guest, by name only.
     *     - member: A member who linked you.
     * @enum {string}
     */
    BookedFor: 'guest' | 'member';
    /**
     * @description - venue_system: The venue's booking system is asked.
     *     - tap: The venue gets a text message or a mail and answers with a tap.
     *     - phone: The venue is called.
     *     - rehearsal: A rehearsal venue, which answers by itself.
     *     - desk: Our staff ask the venue.
     * @enum {string}
     */
    Channel: 'venue_system' | 'tap' | 'phone' | 'rehearsal' | 'desk';
    /**
     * @description - partner: You.
     *     - venue: The venue, by tap, mail, phone or on its pages.
     *     - venue_system: The venue's booking system.
     *     - desk: Our staff, who spoke with the venue.
     *     - service: Our service, when a time limit passed.
     * @enum {string}
     */
    BookingActor: 'partner' | 'venue' | 'venue_system' | 'desk' | 'service';
    /**
     * @description - venue_declined: The venue said no.
     *     - slot_unavailable: The table is not free.
     *     - slot_already_booked_by_user: According to the venue's system, the guest already has this table.
     *     - overlapping_reservation: The guest has another table at that time.
     *     - user_over_booking_limit: The guest has reached the venue's limit of tables.
     *     - payment_required: The venue requires a payment first, and we never pay.
     *     - offer_lapsed: The offer was not accepted in time.
     *     - offer_gone: The offer was accepted, but the venue no longer had the table.
     *     - offer_declined: You declined the offer.
     *     - other_venue_confirmed: Another venue of the choice confirmed a table.
     *     - choice_cancelled: You cancelled the choice.
     *     - wait_over: The venue was full, and no table became free until wait_until.
     *     - none_free: The venue was full, and says that no table will become free.
     *     - offer_withdrawn: The venue withdrew its offer.
     *     - change_declined: The venue refused the change; the earlier table stays confirmed.
     *     - change_unanswered: The venue did not answer the change; the earlier table stays confirmed.
     *     - venue_cancelled: The venue cancelled the table.
     *     - against_venue_rule: A rule of the venue excludes the table; it was not asked.
     *     - venue_opted_out: The venue wants no requests through us.
     *     - not_bookable_here: The place takes no table requests.
     *     - place_closed: The place appears to have closed.
     *     - place_removed: The listing was removed.
     *     - not_asked: No channel to the venue was left.
     *     - halted: Bookings were halted, and then it was too late to ask.
     *     - halted_too_long: Bookings were halted for more than a day.
     * @enum {string}
     */
    BookingReason:
      | 'venue_declined'
      | 'slot_unavailable'
      | 'slot_already_booked_by_user'
      | 'overlapping_reservation'
      | 'user_over_booking_limit'
      | 'payment_required'
      | 'offer_lapsed'
      | 'offer_gone'
      | 'offer_declined'
      | 'other_venue_confirmed'
      | 'choice_cancelled'
      | 'wait_over'
      | 'none_free'
      | 'offer_withdrawn'
      | 'change_declined'
      | 'change_unanswered'
      | 'venue_cancelled'
      | 'against_venue_rule'
      | 'venue_opted_out'
      | 'not_bookable_here'
      | 'place_closed'
      | 'place_removed'
      | 'not_asked'
      | 'halted'
      | 'halted_too_long';
    /**
     * @description - person: For each guest.
     *     - table: For the whole table.
     * @enum {string}
     */
    TableTermPer: 'person' | 'table';
    /**
     * @description - venue: The venue stated it in its own area.
     *     - venue_system: The venue's own booking system stated it for a table.
     * @enum {string}
     */
    TableTermSource: 'venue' | 'venue_system';
    /**
     * @description - none: Guests come as they like.
     *     - smart_casual: Neat everyday clothes.
     *     - formal: Formal clothes, such as a jacket.
     * @enum {string}
     */
    DressCode: 'none' | 'smart_casual' | 'formal';
    /**
     * @description - partner: You.
     *     - venue: The venue.
     * @enum {string}
     */
    MessageSender: 'partner' | 'venue';
    /**
     * @description - late: The guest comes so many minutes late.
     *     - allergies: The guest has allergies.
     *     - step_free: The guest needs step-free access.
     *     - child_seat: The guest needs a child seat.
     *     - coming: The guest is coming: answers please_confirm.
     *     - ready_later: The table is ready only at the time in at.
     *     - kitchen_closes: The kitchen closes at the time in at.
     *     - please_confirm: The venue wants to know that the guest comes: answer with message_venue, coming.
     * @enum {string}
     */
    CodedMessage:
      | 'late'
      | 'allergies'
      | 'step_free'
      | 'child_seat'
      | 'coming'
      | 'ready_later'
      | 'kitchen_closes'
      | 'please_confirm';
    /**
     * @description - sent: Received; the venue has not been asked yet.
     *     - asking: The venue is being asked, or is full and the guest waits (waiting).
     *     - offered: The venue offers another table; accept it with accept_offer.
     *     - confirmed: The venue holds the table.
     *     - declined: The venue said no.
     *     - no_answer: The venue did not answer in time.
     *     - cancelled: The table is no longer wanted or no longer held.
     *     - channel_failed: One channel to the venue failed.
     *     - reminder_sent: The venue was reminded.
     *     - late_answer: The venue answered too late; nothing changed.
     *     - no_show_reported: The venue says that nobody came.
     *     - change_asked: You asked for a change.
     *     - offer_taken: You accepted the offer.
     *     - venue_told: The venue was informed.
     *     - notes_changed: You changed the notes.
     *     - callback_wanted: The venue wants a call back.
     *     - message_sent: You sent the venue a message.
     *     - message_seen: The venue has seen your messages.
     *     - venue_message: The venue sent you a message.
     *     - waiting: The venue is full; the guest waits in case a table becomes free.
     * @enum {string}
     */
    TimelineEvent:
      | 'sent'
      | 'asking'
      | 'offered'
      | 'confirmed'
      | 'declined'
      | 'no_answer'
      | 'cancelled'
      | 'channel_failed'
      | 'reminder_sent'
      | 'late_answer'
      | 'no_show_reported'
      | 'change_asked'
      | 'offer_taken'
      | 'venue_told'
      | 'notes_changed'
      | 'callback_wanted'
      | 'message_sent'
      | 'message_seen'
      | 'venue_message'
      | 'waiting';
    /**
     * @description - venue_system: The venue's booking system.
     *     - sms: A text message.
     *     - mail: A mail.
     *     - phone: A call.
     *     - rehearsal: A rehearsal venue, which answers by itself.
     *     - desk: Our staff.
     * @enum {string}
     */
    ChannelName: 'venue_system' | 'sms' | 'mail' | 'phone' | 'rehearsal' | 'desk';
    /**
     * @description - booking.sent: Received; the venue has not been asked yet.
     *     - booking.asking: The venue is being asked, or is full and the guest waits (waiting).
     *     - booking.offered: The venue offers another table; accept it with accept_offer.
     *     - booking.confirmed: The venue holds the table.
     *     - booking.declined: The venue said no.
     *     - booking.no_answer: The venue did not answer in time.
     *     - booking.cancelled: The table is no longer wanted or no longer held.
     * @enum {string}
     */
    BookingEventType:
      | 'booking.sent'
      | 'booking.asking'
      | 'booking.offered'
      | 'booking.confirmed'
      | 'booking.declined'
      | 'booking.no_answer'
      | 'booking.cancelled';
    /**
     * @description - submission.approved: A person approved it.
     *     - submission.rejected: A person rejected it, or the business denied the relationship.
     * @enum {string}
     */
    SubmissionEvent: 'submission.approved' | 'submission.rejected';
    /**
     * @description - malformed_json: The body is not valid JSON.
     *     - bad_query: The query string cannot be read.
     *     - bad_cursor: The cursor is not valid.
     *     - bad_request: The request cannot be read.
     *     - signature_refused: The signature does not match.
     *     - missing_credentials: A credential is required.
     *     - sign_in_required: Sign-in is required.
     *     - invalid_key: The key is unknown.
     *     - key_revoked: The key was revoked.
     *     - token_expired: The token has expired.
     *     - wrong_audience: The token is for another endpoint.
     *     - insufficient_funds: The wallet balance is too low.
     *     - user_agent_required: A real User-Agent is required.
     *     - agent_suspended: The agent is suspended.
     *     - partner_suspended: The partner is suspended.
     *     - key_required: An API key is required.
     *     - bookings_not_enabled: Bookings are not switched on for this key.
     *     - insufficient_scope: The credential lacks a scope.
     *     - origin_refused: The origin is not allowed.
     *     - host_refused: The host name is not allowed.
     *     - role_required: Your role does not allow this.
     *     - csrf_refused: The form has expired.
     *     - not_found: There is nothing at this address.
     *     - place_not_found: The place was not found.
     *     - unknown_destination: The destination was not found.
     *     - session_not_found: The session was not found.
     *     - submission_not_found: The submission was not found.
     *     - booking_not_found: The booking was not found.
     *     - photo_not_found: The photo was not found.
     *     - license_not_found: The licence was not found.
     *     - method_not_allowed: The method is not allowed here.
     *     - not_acceptable: The answer is only available as JSON.
     *     - request_timeout: The request took too long to arrive.
     *     - operator_exists: The operator is already registered.
     *     - revision_conflict: A newer revision exists.
     *     - relationship_denied: The venue says that the operator does not act for it.
     *     - business_not_approved: The business is not approved yet.
     *     - invalid_move: The booking does not allow this change.
     *     - booking_final: The booking has ended.
     *     - not_cancellable: The venue no longer accepts a cancellation.
     *     - demonstration_place: The demonstration asks no real venue.
     *     - duplicate_request: This table was already requested.
     *     - against_venue_rule: A rule of the venue excludes this table.
     *     - venue_opted_out: The venue takes no requests through us.
     *     - not_bookable_here: The place takes no table requests.
     *     - place_closed: The place appears to have closed.
     *     - use_link: The venue takes bookings on its own page.
     *     - price_above_max: The price is above your maximum.
     *     - price_moved: Another buyer's licence raised the price.
     *     - daily_cap_exceeded: The daily spending limit is reached.
     *     - license_refunded: The licence was refunded.
     *     - idempotency_in_progress: The same request is still running.
     *     - drop_ended: The drop has ended.
     *     - sold_out: The drop is sold out.
     *     - offer_expired: The offer has expired.
     *     - place_removed: The listing was removed.
     *     - link_expired: The link is no longer valid.
     *     - body_too_large: The body is too large.
     *     - uri_too_long: The address is too long.
     *     - unsupported_media_type: The content type is not supported.
     *     - validation_failed: Some fields are not valid.
     *     - promo_needs_business: The promotion needs a business.
     *     - unknown_business: The business was not found.
     *     - business_mismatch: The references name different businesses.
     *     - use_not_offered: The photo is not offered for this use.
     *     - max_price_required: A maximum price is required.
     *     - contact_data_refused: Contact data is not accepted.
     *     - venue_phone_no_country_code: The number of the venue has no country code.
     *     - in_the_past: The time has passed.
     *     - too_far_ahead: The date is too far ahead.
     *     - closed_at_that_time: The place is closed at that time.
     *     - member_not_linked: The member has not linked this partner.
     *     - idempotency_key_reused: The idempotency key belongs to another request.
     *     - headers_too_large: The headers are too large.
     *     - link_limit: Too many download links for one licence.
     *     - rate_limited: Too many requests.
     *     - daily_quota_exhausted: The daily reads are used up.
     *     - monthly_quota_exhausted: The monthly calls are used up.
     *     - write_burst: Too many writes in a short time.
     *     - signup_rate_limited: Too many sign-ups from this address.
     *     - write_rate_limited: Too many booking writes in a minute.
     *     - daily_write_limit: The daily booking writes are used up.
     *     - venue_daily_cap: The venue receives no more requests today.
     *     - internal_error: Something went wrong on our side.
     *     - bookings_halted: Bookings are halted.
     *     - maintenance: The service is not ready.
     * @enum {string}
     */
    ErrorCode:
      | 'malformed_json'
      | 'bad_query'
      | 'bad_cursor'
      | 'bad_request'
      | 'signature_refused'
      | 'missing_credentials'
      | 'sign_in_required'
      | 'invalid_key'
      | 'key_revoked'
      | 'token_expired'
      | 'wrong_audience'
      | 'insufficient_funds'
      | 'user_agent_required'
      | 'agent_suspended'
      | 'partner_suspended'
      | 'key_required'
      | 'bookings_not_enabled'
      | 'insufficient_scope'
      | 'origin_refused'
      | 'host_refused'
      | 'role_required'
      | 'csrf_refused'
      | 'not_found'
      | 'place_not_found'
      | 'unknown_destination'
      | 'session_not_found'
      | 'submission_not_found'
      | 'booking_not_found'
      | 'photo_not_found'
      | 'license_not_found'
      | 'method_not_allowed'
      | 'not_acceptable'
      | 'request_timeout'
      | 'operator_exists'
      | 'revision_conflict'
      | 'relationship_denied'
      | 'business_not_approved'
      | 'invalid_move'
      | 'booking_final'
      | 'not_cancellable'
      | 'demonstration_place'
      | 'duplicate_request'
      | 'against_venue_rule'
      | 'venue_opted_out'
      | 'not_bookable_here'
      | 'place_closed'
      | 'use_link'
      | 'price_above_max'
      | 'price_moved'
      | 'daily_cap_exceeded'
      | 'license_refunded'
      | 'idempotency_in_progress'
      | 'drop_ended'
      | 'sold_out'
      | 'offer_expired'
      | 'place_removed'
      | 'link_expired'
      | 'body_too_large'
      | 'uri_too_long'
      | 'unsupported_media_type'
      | 'validation_failed'
      | 'promo_needs_business'
      | 'unknown_business'
      | 'business_mismatch'
      | 'use_not_offered'
      | 'max_price_required'
      | 'contact_data_refused'
      | 'venue_phone_no_country_code'
      | 'in_the_past'
      | 'too_far_ahead'
      | 'closed_at_that_time'
      | 'member_not_linked'
      | 'idempotency_key_reused'
      | 'headers_too_large'
      | 'link_limit'
      | 'rate_limited'
      | 'daily_quota_exhausted'
      | 'monthly_quota_exhausted'
      | 'write_burst'
      | 'signup_rate_limited'
      | 'write_rate_limited'
      | 'daily_write_limit'
      | 'venue_daily_cap'
      | 'internal_error'
      | 'bookings_halted'
      | 'maintenance';
    /**
     * @description - required: It is required.
     *     - too_short: It is too short.
     *     - too_long: It is too long.
     *     - not_in_enum: It is not one of the values.
     *     - not_integer: It must be a whole number.
     *     - out_of_range: It is too small or too large.
     *     - wrong_type: It has the wrong type.
     *     - bad_format: It has the wrong format.
     *     - unknown_country: The country does not exist.
     *     - phone_not_e164: The number lacks its country code.
     *     - bad_hours: The hours cannot be parsed.
     *     - url_refused: We never call addresses of this kind.
     * @enum {string}
     */
    FieldErrorCode:
      | 'required'
      | 'too_short'
      | 'too_long'
      | 'not_in_enum'
      | 'not_integer'
      | 'out_of_range'
      | 'wrong_type'
      | 'bad_format'
      | 'unknown_country'
      | 'phone_not_e164'
      | 'bad_hours'
      | 'url_refused';
    /** @description RFC 9457 problem details. Programs switch on code. */
    Problem: {
      /** @description A page about this kind of problem. */
      type: string;
      title: string;
      status: number;
      /** @description What went wrong, and what to do about it. */
      detail: string;
      /** @description The id of the request, as in X-Request-Id. */
      instance: string;
      /** @description Stable code of this problem. */
      code: components['schemas']['ErrorCode'];
      /** @description The same as code. */
      error: components['schemas']['ErrorCode'];
      /** @description The invalid fields. */
      errors?: {
        /** @description JSON pointer into the request. */
        pointer: string;
        code: components['schemas']['FieldErrorCode'];
        detail: string;
      }[];
      /** @description The limits that were reached, by their names in RateLimit-Policy. */
      'violated-policies'?: string[];
      /**
       * @description Another buyer's licence raised the price.
       * @constant
       */
      result?: 'price_moved';
      /** @description The current price and terms, if a price was refused. */
      quote?: Record<string, never>;
      /** @description The wallet balance, if it is too low. */
      balance?: Record<string, never>;
      /** @description The amount spent today, if there is a daily limit. */
      spent_today_cents?: number;
      /** @description The daily limit. */
      cap_cents?: number;
      /** @description When the daily spending resets. */
      resets_at?: string;
      docs: string;
    };
  };
  responses: {
    /** @description bad_query */
    400: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description invalid_key */
    401: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description insufficient_funds */
    402: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description user_agent_required */
    403: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description place_not_found */
    404: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description not_acceptable */
    406: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description idempotency_in_progress */
    409: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description place_removed */
    410: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description body_too_large */
    413: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description uri_too_long */
    414: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description unsupported_media_type */
    415: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed */
    422: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description daily_quota_exhausted, rate_limited */
    429: {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description bad_query, bad_cursor */
    '400-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description malformed_json */
    '400-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description invalid_key, key_revoked */
    '401-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description invalid_key, missing_credentials, key_revoked */
    '401-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description user_agent_required, key_required */
    '403-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description partner_suspended */
    '403-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description unknown_destination */
    '404-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description submission_not_found */
    '404-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description photo_not_found */
    '404-4': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description license_not_found */
    '404-5': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description idempotency_in_progress, operator_exists */
    '409-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description idempotency_in_progress, price_above_max, price_moved, daily_cap_exceeded */
    '409-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description idempotency_in_progress, license_refunded */
    '409-4': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description drop_ended, sold_out */
    '410-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed, idempotency_key_reused, business_mismatch */
    '422-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed, idempotency_key_reused, promo_needs_business, unknown_business, business_mismatch */
    '422-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed, idempotency_key_reused */
    '422-4': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed, use_not_offered */
    '422-5': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description validation_failed, idempotency_key_reused, use_not_offered, max_price_required */
    '422-6': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description write_burst, daily_quota_exhausted, rate_limited */
    '429-2': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description signup_rate_limited */
    '429-3': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description write_burst */
    '429-4': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description link_limit, write_burst */
    '429-5': {
      headers: { [name: string]: unknown };
      content: { 'application/problem+json': components['schemas']['Problem'] };
    };
    /** @description Received. */
    event_taken: { headers: { [name: string]: unknown }; content?: never };
    /** @description You want no more calls: this delivery is given up, and a webhook is switched off. */
    event_unwanted: { headers: { [name: string]: unknown }; content?: never };
    /** @description Any other answer, or none: the delivery is retried for a day. */
    event_failed: { headers: { [name: string]: unknown }; content?: never };
    /** @description Your copy is still current. It costs no read. */
    not_modified: {
      headers: { ETag: components['headers']['ETag']; [name: string]: unknown };
      content?: never;
    };
  };
  parameters: {
    /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
    'Idempotency-Key': string;
    /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
    'If-None-Match': string;
    /** @description t=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}. */
    'svc-signature': string;
    /** @description The id in the body. */
    'webhook-id': string;
    /** @description Unix seconds of this attempt. Refuse calls that are more than five minutes off. */
    'webhook-timestamp': string;
    /** @description Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}. */
    'webhook-signature': string;
    /**
     * @description A destination (slug, id or name) or a city.
     * @example bali
     */
    city: string;
    /** @description For names, as a BCP 47 tag. */
    lang: string;
    /** @description next_cursor of the page before. */
    cursor: string;
  };
  requestBodies: never;
  headers: {
    /** @description Reads left today; 0 if the caller is unknown. */
    Remaining: number;
    /** @description The limits of your plan, as in draft-ietf-httpapi-ratelimit-headers. */
    'RateLimit-Policy': string;
    /** @description What is left of each limit, and in how many seconds it resets. */
    RateLimit: string;
    /** @description Identifies this answer. */
    ETag: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  list_destinations: {
    parameters: {
      query?: {
        /**
         * @description ISO 3166 code or English name.
         * @example ID
         */
        country?: string;
        /** @description Part of a name, in any language. */
        query?: string;
        /** @description More fields for each entry. */
        fields?: components['schemas']['DestinationField'][];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List destinations */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "destinations": [
           *         {
           *           "id": "dst_01kdtqb00071qz6sbs7e2vkqza",
           *           "slug": "bali",
           *           "name": "Bali",
           *           "country": "ID",
           *           "country_name": "Indonesia",
           *           "timezone": "Asia/Makassar",
           *           "places": 1204,
           *           "verified_places": 981
           *         }
           *       ],
           *       "count": 1,
           *       "stated": {
           *         "agent": 106,
           *         "partner": 119
           *       },
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            destinations: {
              /** @description Identifier of the destination; accepted wherever a destination is expected. */
              id: string;
              /** @description Short name for URLs; accepted wherever a destination is expected. */
              slug: string;
              name: string;
              /** @description ISO 3166 alpha-2 country code. */
              country: string;
              /** @description English name of the country. */
              country_name: string;
              /** @description IANA time zone; clock times at this destination are local to it. */
              timezone: string;
              /** @description Places in the directory that are not known to have closed. Counted, never claimed. */
              places: number;
              /** @description Of these, confirmed by a person or a source check within 365 days. */
              verified_places: number;
            }[];
            /** @description Number of destinations in this answer. */
            count: number;
            /** @description Figures as stated in the descriptions of the surfaces. The actual number is in count. */
            stated: { agent: number; partner: number };
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  search_places: {
    parameters: {
      query?: {
        /**
         * @description Name, kind, brand, area or wish, or near a landmark, in any language.
         * @example pizza
         */
        q?: string;
        /**
         * @description A destination (slug, id or name) or a city.
         * @example bali
         */
        city?: components['parameters']['city'];
        /** @description ISO 3166 code or English name. */
        country?: string;
        /** @description A kind or a cuisine, in common words. */
        category?: string;
        /** @description A neighbourhood. */
        area?: string;
        /** @description latitude,longitude: nearest first. */
        near?: string;
        /** @description With near: metres (2000). */
        radius_m?: number;
        /** @description west,south,east,north in degrees. */
        bbox?: string;
        /** @description Only those known to be open. */
        open_now?: boolean;
        /** @description Also by old hours. */
        open?: components['schemas']['OpenFilter'];
        /** @description With all of these. */
        wishes?: components['schemas']['Wish'][];
        /** @description For names, as a BCP 47 tag. */
        lang?: components['parameters']['lang'];
        /**
         * @description How many places (20, at most 50).
         * @example 1
         */
        limit?: number;
        /** @description next_cursor of the page before. */
        cursor?: string;
        /** @description More fields. */
        fields?: components['schemas']['CardField'][];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Search places */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "places": [
           *         {
           *           "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *           "name": "Pizzeria Senja",
           *           "vertical": "restaurant",
           *           "category": "pizza",
           *           "cuisine": [
           *             "pizza",
           *             "italian"
           *           ],
           *           "destination": "bali",
           *           "country": "ID",
           *           "city": "Bali",
           *           "area": "Canggu",
           *           "address": null,
           *           "lat": -8.65,
           *           "lng": 115.13,
           *           "position_known": true,
           *           "rating": 4.6,
           *           "review_count": 312,
           *           "price_range": "$$",
           *           "badge": "mapped",
           *           "open_now": true,
           *           "booking": {
           *             "method": "phone"
           *           },
           *           "guidance": "Give the traveller this number; we have no booking channel for this venue.",
           *           "url": "https://waypost.example/p/plc_01kdtqb00071qz6sbs7e2vkqza"
           *         }
           *       ],
           *       "count": 1,
           *       "limit": 1,
           *       "next_cursor": null,
           *       "query": {
           *         "q": "pizza",
           *         "city": "bali",
           *         "destination": "bali",
           *         "limit": 1
           *       },
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": [
           *         {
           *           "name": "OpenStreetMap contributors",
           *           "url": "https://www.openstreetmap.org/copyright"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            places: {
              place_id: string;
              name: components['schemas']['Name'];
              /** @description The name on the sign, where name is in another language. */
              local_name?: string;
              name_generated?: components['schemas']['NameGenerated'];
              names?: components['schemas']['Names'];
              vertical: components['schemas']['Vertical2'];
              /** @description The more specific type. */
              category: string;
              cuisine: string[];
              /** @description Slug of the destination. */
              destination: string;
              country: components['schemas']['Country'];
              city: components['schemas']['City'];
              area: components['schemas']['City'];
              address: components['schemas']['City'];
              lat: components['schemas']['Lat'];
              lng: components['schemas']['Lat'];
              position_known: components['schemas']['PositionKnown'];
              rating: components['schemas']['Lat'];
              review_count: number;
              price_range: components['schemas']['City'];
              badge: components['schemas']['Badge'];
              open_now: components['schemas']['OpenNow'];
              /** @description Open now by hours too old to be verified; say their date. */
              open_by_hours?: boolean;
              /** @description Their date. */
              hours_from?: string;
              booking: { method: components['schemas']['BookingMethod'] };
              /** @description An instruction to follow as written. */
              guidance: string;
              /** @description The page of the place. */
              url: string;
              /** @description In E.164 form. It and hours are given if only one place was found, or with fields. */
              phone?: string | null;
              /**
               * @description The number in phone is of another country than the place: say so.
               * @constant
               */
              phone_other_country?: true;
              phone_as_published?: components['schemas']['PhoneAsPublished'];
              hours?: {
                structured: components['schemas']['Structured'];
                verified: components['schemas']['Verified'];
              } | null;
              /** @description When it closes, in UTC. */
              open_until?: string | null;
              /** @description Metres from the requested point. */
              distance_m?: number;
            }[];
            /** @description Number of places on this page. */
            count: number;
            limit: number;
            next_cursor: components['schemas']['NextCursor'];
            /** @description The search as sent, with the destination that city refers to. */
            query: { [key: string]: string | number | boolean | string[] };
            /** @description How the text was understood. Absent if it was found as a name. */
            understood?: {
              /** @description The slug of a destination that the text names; only its places are listed. */
              destination?: string;
              /** @description An area that the text names; only places in it are listed. */
              area?: string;
              near?: components['schemas']['Near'];
              /** @description Others of its name. */
              near_others?: components['schemas']['Near'][];
              /** @description Kinds of place; alternatives are joined by |. */
              kind?: string;
              /** @description Cuisines; alternatives are joined by |. */
              cuisine?: string;
              dish?: string;
              diet?: string;
              brand?: string;
              /** @description cheap ($), moderate ($$), expensive ($$$ or $$$$), or levels of price_range. */
              price?: string;
              /** @description What places must offer. */
              wishes?: (components['schemas']['Wish'] | components['schemas']['PriceWish'])[];
              /** @description What was ruled out. */
              without?: string[];
              /** @description Hotel stars: 4 means exactly four, 4+ at least four. */
              stars?: string;
              open_now?: boolean;
              /** @description Regular hours that a search requests: mon to sun, weekend, late, around_clock, until 04:00. */
              open?: string[];
              /** @description YYYY-MM-DDTHH:mm on the clocks of the destination. */
              open_at?: string;
              party?: number;
              /** @description Corrected words, by the word as sent. */
              corrected?: { [key: string]: string };
              /** @description Words that no listed place matches together with the others; they were ignored. */
              left_out?: string[];
              /** @description If nothing was found: the arguments that exclude every place. hint explains. */
              left_nothing?: string[];
            };
            /** @description What to try when nothing was found. */
            hint?: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400-2'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
      429: components['responses']['429'];
    };
  };
  get_place: {
    parameters: {
      query?: {
        /**
         * @description To fill in a booking page.
         * @example 4
         */
        party_size?: number;
        /**
         * @description YYYY-MM-DD, local to the place, at most 365 days ahead.
         * @example 2026-11-20
         */
        date?: string;
        /**
         * @description HH:mm, local to the place.
         * @example 19:30
         */
        time?: string;
        /** @description For names, as a BCP 47 tag. */
        lang?: components['parameters']['lang'];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path: {
        /**
         * @description plc_…, from a search.
         * @example plc_01kdtqb00071qz6sbs7e2vkqza
         */
        place_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Get one place */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *       "name": "Warung Senja",
           *       "vertical": "restaurant",
           *       "category": "seafood",
           *       "cuisine": [
           *         "indonesian"
           *       ],
           *       "destination": {
           *         "id": "dst_01kdtqb00071qz6sbs7e2vkqza",
           *         "slug": "bali",
           *         "name": "Bali",
           *         "country": "ID",
           *         "timezone": "Asia/Makassar"
           *       },
           *       "country": "ID",
           *       "city": "Bali",
           *       "area": "Jimbaran",
           *       "areas": [
           *         "Jimbaran",
           *         "Kuta Selatan"
           *       ],
           *       "address": null,
           *       "lat": -8.77,
           *       "lng": 115.17,
           *       "position_known": true,
           *       "phone": null,
           *       "website": "https://warung-senja.example",
           *       "languages": [
           *         "en",
           *         "id"
           *       ],
           *       "price_range": "$$",
           *       "about": "Grilled fish.",
           *       "facts": {
           *         "wheelchair": "limited"
           *       },
           *       "badge": "claimed",
           *       "rating": {
           *         "value": 4.5,
           *         "count": 312,
           *         "source": "public"
           *       },
           *       "hours": {
           *         "structured": {
           *           "mon": [
           *             [
           *               "11:00",
           *               "22:00"
           *             ]
           *           ],
           *           "tue": [],
           *           "wed": [],
           *           "thu": [],
           *           "fri": [
           *             [
           *               "11:00",
           *               "23:00"
           *             ]
           *           ],
           *           "sat": [],
           *           "sun": []
           *         },
           *         "text": "Mo 11:00-22:00; Fr 11:00-23:00",
           *         "verified": true,
           *         "source": "venue_website",
           *         "observed_at": "2026-09-02T08:00:00.000Z"
           *       },
           *       "open_now": true,
           *       "open_status": {
           *         "state": "open",
           *         "evidence": null,
           *         "text": "Open until 23:00 local time.",
           *         "checked_at": "2026-09-02T08:00:00.000Z",
           *         "next_change_at": "2026-11-14T15:00:00.000Z"
           *       },
           *       "closure_belief": {
           *         "believed_closed": false,
           *         "confidence": "none",
           *         "evidence": [],
           *         "checked_at": null
           *       },
           *       "accolades": [],
           *       "menu": {
           *         "available": true,
           *         "source": "owner",
           *         "updated_at": "2026-10-01T04:00:00.000Z",
           *         "currency": "IDR",
           *         "sections": [
           *           {
           *             "name": "From the grill",
           *             "items": [
           *               {
           *                 "name": "Ikan bakar",
           *                 "description": null,
           *                 "price": "85.000",
           *                 "price_minor": null
           *               }
           *             ]
           *           }
           *         ]
           *       },
           *       "promotions": [],
           *       "booking": {
           *         "method": "venue_system",
           *         "url": "https://www.sevenrooms.com/reservations/warungsenja?default_date=2026-11-20&default_party_size=4&default_time=19%3A30",
           *         "chosen_by_venue": true,
           *         "phone": null,
           *         "platform": "sevenrooms",
           *         "prefilled": {
           *           "party_size": true,
           *           "date": true,
           *           "time": true
           *         },
           *         "guidance": "Send the traveller to booking.url; nothing is booked until they finish there."
           *       },
           *       "guidance": "Send the traveller to booking.url; nothing is booked until they finish there.",
           *       "photos": [],
           *       "sources": [
           *         {
           *           "name": "OpenStreetMap",
           *           "ref": "node/240949599",
           *           "fields": [
           *             "name",
           *             "lat",
           *             "lng",
           *             "website",
           *             "facts"
           *           ],
           *           "observed_at": "2026-08-11T09:30:00.000Z"
           *         }
           *       ],
           *       "submitted_fields": [],
           *       "submitted_by": null,
           *       "updated_at": "2026-10-01T04:00:00.000Z",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": [
           *         {
           *           "name": "OpenStreetMap contributors",
           *           "url": "https://www.openstreetmap.org/copyright"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            place_id: string;
            name: components['schemas']['Name'];
            /** @description The name on the sign, where name is in another language. */
            local_name?: string;
            name_generated?: components['schemas']['NameGenerated'];
            names?: components['schemas']['Names'];
            vertical: components['schemas']['Vertical2'];
            /** @description The more specific type. */
            category: string;
            cuisine: string[];
            destination: {
              id: string;
              slug: string;
              name: string;
              country: components['schemas']['Country'];
              /** @description IANA time zone; clock times here are local to it. */
              timezone: string;
            };
            country: components['schemas']['Country'];
            city: components['schemas']['City'];
            area: components['schemas']['City'];
            address: components['schemas']['City'];
            lat: components['schemas']['Lat'];
            lng: components['schemas']['Lat'];
            position_known: components['schemas']['PositionKnown'];
            /** @description The areas that contain it, smallest first, up to the province. */
            areas: string[];
            /** @description E.164; never guessed. */
            phone: string | null;
            /**
             * @description The number in phone is of another country than the place: say so.
             * @constant
             */
            phone_other_country?: true;
            phone_as_published?: components['schemas']['PhoneAsPublished'];
            website: components['schemas']['City'];
            languages: string[];
            price_range: components['schemas']['City'];
            /** @description The venue's own short description, unless submitted_fields names it. */
            about: string | null;
            /** @description Facts that travellers ask about, from the source of the place. A missing fact is unknown, which does not mean no. */
            facts: {
              wheelchair?: components['schemas']['Wheelchair'];
              internet_access?: components['schemas']['InternetAccess'];
              outdoor_seating?: components['schemas']['Said'];
              /** @description vegan, vegetarian, halal and others that are catered for. */
              diets?: string[];
              /** @description Among the diets: those that everything on offer follows. */
              only_diets?: string[];
              smoking?: components['schemas']['Smoking'];
              /** @description cash, cards, visa, contactless and others that are accepted. */
              payment?: string[];
              takeaway?: components['schemas']['MealsOut'];
              delivery?: components['schemas']['MealsOut'];
              reservation?: components['schemas']['Reservation'];
              dogs?: components['schemas']['Dogs'];
              stars?: number;
              rooms?: number;
              capacity?: number;
              /** @description Whether entry costs money. */
              fee?: components['schemas']['Said'];
              charge?: string;
              brand?: string;
              brand_wikidata?: string;
              operator?: string;
              description?: string;
              level?: string;
              religion?: string;
              denomination?: string;
              image?: string;
              postcode?: string;
              wikidata?: string;
              wikipedia?: string;
              heritage?: string;
            };
            badge: components['schemas']['Badge'];
            rating: {
              value: components['schemas']['Lat'];
              count: number;
              source: components['schemas']['RatingSource'];
            };
            hours: {
              structured: components['schemas']['Structured'];
              /** @description The hours as they were written. */
              text: string | null;
              verified: components['schemas']['Verified'];
              source: components['schemas']['HoursSource'];
              observed_at: string;
            } | null;
            open_now: components['schemas']['OpenNow'];
            /** @description Open now by hours too old to be verified; say their date. */
            open_by_hours?: boolean;
            /** @description Their date. */
            hours_from?: string;
            open_status: {
              state: components['schemas']['OpenState'];
              /** @description With state closed. */
              evidence: components['schemas']['ClosureEvidence'] | null;
              text: string;
              checked_at: components['schemas']['City'];
              next_change_at: components['schemas']['City'];
            };
            closure_belief: {
              believed_closed: boolean;
              confidence: components['schemas']['ClosureConfidence'];
              evidence: components['schemas']['Evidence'][];
              checked_at: components['schemas']['City'];
            };
            accolades: {
              title: string;
              year: components['schemas']['Year'];
              source_name: string;
              source_url: string;
            }[];
            menu: {
              available: boolean;
              source: components['schemas']['MenuSource'] | null;
              updated_at: components['schemas']['City'];
              currency: components['schemas']['City'];
              /** @description The venue's own sections in the venue's own order. */
              sections: {
                name: string;
                items: {
                  name: string;
                  description: components['schemas']['City'];
                  /** @description Exactly as the venue wrote it. */
                  price: string | null;
                  price_minor: components['schemas']['Year'];
                }[];
              }[];
            };
            promotions: {
              promo_id: string;
              title: string;
              kind: components['schemas']['PromoKind'];
              ends_at: components['schemas']['City'];
            }[];
            booking: {
              method: components['schemas']['BookingMethod'];
              url: components['schemas']['City'];
              /** @description false: derived from what is published about the venue. */
              chosen_by_venue: boolean;
              phone: components['schemas']['City'];
              phone_as_published?: components['schemas']['PhoneAsPublished'];
              platform: components['schemas']['BookingPlatform'] | null;
              prefilled: components['schemas']['Prefilled'];
              guidance: string;
            };
            /** @description An instruction to follow as written. */
            guidance: string;
            /** @description The venue's own photo first, then at most 8 of travellers. */
            photos: {
              url: string;
              kind: components['schemas']['PlacePhotoKind'];
              /** @description Show it beside the photo. */
              attribution: string;
            }[];
            sources: {
              name: string;
              ref: string;
              fields: components['schemas']['PlaceField'][];
              /** @description When the source last confirmed it: its last edit or its date. null: unknown. */
              observed_at: string | null;
            }[];
            /** @description Fields filled only by an agent's submission. A person reviewed it; the venue has not confirmed them: never present them as its own. */
            submitted_fields: components['schemas']['PlaceField'][];
            submitted_by: { agent_name: string; operator_name: string } | null;
            updated_at: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404'];
      406: components['responses']['406'];
      410: components['responses']['410'];
      414: components['responses']['414'];
      422: components['responses']['422'];
      429: components['responses']['429'];
    };
  };
  list_closures: {
    parameters: {
      query?: {
        /**
         * @description Only places that closed or reopened since this date or time.
         * @example 2026-01-01
         */
        since?: string;
        /** @description Only entries recorded since, for polling: evidence can be older than its record. */
        noted_since?: string;
        /** @description Slug, id or name of a destination. */
        destination?: string;
        /**
         * @description Entries in this page (50, at most 100).
         * @example 1
         */
        limit?: number;
        /** @description next_cursor of the previous page. */
        cursor?: string;
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List closures */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "closures": [
           *         {
           *           "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *           "name": "Café Ada",
           *           "vertical": "cafe",
           *           "category": "cafe",
           *           "country": "MC",
           *           "destination": {
           *             "slug": "monaco",
           *             "name": "Monaco"
           *           },
           *           "lat": 43.7396,
           *           "lng": 7.4272,
           *           "position_known": true,
           *           "source": "osm",
           *           "source_ref": "node/1",
           *           "source_url": "https://www.openstreetmap.org/node/1",
           *           "state": "closed",
           *           "closed_at": "2026-02-11T00:00:00.000Z",
           *           "noted_at": "2026-02-12T08:30:00.000Z",
           *           "evidence": [
           *             {
           *               "kind": "published_report",
           *               "source_url": "https://www.openstreetmap.org/node/1",
           *               "note": "No longer in the map extract of 2026-02-11.",
           *               "observed_at": "2026-02-11T00:00:00.000Z"
           *             }
           *           ],
           *           "reopened": null
           *         }
           *       ],
           *       "limit": 1,
           *       "next_cursor": null,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            closures: {
              place_id: string;
              name: string;
              vertical: components['schemas']['Vertical2'];
              /** @description The more specific type. */
              category: string;
              country: components['schemas']['Country'];
              destination: { slug: string; name: string };
              lat: components['schemas']['Lat'];
              lng: components['schemas']['Lat'];
              position_known: components['schemas']['PositionKnown'];
              /** @description Where the record comes from. */
              source: components['schemas']['PlaceSource'];
              /** @description The object in that source, such as node/123. */
              source_ref: string;
              /** @description A page that shows the object, or else its position on a map. */
              source_url: string | null;
              state: components['schemas']['ClosureState'];
              /** @description The date of the evidence. The place may have closed long before. */
              closed_at: string;
              /** @description When the directory recorded it. */
              noted_at: string;
              /** @description The evidence for the closure. */
              evidence: components['schemas']['Evidence'][];
              /** @description When it was found to be open, and by which source. */
              reopened: { at: string; by: components['schemas']['ReopenedBy'] } | null;
            }[];
            limit: number;
            /** @description null: this is the last page. */
            next_cursor: string | null;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400-2'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404-2'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  submit_business: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "relationship": "owner",
         *       "external_ref": "warung-senja",
         *       "name": "Warung Senja",
         *       "vertical": "restaurant",
         *       "country": "ID",
         *       "city": "Bali",
         *       "address": "Jalan Pantai 7, Jimbaran",
         *       "website": "https://warung-senja.example",
         *       "description": "Grilled fish on the beach.",
         *       "hours": {
         *         "mon-sat": "11:00-22:00",
         *         "sun": "closed"
         *       }
         *     }
         */
        'application/json': {
          relationship?: components['schemas']['Relationship'];
          external_ref?: components['schemas']['ExternalRef'];
          /** @description Updates this submission of yours. */
          submission_id?: string;
          /** @description As the business writes it. */
          name?: string;
          /** @description The type of place (other). */
          vertical?: components['schemas']['SubmittedVertical'] | null;
          /** @description ISO 3166 code or English name. */
          country?: string;
          /** @description The town, or a destination. */
          city?: string;
          /** @description Street and number. */
          address?: string | null;
          /** @description With lng. */
          lat?: number | null;
          /** @description With lat. */
          lng?: number | null;
          /** @description E.164, as published. */
          phone?: string | null;
          /** @description As published. */
          email?: string | null;
          /** @description Its own site. */
          website?: string | null;
          /** @description What guests find there. */
          description?: string | null;
          /** @description Spoken there, as BCP 47 tags. */
          languages?: string[] | null;
          /** @description Such as $$ or IDR 50k–120k. */
          price_range?: string | null;
          /** @description Mo-Fr 09:00-17:00, or {"mon-fri": "09:00-17:00"}. */
          hours?: (string | { [key: string]: string }) | null;
          /** @description Awards. */
          claims?:
            | {
                /** @description The award. */
                text: string;
                /**
                 * Format: uri
                 * @description Its page.
                 */
                source_url: string;
              }[]
            | null;
          /** @description https; gets the decision, signed. */
          callback_url?: string | null;
          /** @description true: only check, for one read. */
          dry_run?: boolean;
        } & (
          | {
              relationship: components['schemas']['Relationship'];
              /** @description As the business writes it. */
              name: string;
              /** @description ISO 3166 code or English name. */
              country: string;
              /** @description The town, or a destination. */
              city: string;
            }
          | { external_ref: components['schemas']['ExternalRef'] }
          | {
              /** @description Updates this submission of yours. */
              submission_id: string;
            }
        );
      };
    };
    responses: {
      /** @description A dry run: checked, not stored. It costs one read. */
      200: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "status": null,
           *       "revision": null,
           *       "review": null,
           *       "dry_run": true,
           *       "submission_id": null,
           *       "action": "would_create",
           *       "external_ref": "warung-senja",
           *       "warnings": [],
           *       "possible_duplicates": [],
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer'];
        };
      };
      /** @description Submit a business */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
           *       "status": "pending_review",
           *       "action": "created",
           *       "revision": 1,
           *       "external_ref": "warung-senja",
           *       "warnings": [],
           *       "possible_duplicates": [
           *         {
           *           "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *           "name": "Warung Senja",
           *           "distance_m": null
           *         }
           *       ],
           *       "review": {
           *         "expected_by": "2026-11-16T12:00:00.000Z"
           *       },
           *       "dry_run": false,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-2'];
      429: components['responses']['429-2'];
    };
  };
  submit_promo: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
         *       "promo_ref": "sunset",
         *       "title": "Sunset plate for two",
         *       "kind": "special",
         *       "ends_at": "2030-12-31T16:00:00Z",
         *       "discount_pct": 15
         *     }
         */
        'application/json': {
          /** @description In one line. Required for a new one. */
          title?: string;
          /** @description The business, by submission. */
          submission_id?: string;
          /** @description The business, by your reference. */
          external_ref?: string;
          promo_ref?: components['schemas']['ExternalRef'];
          /** @description What it is (promo). */
          kind?: components['schemas']['PromoKind'] | null;
          /** @description What it is about. */
          detail?: string | null;
          /** @description RFC 3339 with zone. Absent: at once. */
          starts_at?: string | null;
          /** @description It then expires. */
          ends_at?: string | null;
          /** @description Per cent, 0 to 90. */
          discount_pct?: number | null;
          /** @description Conditions. */
          terms?: string | null;
          /** @description true: only check, for one read. */
          dry_run?: boolean;
        } & (
          | {
              /** @description In one line. Required for a new one. */
              title: string;
            }
          | { promo_ref: components['schemas']['ExternalRef'] }
        );
      };
    };
    responses: {
      /** @description A dry run: checked, not stored. It costs one read. */
      200: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "status": null,
           *       "revision": null,
           *       "review": null,
           *       "dry_run": true,
           *       "promo_id": null,
           *       "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
           *       "promo_ref": "sunset",
           *       "action": "would_create",
           *       "starts_at": null,
           *       "expires_at": "2030-12-31T16:00:00.000Z",
           *       "warnings": [],
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer2'];
        };
      };
      /** @description Submit a promotion */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "promo_id": "prm_01kdtqb00071qz6sbs7e2vkqza",
           *       "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
           *       "promo_ref": "sunset",
           *       "status": "pending_review",
           *       "action": "created",
           *       "revision": 1,
           *       "starts_at": null,
           *       "expires_at": "2030-12-31T16:00:00.000Z",
           *       "warnings": [],
           *       "review": {
           *         "expected_by": "2026-11-16T12:00:00.000Z"
           *       },
           *       "dry_run": false,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer2'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-3'];
      429: components['responses']['429-2'];
    };
  };
  list_submissions: {
    parameters: {
      query?: {
        /**
         * @description expired: promotions only.
         * @example rejected
         */
        status?: components['schemas']['SubmissionStatus'];
        /** @description Only these. */
        type?: components['schemas']['SubmissionType'];
        /** @description This business and its promotions. */
        external_ref?: string;
        /**
         * @description How many (20, at most 100).
         * @example 20
         */
        limit?: number;
        /** @description How many to skip (0). */
        offset?: number;
        /** @description next_cursor of the page before. */
        cursor?: components['parameters']['cursor'];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List submissions */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "type": "business",
           *           "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
           *           "external_ref": "warung-senja",
           *           "name": "Warung Senja",
           *           "relationship": "owner",
           *           "vertical": "restaurant",
           *           "status": "rejected",
           *           "reason": {
           *             "code": "contact_not_verifiable",
           *             "text": "The business does not publish this number.",
           *             "fix": "Leave the field empty."
           *           },
           *           "rejection_reason": "The business does not publish this number.",
           *           "revision": 2,
           *           "place_id": null,
           *           "live": false,
           *           "live_blocked_by": null,
           *           "badge": null,
           *           "created_at": "2026-11-12T09:00:00.000Z",
           *           "updated_at": "2026-11-13T09:00:00.000Z",
           *           "reviewed_at": "2026-11-13T15:20:00.000Z",
           *           "callback": {
           *             "url": "https://travel.example/hooks/waypost",
           *             "state": "delivered",
           *             "attempts": 1,
           *             "last_http_status": 200
           *           }
           *         }
           *       ],
           *       "total": 1,
           *       "limit": 20,
           *       "offset": 0,
           *       "next_cursor": null,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            items: {
              type: components['schemas']['SubmissionType'];
              /** @description The business; of a promotion, the one that it belongs to. */
              submission_id: string;
              promo_id?: string;
              external_ref: components['schemas']['City'];
              promo_ref?: components['schemas']['City'];
              name?: components['schemas']['City'];
              relationship?: components['schemas']['Relationship'] | null;
              vertical?: components['schemas']['Vertical'] | null;
              title?: components['schemas']['City'];
              kind?: components['schemas']['PromoKind'] | null;
              starts_at?: components['schemas']['City'];
              ends_at?: components['schemas']['City'];
              discount_pct?: components['schemas']['Year'];
              status: components['schemas']['SubmissionStatus'];
              reason: components['schemas']['Reason'];
              /** @description The text of reason, for simple clients. */
              rejection_reason: string | null;
              revision: number;
              /** @description Its place in the directory. */
              place_id: string | null;
              /** @description Whether travellers see it, possibly in an earlier revision. */
              live: boolean;
              /** @description When an approved promotion starts. */
              live_from?: string | null;
              /** @description What an approved one is waiting for. */
              live_blocked_by: components['schemas']['LiveBlockedBy'] | null;
              badge: components['schemas']['Badge'] | null;
              created_at: string;
              updated_at: string;
              reviewed_at: components['schemas']['City'];
              callback: {
                url: string;
                state: components['schemas']['DeliveryState'];
                attempts: number;
                last_http_status: components['schemas']['Year'];
              } | null;
            }[];
            total: number;
            limit: number;
            offset: number;
            next_cursor: components['schemas']['City'];
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400-2'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  sign_up: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "agent_name": "TripPlanner",
         *       "operator_name": "Example Travel Ltd",
         *       "operator_email": "ops@travel.example",
         *       "homepage": "https://travel.example/agent",
         *       "purpose": "Plans weekend trips for our customers."
         *     }
         */
        'application/json': {
          /** @description The name of the agent. */
          agent_name: string;
          /** @description The person or company that answers for the agent. */
          operator_name: string;
          /**
           * Format: email
           * @description Where the operator can be reached. One agent and one key per address. The first to prove this mailbox ends the key from before.
           */
          operator_email: string;
          /**
           * Format: uri
           * @description A page about the agent.
           */
          homepage?: string;
          /** @description One sentence on what the agent does. */
          purpose: string;
        };
      };
    };
    responses: {
      /** @description Sign up */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "agent_id": "agt_01kdtqb00071qz6sbs7e2vkqza",
           *       "api_key": "svc_live_EXAMPLEexampleEXAMPLEexampleEX000000",
           *       "key_shown_once": true,
           *       "plan": {
           *         "name": "free",
           *         "price_cents": 0,
           *         "reads_per_day": 100,
           *         "reads_per_minute": 120,
           *         "beta": false
           *       },
           *       "quota": {
           *         "date": "2026-11-14",
           *         "limit": 100,
           *         "used": 0,
           *         "remaining": 100,
           *         "resets_at": "2026-11-15T00:00:00Z"
           *       },
           *       "rules_url": "https://waypost.example/docs/rules",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            agent_id: string;
            /** @description Send it as a bearer token. It is shown only once. */
            api_key: string;
            /** @constant */
            key_shown_once: true;
            plan: {
              name: components['schemas']['AgentPlan'];
              /** @description US cents a month. */
              price_cents: number;
              reads_per_day: number;
              reads_per_minute: number;
              beta: boolean;
            };
            quota: components['schemas']['Quota'];
            /** @description What agents may and may not do here. */
            rules_url: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      409: components['responses']['409-2'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-3'];
    };
  };
  get_account: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Your account */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "agent_id": "agt_01kdtqb00071qz6sbs7e2vkqza",
           *       "agent_name": "TripPlanner",
           *       "operator_name": "Example Travel Ltd",
           *       "operator_email": "ops@travel.example",
           *       "email_verified": false,
           *       "homepage": "https://travel.example/agent",
           *       "purpose": "Plans weekend trips for our customers.",
           *       "status": "active",
           *       "created_at": "2026-11-14T12:00:00.000Z",
           *       "key": {
           *         "prefix": "svc_live_EXA",
           *         "created_at": "2026-11-14T12:00:00.000Z",
           *         "last_used_at": "2026-11-14T12:03:00.000Z"
           *       },
           *       "plan": {
           *         "name": "free",
           *         "price_cents": 0,
           *         "reads_per_day": 100,
           *         "reads_per_minute": 120,
           *         "beta": false,
           *         "paid_until": null
           *       },
           *       "quota": {
           *         "date": "2026-11-14",
           *         "limit": 100,
           *         "used": 27,
           *         "remaining": 73,
           *         "resets_at": "2026-11-15T00:00:00Z"
           *       },
           *       "submissions": {
           *         "pending_review": 2,
           *         "approved": 5,
           *         "rejected": 1
           *       },
           *       "callback_keys_url": "https://waypost.example/.well-known/svc-webhook-keys.json",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            agent_id: string;
            agent_name: string;
            operator_name: string;
            operator_email: string;
            /** @description Whether a link or code mailed to the operator was used. */
            email_verified: boolean;
            homepage: components['schemas']['City'];
            purpose: string;
            status: components['schemas']['AccountStatus'];
            created_at: string;
            key: {
              /** @description How the key begins; the whole key was shown once. */
              prefix: string;
              created_at: string;
              /** @description To the minute. */
              last_used_at: string | null;
            } | null;
            plan: {
              name: components['schemas']['AgentPlan'];
              /** @description US cents a month. */
              price_cents: number;
              reads_per_day: number;
              reads_per_minute: number;
              beta: boolean;
              /** @description null: the plan is free. */
              paid_until: string | null;
            };
            quota: components['schemas']['Quota'];
            submissions: { pending_review: number; approved: number; rejected: number };
            /** @description The public keys that verify callbacks. */
            callback_keys_url: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  rotate_key: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Also disconnects every client connected by OAuth; otherwise they stay connected. */
          revoke_oauth?: boolean;
        };
      };
    };
    responses: {
      /** @description Rotate the key */
      200: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "agent_id": "agt_01kdtqb00071qz6sbs7e2vkqza",
           *       "api_key": "svc_live_EXAMPLEexampleEXAMPLEexampleEX000000",
           *       "key_shown_once": true,
           *       "rotated_at": "2026-11-14T12:00:00.000Z",
           *       "old_key_revoked": true,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            agent_id: string;
            /** @description Send it as a bearer token. It is shown only once. */
            api_key: string;
            /** @constant */
            key_shown_once: true;
            rotated_at: string;
            /** @constant */
            old_key_revoked: true;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401-2'];
      403: components['responses']['403-2'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-4'];
    };
  };
  recover_key: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operator_email": "ops@travel.example"
         *     }
         */
        'application/json': {
          /**
           * Format: email
           * @description The address that the agent was registered for.
           */
          operator_email: string;
        };
      };
    };
    responses: {
      /** @description Recover a lost key */
      202: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "status": "accepted",
           *       "next": "If an agent is registered for this address, a mail is on its way. Closed accounts get no mail: write to hello@waypost.example instead.",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            /**
             * @description The same whether or not the address is registered.
             * @constant
             */
            status: 'accepted';
            /** @description What happens now. */
            next: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
    };
  };
  change_plan: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "plan": "growth"
         *     }
         */
        'application/json': {
          /** @description free ends a paid plan; every other is paid for a month by a person. */
          plan: components['schemas']['AgentPlan'];
        };
      };
    };
    responses: {
      /** @description Change the plan */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "status": "awaiting_payment",
           *       "plan": {
           *         "name": "growth",
           *         "price_cents": 1999,
           *         "reads_per_day": 20000,
           *         "reads_per_minute": 600,
           *         "beta": false
           *       },
           *       "checkout_id": "pay_01kdtqb00071qz6sbs7e2vkqza",
           *       "checkout_url": "https://waypost.example/pay/pay_01kdtqb00071qz6sbs7e2vkqza",
           *       "amount_cents": 1999,
           *       "currency": "USD",
           *       "expires_at": "2026-11-15T12:00:00.000Z",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            status: components['schemas']['PlanChange'];
            /** @description The requested plan. */
            plan: {
              name: components['schemas']['AgentPlan'];
              /** @description US cents a month. */
              price_cents: number;
              reads_per_day: number;
              reads_per_minute: number;
              beta: boolean;
            };
            checkout_id: components['schemas']['City'];
            /** @description For the operator: a person pays there, without signing in. */
            checkout_url: string | null;
            /** @description US cents. */
            amount_cents: number;
            currency: components['schemas']['Currency'];
            /** @description Payment deadline. */
            expires_at: string | null;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-4'];
    };
  };
  search_photos: {
    parameters: {
      query?: {
        /**
         * @description A destination (slug, id or name) or a city.
         * @example bali
         */
        city?: components['parameters']['city'];
        /** @description Only of such places. */
        kind?: components['schemas']['Vertical'];
        /**
         * @description Offered for it.
         * @example web
         */
        use?: components['schemas']['Use'];
        /**
         * @description The most it may cost.
         * @example 1000
         */
        max_price_cents?: number;
        /** @description Of this place. */
        place_id?: string;
        /** @description How many (20, at most 50). */
        limit?: number;
        /** @description next_cursor of the page before. */
        cursor?: components['parameters']['cursor'];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Search photos */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "photos": [
           *         {
           *           "photo_id": "pho_01kdtqb00071qz6sbs7e2vkqza",
           *           "place": {
           *             "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *             "name": "Warung Senja"
           *           },
           *           "city": "Ubud",
           *           "country": "ID",
           *           "month": "2026-09",
           *           "kind": "restaurant",
           *           "preview_url": "https://waypost.example/photos/pho_01kdtqb00071qz6sbs7e2vkqza/w480",
           *           "width": 4032,
           *           "height": 3024,
           *           "orientation": "landscape",
           *           "caption": "The terrace before the rain",
           *           "photographer": {
           *             "display_name": "Ayu"
           *           },
           *           "attribution": "Photo: Ayu via Waypost",
           *           "prices": {
           *             "social": 500,
           *             "web": 900,
           *             "ad": 2500,
           *             "ai_training": null
           *           },
           *           "drop": {
           *             "left": 7,
           *             "sold": 3,
           *             "ends_at": "2026-11-17T09:00:00.000Z",
           *             "price_next": {
           *               "social": 550,
           *               "web": 990,
           *               "ad": 2750,
           *               "ai_training": null
           *             }
           *           },
           *           "people": "none",
           *           "checked_by_person": true
           *         }
           *       ],
           *       "count": 1,
           *       "limit": 20,
           *       "next_cursor": null,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            photos: {
              photo_id: string;
              place: { place_id: string; name: string };
              city: string;
              country: string;
              /** @description YYYY-MM. The day is never published. */
              month: string;
              /** @description The vertical of the place. */
              kind: components['schemas']['Vertical'];
              /** @description A marked preview, 480 pixels wide. */
              preview_url: string;
              /** @description Pixels of the licensed file. */
              width: number;
              height: number;
              orientation: components['schemas']['Orientation'];
              caption: string;
              photographer: { display_name: string };
              /** @description Show it beside the photo. */
              attribution: string;
              /** @description US cents for each use at this moment; null: not offered for it. */
              prices: {
                social: components['schemas']['Year'];
                web: components['schemas']['Year'];
                ad: components['schemas']['Year'];
                ai_training: components['schemas']['Year'];
              };
              drop: {
                /** @description Licences that are left. */
                left: number;
                sold: number;
                ends_at: string;
                /** @description The prices after the next licence. */
                price_next: {
                  social: components['schemas']['Year'];
                  web: components['schemas']['Year'];
                  ad: components['schemas']['Year'];
                  ai_training: components['schemas']['Year'];
                };
              };
              /**
               * @description No photo shows a recognisable person.
               * @constant
               */
              people: 'none';
              /** @description false only for pictures drawn for the demonstration directory. */
              checked_by_person: boolean;
            }[];
            /** @description Number of photos on this page. */
            count: number;
            limit: number;
            next_cursor: components['schemas']['NextCursor'];
            /** @description What to try when nothing was found. */
            hint?: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400-2'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  quote_photo: {
    parameters: {
      query: {
        /**
         * @description From a photo search.
         * @example pho_01kdtqb00071qz6sbs7e2vkqza
         */
        photo_id: string;
        /** @example web */
        use: components['schemas']['Use'];
      };
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Quote a photo */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "quote_id": "qte_01kdtqb00071qz6sbs7e2vkqza",
           *       "photo_id": "pho_01kdtqb00071qz6sbs7e2vkqza",
           *       "use": "web",
           *       "price_cents": 900,
           *       "currency": "USD",
           *       "price_after_next_cents": 990,
           *       "drop": {
           *         "left": 7,
           *         "ends_at": "2026-11-17T09:00:00.000Z",
           *         "price_next": 990
           *       },
           *       "terms": {
           *         "scope": "One website or listing page, for as long as it runs.",
           *         "duration": "while it runs",
           *         "exclusive": false,
           *         "attribution_required": true,
           *         "revocable": false
           *       },
           *       "valid_until": "2026-11-14T12:05:00.000Z",
           *       "guaranteed": false,
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            quote_id: string;
            photo_id: string;
            use: components['schemas']['Use'];
            /** @description The current price of a licence, in US cents. */
            price_cents: number;
            currency: components['schemas']['Currency'];
            /** @description The price after the next licence of the photo. */
            price_after_next_cents: number;
            drop: {
              /** @description Licences that are left. */
              left: number;
              ends_at: string;
              /** @description The same as price_after_next_cents. */
              price_next: number;
            };
            terms: components['schemas']['Terms'];
            valid_until: string;
            /**
             * @description A quote is information: another buyer may move the price. Set max_price_cents.
             * @constant
             */
            guaranteed: false;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404-4'];
      406: components['responses']['406'];
      410: components['responses']['410-2'];
      422: components['responses']['422-5'];
    };
  };
  license_photo: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "photo_id": "pho_01kdtqb00071qz6sbs7e2vkqza",
         *       "use": "web",
         *       "max_price_cents": 2000
         *     }
         */
        'application/json': {
          /** @description From a photo search. */
          photo_id: string;
          /** @description As quoted. */
          use: components['schemas']['Use'];
          /** @description The most to pay, in US cents. */
          max_price_cents: number;
          /** @description A repeat returns the same licence. */
          idempotency_key?: string;
        };
      };
    };
    responses: {
      /** @description The result of a repeated request or a renewed account. */
      200: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: { 'application/json': components['schemas']['Answer3'] };
      };
      /** @description License a photo */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "license_id": "lic_01kdtqb00071qz6sbs7e2vkqza",
           *       "photo_id": "pho_01kdtqb00071qz6sbs7e2vkqza",
           *       "use": "web",
           *       "price_cents": 900,
           *       "currency": "USD",
           *       "test": false,
           *       "licensed_at": "2026-11-14T12:00:00.000Z",
           *       "expires_at": null,
           *       "licensee": {
           *         "agent_id": "agt_01kdtqb00071qz6sbs7e2vkqza",
           *         "operator_name": "Trip Planner Ltd"
           *       },
           *       "terms": {
           *         "scope": "One website or listing page, for as long as it runs.",
           *         "duration": "while it runs",
           *         "exclusive": false,
           *         "attribution_required": true,
           *         "revocable": false
           *       },
           *       "attribution_line": "Photo: Ayu via Waypost",
           *       "download": {
           *         "url": "https://waypost.example/photos/files/01kdtqb00071qz6sbs7e2vkqza.mhz3k9d2.Zm9yIHRoZSBleGFtcGxlIG9u",
           *         "expires_at": "2026-11-14T12:15:00.000Z"
           *       },
           *       "certificate_url": "https://waypost.example/licenses/lic_01kdtqb00071qz6sbs7e2vkqza",
           *       "drop": {
           *         "left": 6,
           *         "ends_at": "2026-11-17T09:00:00.000Z",
           *         "price_next": 1089
           *       },
           *       "wallet": {
           *         "balance_cents": 4100,
           *         "test_credit_cents": 0,
           *         "spent_today_cents": 900,
           *         "cap_cents": 5000
           *       },
           *       "warnings": [],
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer3'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      402: components['responses']['402'];
      403: components['responses']['403'];
      404: components['responses']['404-4'];
      409: components['responses']['409-3'];
      410: components['responses']['410-2'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-6'];
      429: components['responses']['429-4'];
    };
  };
  link_photo: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "license_id": "lic_01kdtqb00071qz6sbs7e2vkqza"
         *     }
         */
        'application/json': {
          /** @description One of your licences. */
          license_id: string;
        };
      };
    };
    responses: {
      /** @description Link to a licensed photo */
      200: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "license_id": "lic_01kdtqb00071qz6sbs7e2vkqza",
           *       "url": "https://waypost.example/photos/files/01kdtqb00071qz6sbs7e2vkqza.mhz3k9d2.Zm9yIHRoZSBleGFtcGxlIG9u",
           *       "expires_at": "2026-11-14T12:15:00.000Z",
           *       "filename": "lic_01kdtqb00071qz6sbs7e2vkqza.jpg",
           *       "content_type": "image/jpeg",
           *       "bytes": 2481733,
           *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *       "certificate_url": "https://waypost.example/licenses/lic_01kdtqb00071qz6sbs7e2vkqza",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            license_id: string;
            url: string;
            expires_at: string;
            filename: string;
            /**
             * @description Every file is a JPEG.
             * @constant
             */
            content_type: 'image/jpeg';
            bytes: number;
            /** @description Of the file, in hex; the certificate shows the same. */
            sha256: string;
            certificate_url: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      404: components['responses']['404-5'];
      409: components['responses']['409-4'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-5'];
    };
  };
  photo_wallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Photo wallet */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'X-RateLimit-Remaining': components['headers']['Remaining'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "balance_cents": 4100,
           *       "test_credit_cents": 0,
           *       "currency": "USD",
           *       "spent_today_cents": 900,
           *       "cap_cents": 5000,
           *       "cap_remaining_cents": 4100,
           *       "cap_resets_at": "2026-11-15T00:00:00.000Z",
           *       "licences": [
           *         {
           *           "license_id": "lic_01kdtqb00071qz6sbs7e2vkqza",
           *           "photo_id": "pho_01kdtqb00071qz6sbs7e2vkqza",
           *           "use": "web",
           *           "price_cents": 900,
           *           "test": false,
           *           "licensed_at": "2026-11-14T12:00:00.000Z",
           *           "refunded_at": null
           *         }
           *       ],
           *       "licences_total": 1,
           *       "pending_topups": [],
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            /** @description Money in the wallet, in US cents. */
            balance_cents: number;
            /** @description Test credit. It is never mixed with money. */
            test_credit_cents: number;
            currency: components['schemas']['Currency'];
            /** @description Since midnight UTC, money and test credit. */
            spent_today_cents: number;
            /** @description The most that may be spent in a UTC day. */
            cap_cents: number;
            cap_remaining_cents: number;
            cap_resets_at: string;
            /** @description The newest 100. */
            licences: {
              license_id: string;
              photo_id: string;
              use: components['schemas']['Use'];
              price_cents: number;
              test: boolean;
              licensed_at: string;
              refunded_at: components['schemas']['City'];
            }[];
            licences_total: number;
            /** @description Open top-ups that a person has yet to pay. */
            pending_topups: {
              topup_id: string;
              amount_cents: number;
              checkout_url: string;
              expires_at: string;
            }[];
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  top_up_wallet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "amount_cents": 2000
         *     }
         */
        'application/json': {
          /** @description US cents, 5 to 500 USD. */
          amount_cents: number;
        };
      };
    };
    responses: {
      /** @description Top up the wallet */
      201: {
        headers: { 'X-RateLimit-Remaining': components['headers']['Remaining']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "topup_id": "top_01kdtqb00071qz6sbs7e2vkqza",
           *       "amount_cents": 2000,
           *       "currency": "USD",
           *       "status": "awaiting_payment",
           *       "checkout_url": "https://waypost.example/pay/top_01kdtqb00071qz6sbs7e2vkqza",
           *       "test": false,
           *       "expires_at": "2026-11-15T12:00:00.000Z",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            topup_id: string;
            amount_cents: number;
            currency: components['schemas']['Currency'];
            /**
             * @description A person has yet to pay.
             * @constant
             */
            status: 'awaiting_payment';
            /** @description For the operator: a person pays there, without signing in. */
            checkout_url: string;
            /** @description true: payments are tests here, so paying gives test credit only. */
            test: boolean;
            /** @description Payment deadline. */
            expires_at: string;
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-4'];
    };
  };
  sign_up_partner: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "partners@travel.example",
         *       "name": "Example Travel Ltd",
         *       "website": "https://travel.example",
         *       "use_case": "Answers about places in our trip planner."
         *     }
         */
        'application/json': {
          /**
           * Format: email
           * @description Where the key is mailed. One account and one key per address.
           */
          email: string;
          /** @description The person or company that answers for the account. */
          name: string;
          /** @description The company, if different from the name. */
          company?: string;
          /**
           * Format: uri
           * @description A page about the product that shows the answers.
           */
          website?: string;
          /** @description One sentence on what the answers are used for. */
          use_case?: string;
          /**
           * @description Every account starts on the free plan; larger ones are by agreement.
           * @constant
           */
          plan?: 'free';
        };
      };
    };
    responses: {
      /** @description The result of a repeated request or a renewed account. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Answer4'] };
      };
      /** @description Get a partner key */
      201: {
        headers: { [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "partner_id": "ptn_01kdtqb00071qz6sbs7e2vkqza",
           *       "api_key": "svc_partner_EXAMPLEexampleEXAMPLEexampleEX000000",
           *       "key_shown_once": true,
           *       "emailed_to": "p***@travel.example",
           *       "plan": "free",
           *       "limits": {
           *         "calls_per_minute": 30,
           *         "calls_per_month": 10000
           *       },
           *       "next": "The first sign-in at https://waypost.example/partner verifies the mailbox. It ends this key and a webhook that was set with it, and shows a new key: sign in there before you set a webhook.",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer4'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
      429: components['responses']['429-3'];
    };
  };
  get_usage: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of your answer. If it is still current: 304, which costs no read but counts for the minute; 429 once the daily reads are used up. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Usage of a partner */
      200: {
        headers: { ETag: components['headers']['ETag']; [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "partner_id": "ptn_01kdtqb00071qz6sbs7e2vkqza",
           *       "plan": "free",
           *       "period": {
           *         "from": "2026-11-01T00:00:00Z",
           *         "to": "2026-12-01T00:00:00Z"
           *       },
           *       "calls": {
           *         "used": 312,
           *         "included": 10000,
           *         "remaining": 9688,
           *         "by_tool": {
           *           "search_places": 300,
           *           "concierge_answer": 12
           *         }
           *       },
           *       "per_minute": {
           *         "limit": 30,
           *         "remaining": 29
           *       },
           *       "overage": {
           *         "directory_calls": 0,
           *         "concierge_calls": 0,
           *         "cost_cents": 0,
           *         "cost_millicents": 0,
           *         "pay_per_call": false,
           *         "spend_limit_cents": null
           *       },
           *       "bookings": {
           *         "enabled": false,
           *         "originated": 0,
           *         "confirmed": 0,
           *         "revenue_share_pct": 10,
           *         "revenue_share_cents": 0,
           *         "record": {
           *           "came": 0,
           *           "absent": 0,
           *           "late_cancellations": 0,
           *           "limits_lowered": false
           *         }
           *       },
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            partner_id: string;
            plan: components['schemas']['PartnerPlan'];
            /** @description The calendar month UTC counted. */
            period: { from: string; to: string };
            calls: {
              used: number;
              /** @description Calls that the plan includes in a month. */
              included: number;
              remaining: number;
              by_tool: { [key: string]: number };
            };
            per_minute: { limit: number; remaining: number };
            /** @description Calls beyond the plan. */
            overage: {
              directory_calls: number;
              concierge_calls: number;
              /** @description In whole US cents, rounded down. */
              cost_cents: number;
              /** @description The same exactly, in thousandths of a US cent. */
              cost_millicents: number;
              /** @description Whether calls beyond the included ones are charged instead of refused. */
              pay_per_call: boolean;
              /** @description What may be spent on them in a month; null when they are refused. */
              spend_limit_cents: number | null;
            };
            bookings: {
              /** @description Whether a person has switched table requests on. */
              enabled: boolean;
              originated: number;
              confirmed: number;
              revenue_share_pct: number;
              revenue_share_cents: number;
              /** @description What became of your tables in the last year, as far as venues said. */
              record: {
                came: number;
                /** @description Nobody came. */
                absent: number;
                /** @description Confirmed tables that you cancelled within three hours of their time. */
                late_cancellations: number;
                /** @description true: too many were lost, and you can ask less often. */
                limits_lowered: boolean;
              };
            };
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      304: components['responses']['not_modified'];
      400: components['responses']['400'];
      401: components['responses']['401-3'];
      403: components['responses']['403-3'];
      406: components['responses']['406'];
      422: components['responses']['422'];
    };
  };
  test_webhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Test the webhook */
      200: {
        headers: { [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "delivery_id": "msg_01kdtqb00071qz6sbs7e2vkqza",
           *       "event": "test",
           *       "booking_id": null,
           *       "state": "pending",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer5'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
    };
  };
  message_venue: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "booking_id": "bkg_01kdtqb00071qz6sbs7e2vkqza",
         *       "code": "late",
         *       "minutes": 15
         *     }
         */
        'application/json': {
          /** @description Begins with bkg_. */
          booking_id: string;
          code: components['schemas']['MessageToVenue'];
          /** @description With late: by how many minutes. */
          minutes?: number;
          /** @description With allergies. */
          allergens?: components['schemas']['Allergen'][];
          /** @description Your own key for this call: a repeat within 24 hours returns the first answer and does nothing twice. */
          idempotency_key?: string;
        };
      };
    };
    responses: {
      /** @description Send the venue a coded message */
      200: {
        headers: { [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "booking_id": "bkg_01kdtqb00071qz6sbs7e2vkqza",
           *       "status": "confirmed",
           *       "booked": true,
           *       "place": {
           *         "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
           *         "name": "Warung Senja",
           *         "address": "Jalan Pantai 7",
           *         "timezone": "Asia/Makassar"
           *       },
           *       "date": "2026-11-20",
           *       "time": "19:30",
           *       "time_until": null,
           *       "party_size": 4,
           *       "for": {
           *         "type": "guest",
           *         "name": "Guest Example",
           *         "member_id": null
           *       },
           *       "notes": "A quiet table, please.",
           *       "channel": "tap",
           *       "answer_by": null,
           *       "revision": 2,
           *       "offer": null,
           *       "offers": [],
           *       "confirmation": {
           *         "ref": null,
           *         "by": "venue",
           *         "at": "2026-11-15T08:12:00.000Z"
           *       },
           *       "held": null,
           *       "reverted": false,
           *       "reason": null,
           *       "table_terms": {
           *         "deposit": {
           *           "value": {
           *             "amount_minor": 2000,
           *             "currency": "EUR",
           *             "per": "person"
           *           },
           *           "source": "venue",
           *           "stated_at": "2026-11-02T09:00:00.000Z"
           *         },
           *         "minimum_spend": null,
           *         "service_charge_pct": null,
           *         "cancellation_hours": {
           *           "value": 24,
           *           "source": "venue",
           *           "stated_at": "2026-11-02T09:00:00.000Z"
           *         },
           *         "hold_minutes": null,
           *         "children_from_age": null,
           *         "dress_code": null
           *       },
           *       "link": null,
           *       "messages": [
           *         {
           *           "sender": "partner",
           *           "code": "late",
           *           "minutes": 15,
           *           "allergens": null,
           *           "at": null,
           *           "sent_at": "2026-11-20T10:40:00.000Z",
           *           "seen_at": null
           *         }
           *       ],
           *       "choice": null,
           *       "wait_until": null,
           *       "waiting": null,
           *       "created_at": "2026-11-15T08:00:00.000Z",
           *       "updated_at": "2026-11-20T10:40:00.000Z",
           *       "last_sequence": 4,
           *       "timeline": [
           *         {
           *           "sequence": 1,
           *           "event": "sent",
           *           "from": null,
           *           "to": "sent",
           *           "actor": "partner",
           *           "channel": null,
           *           "revision": 1,
           *           "text": "Request received.",
           *           "hash": "4d6a28117b2ede18f9e43cefb11cdeb85948d1d16cf7a1a4331fb0a9ab355fab",
           *           "at": "2026-11-15T08:00:00.000Z"
           *         },
           *         {
           *           "sequence": 2,
           *           "event": "asking",
           *           "from": "sent",
           *           "to": "asking",
           *           "actor": "service",
           *           "channel": "sms",
           *           "revision": 1,
           *           "text": "A text message was sent to the venue.",
           *           "hash": "a1af5959bfa5f10dec3b2403182c78467540eb70ed0691a25c76275df7241d5c",
           *           "at": "2026-11-15T08:00:02.417Z"
           *         },
           *         {
           *           "sequence": 3,
           *           "event": "confirmed",
           *           "from": "asking",
           *           "to": "confirmed",
           *           "actor": "venue",
           *           "channel": "sms",
           *           "revision": 1,
           *           "text": "The venue confirmed the table.",
           *           "hash": "921ebf44d4025f14bf0eaea5496bdc69d6e710cd1a3601f7f4af82603e29c2de",
           *           "at": "2026-11-15T08:12:00.000Z"
           *         },
           *         {
           *           "sequence": 4,
           *           "event": "message_sent",
           *           "from": "confirmed",
           *           "to": "confirmed",
           *           "actor": "partner",
           *           "channel": null,
           *           "revision": 2,
           *           "text": "A message for the venue: The guest comes 15 min late.",
           *           "hash": "97f6c8c164956ef5ab28447d9b6c397c516a503babec38cba9c5e0b06f99b029",
           *           "at": "2026-11-20T10:40:00.000Z"
           *         }
           *       ],
           *       "timeline_head": {
           *         "sequence": 4,
           *         "hash": "97f6c8c164956ef5ab28447d9b6c397c516a503babec38cba9c5e0b06f99b029"
           *       },
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': {
            booking_id: string;
            status: components['schemas']['BookingStatus'];
            /** @description true only when the venue has confirmed. */
            booked: boolean;
            rehearsal?: components['schemas']['Rehearsal'];
            place: {
              place_id: string;
              name: components['schemas']['City'];
              address: components['schemas']['City'];
              /** @description Date and time are local to it. */
              timezone: string;
            };
            date: string;
            time: string;
            /** @description The end of the window, until the venue has named one time. */
            time_until: string | null;
            party_size: number;
            for: {
              type: components['schemas']['BookedFor'];
              name: string;
              member_id: components['schemas']['City'];
            };
            notes: components['schemas']['City'];
            channel: components['schemas']['Channel'];
            answer_by: components['schemas']['City'];
            revision: number;
            /** @description What the venue offers instead. */
            offer: components['schemas']['Offer'] | null;
            /** @description All open offers, where the venue made several. */
            offers: components['schemas']['Offer'][];
            confirmation: {
              ref: components['schemas']['City'];
              by: components['schemas']['BookingActor'];
              at: string;
            } | null;
            /** @description The table that stays confirmed while a change is requested. */
            held: { date: string; time: string; party_size: number } | null;
            /** @description true when a change failed and the earlier table stays. */
            reverted: boolean;
            reason: components['schemas']['Reason2'];
            /** @description The venue's terms at the time of the request; a change keeps them. */
            table_terms: {
              /** @description Paid to the venue before the visit. null: unknown. */
              deposit: components['schemas']['Deposit'] | null;
              /** @description The least that guests spend. null: unknown. */
              minimum_spend: components['schemas']['Deposit'] | null;
              /** @description Added to the bill, in per cent; 0: none. null: unknown. */
              service_charge_pct: {
                value: number;
                source: components['schemas']['TableTermSource'];
                stated_at: string;
              } | null;
              /** @description Cancel at least so many hours before the table. null: unknown. */
              cancellation_hours: {
                value: number;
                source: components['schemas']['TableTermSource'];
                stated_at: string;
              } | null;
              /** @description The table is held for late guests for so many minutes. null: unknown. */
              hold_minutes: {
                value: number;
                source: components['schemas']['TableTermSource'];
                stated_at: string;
              } | null;
              /** @description Children are welcome from this age; 0: all ages, 18: adults only. null: unknown. */
              children_from_age: {
                value: number;
                source: components['schemas']['TableTermSource'];
                stated_at: string;
              } | null;
              /** @description How guests dress. null: unknown. */
              dress_code: {
                value: components['schemas']['DressCode'];
                source: components['schemas']['TableTermSource'];
                stated_at: string;
              } | null;
            };
            /** @description Where the guest can book directly: the venue's system requires a payment. */
            link: { url: string; prefilled: components['schemas']['Prefilled'] } | null;
            /** @description Coded messages about the table, in order. */
            messages: components['schemas']['Messages'][];
            /** @description All venues of a request with alternatives; null: one venue was requested. */
            choice: {
              choice_id: string;
              /** @description The position of this venue in the order, from 1. */
              position: number;
              answer_within_minutes: number;
              /** @description true when no further venue will be asked. */
              over: boolean;
              /** @description All venues in their order. */
              venues: {
                position: number;
                place_id: string;
                name: components['schemas']['City'];
                /** @description null: not asked. */
                booking_id: string | null;
                status: components['schemas']['Status2'];
                /** @description The error code for which the venue was passed over. */
                refusal: string | null;
              }[];
            } | null;
            /** @description Until when the guest waits if the venue is full. */
            wait_until: string | null;
            waiting: components['schemas']['Waiting'];
            created_at: string;
            updated_at: string;
            last_sequence: number;
            timeline: {
              sequence: number;
              at: string;
              event: components['schemas']['TimelineEvent'];
              from: components['schemas']['Status2'];
              to: components['schemas']['To'];
              actor: components['schemas']['BookingActor'];
              /** @description The channel used; null: none. */
              channel: components['schemas']['ChannelName'] | null;
              revision: number;
              text: string;
              /** @description SHA-256 over the previous hash and this entry. */
              hash: string;
            }[];
            /** @description The last entry, as in every webhook. Keep it to detect any change to the entries up to it. */
            timeline_head: { sequence: number; hash: string };
            warnings?: components['schemas']['Warnings'];
            attribution: components['schemas']['Attribution'];
            attribution_links: components['schemas']['AttributionLinks'];
          };
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
    };
  };
  redeliver_webhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your key for this request, such as a new UUID, 1 to 255 characters. A repeat within a day returns the first answer. Without an account: random, at least 20 characters. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "delivery_id": "msg_01kdtqb00071qz6sbs7e2vkqza"
         *     }
         */
        'application/json': {
          /** @description From webhook_status, or the header webhook-id. */
          delivery_id: string;
        };
      };
    };
    responses: {
      /** @description Send a webhook again */
      200: {
        headers: { [name: string]: unknown };
        content: {
          /**
           * @example {
           *       "delivery_id": "msg_01kdtqb00071qz6sbs7e2vkqza",
           *       "event": "confirmed",
           *       "booking_id": "bkg_01kdtqb00071qz6sbs7e2vkqza",
           *       "state": "pending",
           *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
           *       "attribution_links": []
           *     }
           */
          'application/json': components['schemas']['Answer5'];
        };
      };
      400: components['responses']['400-3'];
      401: components['responses']['401'];
      403: components['responses']['403-3'];
      409: components['responses']['409'];
      413: components['responses']['413'];
      415: components['responses']['415'];
      422: components['responses']['422-4'];
    };
  };
  booking_move: {
    parameters: {
      query?: never;
      header: {
        /** @description t=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}. */
        'svc-signature': components['parameters']['svc-signature'];
        /** @description The id in the body. */
        'webhook-id': components['parameters']['webhook-id'];
        /** @description Unix seconds of this attempt. Refuse calls that are more than five minutes off. */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /** @description Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}. */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "msg_01kdtqb00071qz6sbs7e2vkqza",
         *       "type": "booking.confirmed",
         *       "event": "confirmed",
         *       "timestamp": "2026-11-14T12:00:00.000Z",
         *       "sequence": 4,
         *       "data": {
         *         "booking_id": "bkg_01kdtqb00071qz6sbs7e2vkqza",
         *         "status": "confirmed",
         *         "previous_status": "asking",
         *         "booked": true,
         *         "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
         *         "date": "2026-11-20",
         *         "time": "19:30",
         *         "time_until": null,
         *         "party_size": 4,
         *         "revision": 3,
         *         "actor": "venue",
         *         "reason": null,
         *         "offer": null,
         *         "confirmation": {
         *           "ref": null,
         *           "at": "2026-11-14T12:00:00.000Z"
         *         },
         *         "link": null,
         *         "choice": null,
         *         "waiting": null,
         *         "answer_by": null,
         *         "timeline_head": {
         *           "sequence": 4,
         *           "hash": "9d1c3b0e4f6a7d28c5b1e0f39a8c7264d5e1f0b2a3948576c1d2e3f405162738"
         *         }
         *       },
         *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
         *       "attribution_links": [
         *         {
         *           "name": "OpenStreetMap contributors",
         *           "url": "https://www.openstreetmap.org/copyright"
         *         },
         *         {
         *           "name": "the web-mapping provider",
         *           "url": "http://localhost:3000/docs/rules#attribution"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          id: components['schemas']['Id'];
          timestamp: components['schemas']['Timestamp'];
          type: components['schemas']['BookingEventType'];
          event: components['schemas']['To'];
          /** @description Increases with every move of a booking: the highest is current. */
          sequence: number;
          data: {
            booking_id: string;
            rehearsal?: components['schemas']['Rehearsal'];
            status: components['schemas']['To'];
            previous_status: components['schemas']['Status2'];
            /** @description True only in confirmed. */
            booked: boolean;
            place_id: string;
            /**
             * Format: date
             * @description Local to the place.
             */
            date: string;
            time: components['schemas']['Time'];
            /** @description The end of the window, until the venue has named one time. */
            time_until: components['schemas']['Time'] | null;
            party_size: number;
            revision: number;
            actor: components['schemas']['BookingActor'];
            reason: components['schemas']['Reason2'];
            offer: {
              offer_id: string;
              /**
               * Format: date
               * @description Local to the place.
               */
              date: string;
              time: components['schemas']['Time'];
              party_size: number;
              note: components['schemas']['City'];
              /** Format: date-time */
              expires_at: string;
            } | null;
            confirmation: {
              ref: components['schemas']['City'];
              /** Format: date-time */
              at: string;
            } | null;
            /** @description The venue's own booking page, when its system requires a payment, which we never make. */
            link: {
              /** Format: uri */
              url: string;
              prefilled: { party_size: boolean; date: boolean; time: boolean };
            } | null;
            /** @description The choice of several venues that the booking belongs to; null: one venue was requested. */
            choice: {
              choice_id: string;
              /** @description This venue's position in the order, from 1. */
              position: number;
              /** @description How many venues the choice has. */
              venues: number;
            } | null;
            waiting: components['schemas']['Waiting'];
            answer_by: string | null;
            timeline_head: components['schemas']['TimelineHead'];
          };
          attribution: components['schemas']['Attribution'];
          attribution_links: components['schemas']['AttributionLinks'];
        };
      };
    };
    responses: {
      410: components['responses']['event_unwanted'];
      '2XX': components['responses']['event_taken'];
      '4XX': components['responses']['event_failed'];
    };
  };
  booking_message: {
    parameters: {
      query?: never;
      header: {
        /** @description t=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}. */
        'svc-signature': components['parameters']['svc-signature'];
        /** @description The id in the body. */
        'webhook-id': components['parameters']['webhook-id'];
        /** @description Unix seconds of this attempt. Refuse calls that are more than five minutes off. */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /** @description Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}. */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "msg_01kdtqb00071qz6sbs7e2vkqzb",
         *       "type": "booking.message",
         *       "event": "message",
         *       "timestamp": "2026-11-20T11:00:00.000Z",
         *       "sequence": 7,
         *       "data": {
         *         "booking_id": "bkg_01kdtqb00071qz6sbs7e2vkqza",
         *         "status": "confirmed",
         *         "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
         *         "messages": [
         *           {
         *             "sender": "venue",
         *             "code": "ready_later",
         *             "minutes": null,
         *             "allergens": null,
         *             "at": "19:45",
         *             "sent_at": "2026-11-20T11:00:00.000Z",
         *             "seen_at": null
         *           }
         *         ],
         *         "timeline_head": {
         *           "sequence": 7,
         *           "hash": "9d1c3b0e4f6a7d28c5b1e0f39a8c7264d5e1f0b2a3948576c1d2e3f405162738"
         *         }
         *       },
         *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
         *       "attribution_links": [
         *         {
         *           "name": "OpenStreetMap contributors",
         *           "url": "https://www.openstreetmap.org/copyright"
         *         },
         *         {
         *           "name": "the web-mapping provider",
         *           "url": "http://localhost:3000/docs/rules#attribution"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          id: components['schemas']['Id'];
          timestamp: components['schemas']['Timestamp'];
          /**
           * @description The venue sent a coded message, or has seen yours (seen_at).
           * @constant
           */
          type: 'booking.message';
          /**
           * @description The venue sent a coded message, or has seen yours (seen_at).
           * @constant
           */
          event: 'message';
          /** @description Its entry in the timeline of the booking. */
          sequence: number;
          data: {
            booking_id: string;
            rehearsal?: components['schemas']['Rehearsal'];
            status: components['schemas']['To'];
            place_id: string;
            /** @description The new message of the venue, or yours that it has seen. */
            messages: components['schemas']['Messages'][];
            timeline_head: components['schemas']['TimelineHead'];
          };
          attribution: components['schemas']['Attribution'];
          attribution_links: components['schemas']['AttributionLinks'];
        };
      };
    };
    responses: {
      410: components['responses']['event_unwanted'];
      '2XX': components['responses']['event_taken'];
      '4XX': components['responses']['event_failed'];
    };
  };
  webhook_test: {
    parameters: {
      query?: never;
      header: {
        /** @description t=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}. */
        'svc-signature': components['parameters']['svc-signature'];
        /** @description The id in the body. */
        'webhook-id': components['parameters']['webhook-id'];
        /** @description Unix seconds of this attempt. Refuse calls that are more than five minutes off. */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /** @description Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}. */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "msg_01kdtqb00071qz6sbs7e2vkqza",
         *       "type": "webhook.test",
         *       "event": "test",
         *       "timestamp": "2026-11-14T12:00:00.000Z",
         *       "sequence": 0,
         *       "data": {},
         *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
         *       "attribution_links": [
         *         {
         *           "name": "OpenStreetMap contributors",
         *           "url": "https://www.openstreetmap.org/copyright"
         *         },
         *         {
         *           "name": "the web-mapping provider",
         *           "url": "http://localhost:3000/docs/rules#attribution"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          id: components['schemas']['Id'];
          timestamp: components['schemas']['Timestamp'];
          /**
           * @description A test that you asked for; it belongs to no booking.
           * @constant
           */
          type: 'webhook.test';
          /**
           * @description A test that you asked for; it belongs to no booking.
           * @constant
           */
          event: 'test';
          /** @constant */
          sequence: 0;
          data: Record<string, never>;
          attribution: components['schemas']['Attribution'];
          attribution_links: components['schemas']['AttributionLinks'];
        };
      };
    };
    responses: {
      410: components['responses']['event_unwanted'];
      '2XX': components['responses']['event_taken'];
      '4XX': components['responses']['event_failed'];
    };
  };
  submission_decided: {
    parameters: {
      query?: never;
      header: {
        /** @description t=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}. */
        'svc-signature': components['parameters']['svc-signature'];
        /** @description The id in the body. */
        'webhook-id': components['parameters']['webhook-id'];
        /** @description Unix seconds of this attempt. Refuse calls that are more than five minutes off. */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /** @description Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}. */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "msg_01kdtqb00071qz6sbs7e2vkqza",
         *       "type": "submission.approved",
         *       "timestamp": "2026-11-14T12:00:00.000Z",
         *       "data": {
         *         "type": "business",
         *         "submission_id": "sub_01kdtqb00071qz6sbs7e2vkqza",
         *         "promo_id": null,
         *         "external_ref": "crm-4711",
         *         "promo_ref": null,
         *         "status": "approved",
         *         "reason": null,
         *         "revision": 1,
         *         "place_id": "plc_01kdtqb00071qz6sbs7e2vkqza",
         *         "live": true,
         *         "live_blocked_by": null,
         *         "reviewed_at": "2026-11-14T12:00:00.000Z"
         *       },
         *       "attribution": "Place data © OpenStreetMap contributors (ODbL) and the web-mapping provider, verified by Waypost.",
         *       "attribution_links": [
         *         {
         *           "name": "OpenStreetMap contributors",
         *           "url": "https://www.openstreetmap.org/copyright"
         *         },
         *         {
         *           "name": "the web-mapping provider",
         *           "url": "http://localhost:3000/docs/rules#attribution"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          id: components['schemas']['Id'];
          type: components['schemas']['SubmissionEvent'];
          /**
           * Format: date-time
           * @description When it was decided.
           */
          timestamp: string;
          data: {
            type: components['schemas']['SubmissionType'];
            /** @description Of the business, also for a promotion. */
            submission_id: string | null;
            promo_id: components['schemas']['City'];
            /** @description Your own reference for the business. */
            external_ref: string | null;
            /** @description Your own reference for the promotion. */
            promo_ref: string | null;
            status: components['schemas']['SubmissionStatus'];
            reason: components['schemas']['Reason'];
            /** @description The revision that was decided. */
            revision: number;
            place_id: components['schemas']['City'];
            live: boolean;
            live_blocked_by: components['schemas']['LiveBlockedBy'] | null;
            reviewed_at: string | null;
          };
          attribution: components['schemas']['Attribution'];
          attribution_links: components['schemas']['AttributionLinks'];
        };
      };
    };
    responses: {
      410: components['responses']['event_unwanted'];
      '2XX': components['responses']['event_taken'];
      '4XX': components['responses']['event_failed'];
    };
  };
}
