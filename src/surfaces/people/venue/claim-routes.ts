import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import {
  enterClaimCode,
  sendClaimCode,
  type EnterOutcome,
  type SentOutcome,
} from '../../../venue/claim-code.ts';
import { contactKey, maskContact, venueContacts, type Contact } from '../../../venue/contact.ts';
import { openVenueSession } from '../../../venue/venue-session.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import { sendClaimPage, type ClaimModel } from './claim-page.ts';
import { waitWords } from '../frame/wording.ts';
import type { Notice } from './venue-frame.ts';

const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;
/** How often one address may ask for codes or enter them, for whatever places. */
const PER_HOUR = 60;
const HOUR_MS = 3_600_000;

type ClaimRequest = FastifyRequest<{ Params: { placeId: string } }>;

/** The pages on which a venue claims its listing or signs in again. */
export function addClaimRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.get('/venue/claim/:placeId', async (request: ClaimRequest, reply) => {
    const { via } = request.query as { via?: unknown };
    return show(deps, request, reply, { via: typeof via === 'string' ? via : undefined });
  });
  scope.post('/venue/claim/:placeId/code', async (request: ClaimRequest, reply) => {
    const { contact } = await chosenContact(deps, request);
    const sent = await deps.pool.begin((tx) =>
      sendClaimCode(deps, tx, { placeId: request.params.placeId, contact }),
    );
    return show(deps, request, reply, { via: contactKey(contact), notice: sentNotice(sent, contact) });
  });
  scope.post('/venue/claim/:placeId', async (request: ClaimRequest, reply) => {
    const { contact, form } = await chosenContact(deps, request);
    const entered = await enterClaimCode(deps, request.params.placeId, contact, form.get('code') ?? '');
    if (entered.outcome !== 'claimed')
      return show(deps, request, reply, { via: contactKey(contact), fault: faultOf(entered), status: 422 });
    reply.header('set-cookie', await openVenueSession(deps, entered.placeId));
    return reply.redirect('/venue?done=claim', 303);
  });
}

async function show(
  deps: Deps,
  request: ClaimRequest,
  reply: FastifyReply,
  told: Omit<ClaimModel, 'place' | 'contacts'>,
): Promise<FastifyReply> {
  const place = await findClaimable(deps, request.params.placeId);
  const { written: contacts } = await venueContacts(deps.pool, place.id);
  return sendClaimPage(deps, request, reply, { place, contacts, ...told });
}

async function findClaimable(deps: Deps, placeId: string): Promise<ClaimModel['place']> {
  const [place] = PLACE_ID.test(placeId)
    ? await deps.pool<ClaimModel['place'][]>`
        select p.id, p.name, c.place_id is not null as claimed
        from place p left join venue_claim c on c.place_id = p.id where p.id = ${placeId}`
    : [];
  if (place === undefined) throw new AppError('place_not_found', 'There is no place at this address.');
  return place;
}

/** Checks the form, and finds the contact that it names among those that may be used. */
async function chosenContact(
  deps: Deps,
  request: ClaimRequest,
): Promise<{ contact: Contact; form: URLSearchParams }> {
  checkCsrf(deps, request);
  const limit = { name: `claim_page/${request.ip}`, max: PER_HOUR, windowMs: HOUR_MS };
  const taken = await takeFromWindow(deps.pool, limit, deps.clock.now());
  if (!taken.allowed)
    throw new AppError('rate_limited', 'Too many codes were asked for or entered from here.', {
      hint: `Try again in ${waitWords(taken.resetsInSeconds)}.`,
      retryAfterSeconds: taken.resetsInSeconds,
    });
  const form = readForm(request);
  const place = await findClaimable(deps, request.params.placeId);
  const { written: contacts } = await venueContacts(deps.pool, place.id);
  const contact = contacts.find((one) => contactKey(one) === form.get('via'));
  if (contact === undefined)
    throw new AppError('validation_failed', 'The form names no contact that is published for this place.', {
      hint: 'Load the page again and choose one of the contacts that it shows.',
    });
  return { contact, form };
}

function sentNotice(sent: SentOutcome, contact: Contact): Notice {
  const to = maskContact(contact);
  if (sent.outcome === 'sent') return { kind: 'good', text: `A code is on its way to ${to}.` };
  const wait = waitWords(sent.retryAfterSeconds);
  switch (sent.outcome) {
    case 'too_soon':
      return { kind: 'bad', text: `A code went to ${to} a moment ago. You can ask for another in ${wait}.` };
    case 'locked':
      return {
        kind: 'bad',
        text: `Too many wrong codes were entered. You can ask for a new one in ${wait}.`,
      };
    case 'daily_limit':
      return { kind: 'bad', text: `No more codes go to ${to} today. You can ask again in ${wait}.` };
  }
}

function faultOf(entered: Exclude<EnterOutcome, { outcome: 'claimed' }>): string {
  switch (entered.outcome) {
    case 'wrong':
      return `This is not the code that we sent. You have ${entered.triesLeft} ${entered.triesLeft === 1 ? 'try' : 'tries'} left.`;
    case 'locked':
      return `Too many wrong codes. Wait ${waitWords(entered.retryAfterSeconds)}, then ask for a new one.`;
    case 'no_code':
      return 'There is no code to enter, or it has run out. Ask for a new one.';
  }
}
