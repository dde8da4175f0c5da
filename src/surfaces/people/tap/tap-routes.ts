import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findTap } from '../../../bookings/answering/find-tap.ts';
import { undoVenueAnswer } from '../../../bookings/answering/undo-venue-answer.ts';
import { recordVenueAnswer } from '../../../bookings/answering/venue-answer.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { addFormPages, readForm } from '../form/form-body.ts';
import type { TapVisit } from './tap-forms.ts';
import { isTapNonce } from './tap-nonce.ts';
import { sendTapPage } from './tap-page.ts';

type TapRequest = FastifyRequest<{ Params: { token: string } }>;

const ANSWERS = ['yes', 'offer', 'no', 'stop'] as const;
type Answer = (typeof ANSWERS)[number];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The page behind the link that a venue gets: it reads on GET, and acts only on POST. */
export function addTapPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    scope.get('/v/:token', async (request: TapRequest, reply) =>
      sendTapPage(await visitOf(deps, request, reply)),
    );
    scope.post('/v/:token', (request: TapRequest, reply) => answer(deps, request, reply));
    scope.post('/v/:token/undo', (request: TapRequest, reply) => undo(deps, request, reply));
  });
}

async function visitOf(deps: Deps, request: TapRequest, reply: FastifyReply): Promise<TapVisit> {
  // The link itself is the key: it must not be kept, passed on to other sites, or found by search engines.
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  const { token } = request.params;
  const tap = await findTap(deps.pool, token, deps.clock.now());
  if (tap === undefined)
    throw new AppError('not_found', 'This link is not one that we sent.', {
      hint: 'Open the link in the message again, the whole of it.',
    });
  return { deps, reply, token, tap };
}

async function answer(deps: Deps, request: TapRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visit = await visitOf(deps, request, reply);
  const form = readForm(request);
  checkNonce(visit, form);
  const given = form.get('answer');
  if (!isAnswer(given))
    throw new AppError('validation_failed', 'Say yes, no, another time, or that we should stop asking.', {
      errors: [{ pointer: '/answer', code: 'not_in_enum', detail: `must be one of ${ANSWERS.join(', ')}` }],
      hint: 'Go back and press one of the buttons. Nothing was changed.',
    });
  const { booking, revision, channel } = visit.tap;
  const date = (form.get('offer_date') ?? '').trim() || booking.date;
  const time = (form.get('offer_time') ?? '').trim().slice(0, 5);
  const faults = given === 'offer' ? faultsOf(date, time) : {};
  if (Object.keys(faults).length > 0) return refuse(visit, { date, time, faults });
  const outcome = await recordVenueAnswer(deps, {
    bookingId: booking.id,
    revision,
    answer: given,
    ...(given === 'offer' && { offer: { date, time } }),
    actor: 'venue',
    channel,
  });
  if (outcome.outcome === 'invalid')
    return refuse(visit, { date, time, faults: { offer_time: outcome.detail } });
  return reply.redirect(`/v/${visit.token}`, 303);
}

async function undo(deps: Deps, request: TapRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visit = await visitOf(deps, request, reply);
  checkNonce(visit, readForm(request));
  // Whoever is too late sees the answer that stands.
  if (visit.tap.undoUntil !== null) await undoVenueAnswer(deps, { bookingId: visit.tap.booking.id });
  return reply.redirect(`/v/${visit.token}`, 303);
}

function checkNonce({ deps, token }: TapVisit, form: URLSearchParams): void {
  if (isTapNonce(deps, token, form.get('nonce') ?? '')) return;
  throw new AppError('csrf_refused', 'This form did not come from the page behind your link.', {
    hint: 'Nothing was changed. Open the link in the message again and answer there.',
  });
}

function isAnswer(value: string | null): value is Answer {
  return ANSWERS.some((one) => one === value);
}

function faultsOf(date: string, time: string): Record<string, string> {
  return {
    ...(!DATE.test(date) && { offer_date: 'This must be a day, such as 2026-11-20.' }),
    ...(!TIME.test(time) && { offer_time: 'This must be a time, such as 20:15.' }),
  };
}

function refuse(
  visit: TapVisit,
  sent: { date: string; time: string; faults: Record<string, string> },
): Promise<FastifyReply> {
  return sendTapPage({ ...visit, reply: visit.reply.code(422) }, sent);
}
