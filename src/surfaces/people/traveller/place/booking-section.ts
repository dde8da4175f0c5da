import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';

/** Explains how to book at this venue. */
export function bookingSection(place: Place): Html {
  return html`<section class="booking card" aria-labelledby="booking-title">
    <h2 id="booking-title">How to book</h2>
    ${bookingMethod(place)}
  </section>`;
}

function bookingMethod(place: Place): Html {
  switch (place.booking_method) {
    case 'request':
      return html`<p>A concierge can ask this venue for a table on your behalf.</p>
        <p class="soft">A request is not a booking until the venue accepts.</p>
        ${callLine(place)}`;
    case 'venue_system':
      return venueSystem(place);
    case 'phone':
      return phone(place);
    case 'not_through':
      return html`<p>This venue asked not to be sent bookings through us.</p>
        <p class="soft">Please arrange your visit with the venue itself.</p>
        ${callLine(place)}`;
  }
}

function venueSystem(place: Place): Html {
  const href = safeHref(place.booking_url ?? '');
  // An unsafe link falls back to the telephone, here as in every API answer.
  if (href === null || !URL.canParse(href)) return phone(place);
  return html`<p><a class="button" href="${href}" rel="nofollow noopener">Book on the venue’s page</a></p>
    <p class="soft">
      This leads to <bdi>${new URL(href).hostname}</bdi>. Nothing is booked until you finish there.
      ${place.chosen_by_venue ? 'The venue chose this page.' : 'The page was found in public sources; the venue has not confirmed it.'}
    </p>`;
}

function phone(place: Place): Html {
  const { phone: number, website } = place;
  if (number !== null)
    return html`<p><a class="button" href="${safeHref(`tel:${number}`)}">Call ${number}</a></p>
      <p class="soft">
        We cannot book at this venue for you; please call it yourself. ${unconfirmed(place)}
      </p>`;
  return html`<p>We know of no way to book: this place publishes no telephone number. Please ask there.</p>
    ${website !== null && html`<p class="soft">Its website may say more.</p>`}`;
}

function callLine(place: Place): Html | false {
  const { phone: number } = place;
  return (
    number !== null &&
    html`<p>
      Or call <a class="tall" href="${safeHref(`tel:${number}`)}">${number}</a>. ${unconfirmed(place)}
    </p>`
  );
}

function unconfirmed(place: Place): string | false {
  return (
    displayedOrigin(place, 'phone') === 'agent' &&
    'An agent submitted this number, and the venue has not confirmed it.'
  );
}
