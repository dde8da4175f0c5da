import { z } from 'zod';
import { CODE_RULES, TRIES_MAX } from '../../../accounts/sign-in/mailed-code.ts';
import { openSession } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { RateLimit } from '../../../core/operation.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { refuseRemoved, type RemovalColumns } from '../../../directory/removal.ts';
import {
  enterClaimCode,
  sendClaimCode,
  type CodeRequester,
  type EnterOutcome,
  type SentOutcome,
} from '../../../venue/claim-code.ts';
import { contactKey, maskContact, venueContacts, type Contact } from '../../../venue/contact.ts';
import { actionForm } from '../form/action-form.ts';
import { browserHash } from '../form/csrf.ts';
import { codeInput, type FieldState, type FormField } from '../form/fields.ts';
import { readForm } from '../form/form-body.ts';
import { choiceField } from '../form/form-field.ts';
import { formatWait } from '../frame/wording.ts';
import { defineAction, type ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { Notice } from '../person/page-request.ts';

const PATH = '/venue/claim/:placeId';
const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;

/** Rate limit per client address for requesting and entering codes, across all places. */
const PER_HOUR: RateLimit = {
  name: 'claim_page',
  windowMs: HOUR_MS,
  max: () => 60,
  message: 'Too many codes were requested or entered from here.',
};

/** The contact that receives the code. A single one needs no choice. */
const contactInput: FormField<z.ZodString> = { schema: z.string(), render: contactField };

function contactField({ name, label = '', choices = [], ...state }: FieldState): Html {
  const [only, another] = choices;
  if (only === undefined || another !== undefined) return choiceField({ name, label, choices, ...state });
  return html`<p>${label} <strong>${only[1]}</strong></p>
    <input type="hidden" name="${name}" value="${only[0]}" />`;
}

const send = defineAction({
  name: 'send_claim_code',
  path: `${PATH}/code`,
  who: anybody,
  title: '1. Get a code',
  fields: { via: contactInput },
  button: 'Send me a code',
  plain: true,
  rateLimits: [PER_HOUR],
  async run(act, { via }) {
    const { placeId, contact } = await chosenContact(act, via);
    const result = await sendClaimCode(act.deps, act.db, { placeId, contact, asker: askerOf(act) });
    if (result.outcome === 'sent') act.audit(placeId, { channel: contact.channel });
    return { again: { notice: sentNotice(result, contact) } };
  },
});

const enter = defineAction({
  name: 'venue_sign_in',
  path: PATH,
  who: anybody,
  title: '2. Enter the code',
  fields: {
    via: contactInput,
    code: codeInput({
      hint: `The digits in the message. After ${TRIES_MAX} wrong codes you have to wait an hour.`,
    }),
  },
  rateLimits: [PER_HOUR],
  async run(act, { via, code }) {
    const target = await chosenContact(act, via);
    const result = await enterClaimCode(act.db, act, { ...target, asker: askerOf(act), code });
    if (result.outcome !== 'claimed') return { again: { status: 422, faults: { code: faultOf(result) } } };
    act.identify(`venue:${result.placeId}`);
    act.setCookie(await openSession(act, 'venue', result.placeId));
    return { to: '/venue?done=claim' };
  },
});

/** A venue requests and enters a code here: first to claim its listing, later to sign in. */
export const claimPage = definePage({
  path: PATH,
  who: anybody,
  async load({ deps, request, params, query }) {
    const place = await findClaimable(deps.pool, params['placeId'] ?? '');
    const { messageContacts: contacts } = await venueContacts(deps.pool, place.id);
    return { place, contacts, via: readForm(request).get('via') ?? query.get('via') };
  },
  view(req, { place, contacts, via }, state) {
    const { config } = req.deps;
    // Among several contacts, the one that received the code is selected.
    const choices = contacts.map((contact) => [contactKey(contact), maskContact(contact)] as const);
    const codeSent = via !== null;
    return {
      title: place.claimed ? 'Sign in as the venue' : 'Claim this listing',
      lead: html`<a href="/p/${place.id}"><bdi>${place.name}</bdi></a> on ${config.serviceName}.
        ${
          place.claimed
            ? 'We send a code to the contact with which the listing was claimed.'
            : 'We send a code to a contact that is already published for this place. The person who enters it manages the listing: hours, menu, description, booking and photo.'
        }`,
      body:
        contacts.length === 0
          ? noContact(req.deps, place.name)
          : html`<div class="columns">
              ${actionForm(req, send, state, {
                values: { via },
                fields: { via: { label: 'Send it to', choices } },
                more: html`<p class="hint">${CODE_RULES} You can ask for a new one after a minute.</p>`,
              })}
              ${actionForm(req, enter, state, {
                ...(!codeSent && { help: 'Get a code first. If you have one already, enter it here.' }),
                values: { via },
                fields: { via: { label: codeSent ? 'It was sent to' : 'Where codes go:', choices } },
                button: place.claimed ? 'Sign in' : 'Claim the listing',
              })}
            </div>`,
    };
  },
  actions: [send, enter],
});

interface ClaimablePlace {
  id: string;
  name: string;
  claimed: boolean;
}

function askerOf({ deps, request, person: { address } }: ActionContext<Anybody>): CodeRequester {
  return { address, browser: browserHash(deps, request) };
}

async function findClaimable(db: Db, placeId: string): Promise<ClaimablePlace> {
  const [place] = PLACE_ID.test(placeId)
    ? await db<(ClaimablePlace & RemovalColumns)[]>`
        select p.id, p.name, p.removed_at, p.removal_reason, c.place_id is not null as claimed
        from place p left join venue_claim c on c.place_id = p.id where p.id = ${placeId}`
    : [];
  if (place === undefined) throw new AppError('place_not_found', 'There is no place at this address.');
  refuseRemoved(place);
  return place;
}

/** Returns the contact named by the form, if it is one of the venue's published contacts. */
async function chosenContact(
  { db, params }: ActionContext<Anybody>,
  via: string,
): Promise<{ placeId: string; contact: Contact }> {
  const { id: placeId } = await findClaimable(db, params['placeId'] ?? '');
  const { messageContacts: contacts } = await venueContacts(db, placeId);
  const contact = contacts.find((one) => contactKey(one) === via);
  if (contact === undefined)
    throw new AppError('validation_failed', 'The chosen contact is not published for this place.', {
      hint: 'Load the page again and choose one of the contacts that it shows.',
    });
  return { placeId, contact };
}

function sentNotice(result: SentOutcome, contact: Contact): Notice {
  const to = maskContact(contact);
  if (result.outcome === 'sent') return { kind: 'good', text: `A code is on its way to ${to}.` };
  const wait = formatWait(result.retryAfterSeconds);
  switch (result.outcome) {
    case 'too_soon':
      return {
        kind: 'bad',
        text: `A code was sent to ${to} a moment ago. You can request another in ${wait}.`,
      };
    case 'locked':
      return {
        kind: 'bad',
        text: `Too many wrong codes were entered. You can request a new one in ${wait}.`,
      };
    case 'daily_limit':
      return { kind: 'bad', text: `No more codes are sent to ${to} today. You can try again in ${wait}.` };
  }
}

function faultOf(result: Exclude<EnterOutcome, { outcome: 'claimed' }>): string {
  switch (result.outcome) {
    case 'wrong':
      return `This is not the code that we sent. You have ${formatCount(result.triesLeft, 'try', 'tries')} left.`;
    case 'locked':
      return `Too many wrong codes. Wait ${formatWait(result.retryAfterSeconds)}, then ask for a new one.`;
    case 'no_code':
      return 'No code was requested in this browser, or the code has expired. Request a new one here.';
  }
}

function noContact({ config }: Deps, name: string): Html {
  return html`<div class="empty">
    <h2>A person has to help here</h2>
    <p>
      No contact of <bdi>${name}</bdi> was published before it was submitted, so a code would prove nothing.
    </p>
    <p>
      Write to <a href="mailto:${config.contactEmail}">${config.contactEmail}</a> from an address that belongs
      to the venue, or name a page of the venue with its telephone number. Our desk checks it and writes to
      you.
    </p>
  </div>`;
}
