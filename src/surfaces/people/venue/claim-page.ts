import { z } from 'zod';
import { CODE_MINUTES, TRIES_MAX } from '../../../accounts/sign-in/mailed-code.ts';
import { openSession } from '../../../accounts/sign-in/session.ts';
import type { PlaceLanguages } from '../../../bookings/language/venue-language.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { RateLimit } from '../../../core/operation.ts';
import type { Db } from '../../../core/postgres/db.ts';
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
import { defineAction, type ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { Notice } from '../person/page-request.ts';
import {
  areaLanguage,
  formatSpan,
  pageLanguage,
  withName,
  type AreaLanguage,
} from './language/area-language.ts';

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
  fields: { via: contactInput },
  plain: true,
  rateLimits: [PER_HOUR],
  async run(act, { via }) {
    const { place, contact } = await chosenContact(act, via);
    const placeId = place.id;
    const language = languageOf(act, place);
    const sending = { placeId, contact, asker: askerOf(act) };
    const result = await sendClaimCode(act.deps, act.db, sending, (code) =>
      codeMessage(act.deps, place, code, language),
    );
    if (result.outcome === 'sent') act.audit(placeId, { channel: contact.channel });
    return { again: { notice: sentNotice(result, contact, language) } };
  },
});

const enter = defineAction({
  name: 'venue_sign_in',
  path: PATH,
  who: anybody,
  fields: { via: contactInput, code: codeInput() },
  rateLimits: [PER_HOUR],
  async run(act, { via, code }) {
    const { place, contact } = await chosenContact(act, via);
    const target = { placeId: place.id, contact };
    const result = await enterClaimCode(act.db, act, { ...target, asker: askerOf(act), code });
    if (result.outcome !== 'claimed')
      return { again: { status: 422, faults: { code: faultOf(result, languageOf(act, place)) } } };
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
    const language = languageOf(req, place);
    const { area } = language;
    // Among several contacts, the one that received the code is selected.
    const choices = contacts.map((contact) => [contactKey(contact), maskContact(contact)] as const);
    const codeSent = via !== null;
    const lifetime = formatSpan(CODE_MINUTES, 'minute', language);
    return {
      language: pageLanguage({ ...req, person: { place } }, `/venue/claim/${place.id}`),
      title: area(place.claimed ? 'find.signIn' : 'find.claim'),
      lead: html`<a href="/p/${place.id}"><bdi>${place.name}</bdi></a> (${config.serviceName}).
        ${area(place.claimed ? 'claim.signInMeans' : 'find.means')}`,
      body:
        contacts.length === 0
          ? noContact(req.deps, place.name, language)
          : html`<div class="columns">
              ${actionForm(req, send, state, {
                title: area('claim.get'),
                values: { via },
                fields: { via: { label: area('claim.via'), choices } },
                more: html`<p class="hint">${area('claim.rules', { time: lifetime })}</p>`,
                button: area('claim.send'),
              })}
              ${actionForm(req, enter, state, {
                title: area('claim.enter'),
                ...(!codeSent && { help: area('claim.first') }),
                values: { via },
                fields: {
                  via: { label: area(codeSent ? 'claim.sentTo' : 'claim.codesGo'), choices },
                  code: { label: area('claim.code'), hint: area('claim.codeHint', { tries: TRIES_MAX }) },
                },
                button: area(place.claimed ? 'claim.signIn' : 'claim.claim'),
              })}
            </div>`,
    };
  },
  actions: [send, enter],
});

interface ClaimablePlace extends PlaceLanguages {
  id: string;
  name: string;
  claimed: boolean;
}

/** Writes the message with a code. */
function codeMessage(
  { config: { serviceName: service, baseUrl } }: Pick<Deps, 'config'>,
  { id, name: place }: ClaimablePlace,
  code: string,
  language: AreaLanguage,
): { subject: string; text: string } {
  const { area } = language;
  const time = formatSpan(CODE_MINUTES, 'minute', language);
  const link = `${baseUrl}/venue/claim/${id}`;
  return {
    subject: area('mail.subject', { service, place }),
    text: [
      area('mail.asked', { service, place }),
      `${area('mail.code', { code })}\n${area('mail.enter', { link })}`,
      `${area('claim.rules', { time })} ${area('mail.ignore')}`,
    ].join('\n\n'),
  };
}

function askerOf({ deps, request, person: { address } }: ActionContext<Anybody>): CodeRequester {
  return { address, browser: browserHash(deps, request) };
}

/** The language of the browser, otherwise the venue's. */
function languageOf(
  { deps, request }: Pick<ActionContext<Anybody>, 'deps' | 'request'>,
  place: ClaimablePlace,
): AreaLanguage {
  return areaLanguage({ deps, request, person: { place } });
}

async function findClaimable(db: Db, placeId: string): Promise<ClaimablePlace> {
  const [place] = PLACE_ID.test(placeId)
    ? await db<(ClaimablePlace & RemovalColumns)[]>`
        select p.id, p.name, p.languages, p.country, p.removed_at, p.removal_reason, c.place_id is not null as claimed
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
): Promise<{ place: ClaimablePlace; contact: Contact }> {
  const place = await findClaimable(db, params['placeId'] ?? '');
  const { messageContacts: contacts } = await venueContacts(db, place.id);
  const contact = contacts.find((one) => contactKey(one) === via);
  if (contact === undefined)
    throw new AppError('validation_failed', 'The chosen contact is not published for this place.', {
      hint: 'Load the page again and choose one of the contacts that it shows.',
    });
  return { place, contact };
}

function sentNotice(result: SentOutcome, contact: Contact, language: AreaLanguage): Notice {
  const { area } = language;
  const to = maskContact(contact);
  if (result.outcome === 'sent') return { kind: 'good', text: area('claim.sent', { to }) };
  const reason = {
    too_soon: area('claim.soon', { to }),
    locked: area('claim.locked'),
    daily_limit: area('claim.daily', { to }),
  }[result.outcome];
  return { kind: 'bad', text: `${reason} ${waitText(result.retryAfterSeconds, language)}` };
}

function faultOf(result: Exclude<EnterOutcome, { outcome: 'claimed' }>, language: AreaLanguage): string {
  const { area } = language;
  switch (result.outcome) {
    case 'wrong':
      return `${area('fault.code')} ${area('claim.left', { tries: result.triesLeft })}`;
    case 'locked':
      return `${area('claim.locked')} ${waitText(result.retryAfterSeconds, language)}`;
    case 'no_code':
      return area('fault.noCode');
  }
}

function waitText(seconds: number, language: AreaLanguage): string {
  const minutes = Math.ceil(seconds / 60);
  const time =
    seconds < 90
      ? formatSpan(seconds, 'second', language)
      : minutes < 90
        ? formatSpan(minutes, 'minute', language)
        : formatSpan(Math.ceil(minutes / 60), 'hour', language);
  return language.area('claim.wait', { time });
}

function noContact({ config }: Deps, name: string, { area }: AreaLanguage): Html {
  return html`<div class="empty">
    <h2>${area('claim.help')}</h2>
    <p>${withName(area, 'claim.noContact', html`<bdi>${name}</bdi>`)}</p>
    <p>${area('claim.write')} <a href="mailto:${config.contactEmail}">${config.contactEmail}</a></p>
  </div>`;
}
