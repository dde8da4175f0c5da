import type { FastifyInstance, FastifyReply } from 'fastify';
import { openSession } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { RateLimit } from '../../../core/operation.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { refuseRemoved, type RemovalColumns } from '../../../directory/removal.ts';
import {
  enterClaimCode,
  sendClaimCode,
  type CodeRequester,
  type EnterOutcome,
  type SentOutcome,
} from '../../../venue/claim-code.ts';
import { contactKey, maskContact, venueContacts, type Contact } from '../../../venue/contact.ts';
import { browserHash } from '../form/csrf.ts';
import { formatWait } from '../frame/wording.ts';
import type { Action, ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import type { Notice, PageRequest, PageState } from '../person/page-request.ts';
import { addActions, addPage } from '../person/person-route.ts';
import { sendClaimPage, type ClaimModel } from './claim-page.ts';
import { HOUR_MS } from '../../../core/time.ts';

const PATH = '/venue/claim/:placeId';
const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;

/** Rate limit per client address for requesting and entering codes, across all places. */
const PER_HOUR: RateLimit = {
  name: 'claim_page',
  code: 'rate_limited',
  windowMs: HOUR_MS,
  max: () => 60,
  message: 'Too many codes were requested or entered from here.',
  counts: 'calls',
};

/** Adds the pages on which a venue claims its listing or signs in again. */
export function addClaimRoutes(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: anybody, show: (request) => show(request, {}) });
  addActions(scope, deps, send, enter);
}

const send: Action<Anybody> = {
  name: 'send_claim_code',
  path: `${PATH}/code`,
  who: anybody,
  rateLimits: [PER_HOUR],
  async run(act) {
    const { placeId, contact } = await chosenContact(act);
    const result = await sendClaimCode(act.deps, act.db, { placeId, contact, asker: askerOf(act) });
    if (result.outcome === 'sent') act.audit(placeId, { channel: contact.channel });
    return { again: { notice: sentNotice(result, contact) } };
  },
  page: show,
};

const enter: Action<Anybody> = {
  name: 'venue_sign_in',
  path: PATH,
  who: anybody,
  rateLimits: [PER_HOUR],
  async run(act) {
    const target = await chosenContact(act);
    const code = act.form.get('code') ?? '';
    const result = await enterClaimCode(act.db, act, { ...target, asker: askerOf(act), code });
    if (result.outcome !== 'claimed') return { again: { status: 422, faults: { code: faultOf(result) } } };
    act.identify(`venue:${result.placeId}`);
    act.setCookie(await openSession(act, 'venue', result.placeId));
    return { to: '/venue?done=claim' };
  },
  page: show,
};

function askerOf({ deps, request, person: { address } }: ActionContext<Anybody>): CodeRequester {
  return { address, browser: browserHash(deps, request) };
}

async function show(request: PageRequest, { form, faults, notice }: PageState): Promise<FastifyReply> {
  const { deps, params, query } = request;
  const place = await findClaimable(deps.pool, params['placeId'] ?? '');
  const { messageContacts: contacts } = await venueContacts(deps.pool, place.id);
  const via = (form ?? query).get('via');
  return sendClaimPage(request, { place, contacts, via, fault: faults?.['code'], notice });
}

async function findClaimable(db: Db, placeId: string): Promise<ClaimModel['place']> {
  const [place] = PLACE_ID.test(placeId)
    ? await db<(ClaimModel['place'] & RemovalColumns)[]>`
        select p.id, p.name, p.removed_at, p.removal_reason, c.place_id is not null as claimed
        from place p left join venue_claim c on c.place_id = p.id where p.id = ${placeId}`
    : [];
  if (place === undefined) throw new AppError('place_not_found', 'There is no place at this address.');
  refuseRemoved(place);
  return place;
}

/** Returns the contact named by the form, if it is one of the venue's published contacts. */
async function chosenContact({
  db,
  form,
  params,
}: ActionContext<Anybody>): Promise<{ placeId: string; contact: Contact }> {
  const { id: placeId } = await findClaimable(db, params['placeId'] ?? '');
  const { messageContacts: contacts } = await venueContacts(db, placeId);
  const contact = contacts.find((one) => contactKey(one) === form.get('via'));
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
