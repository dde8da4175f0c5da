import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findTap, type Tap } from '../../../bookings/answering/find-tap.ts';
import { undoVenueAnswer } from '../../../bookings/answering/undo-venue-answer.ts';
import { withdrawTable } from '../../../bookings/answering/upcoming-tables.ts';
import type { OfferFault } from '../../../bookings/answering/answer-outcome.ts';
import { recordVenueAnswer } from '../../../bookings/answering/venue-answer.ts';
import { VENUE_MESSAGES } from '../../../webhooks/coded-message-sets.ts';
import { acknowledgeMessages, sendToPartner } from '../../../bookings/coded/message-partner.ts';
import type { AnswerFault } from '../../../bookings/language/catalogue.ts';
import { recordOutcome, TABLE_OUTCOMES } from '../../../bookings/outcomes/table-outcome.ts';
import type { VenueLanguage } from '../../../bookings/language/venue-language.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { CLOCK_TIME, isDay } from '../../../core/time.ts';
import { endRulesOf, setRule } from '../../../venue/venue-rules.ts';
import { localDate } from '../../../bookings/booking-range.ts';
import { addFormPages, readForm, readQuery } from '../form/form-body.ts';
import { conflict, defineAction, refuse, type ActionContext, type ActionResult } from '../person/action.ts';
import { callers } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import { addPage } from '../person/person-route.ts';
import { readOffer } from './tap-forms.ts';
import { withLanguage, tapLanguage } from './tap-language.ts';
import { isTapNonce } from './tap-nonce.ts';
import { tapFrame, tapView } from './tap-page.ts';

const ANSWERS = ['yes', 'offer', 'no', 'full', 'stop', 'free', 'none_free'] as const;

const notSent = () =>
  new AppError('not_found', 'We did not send this link.', {
    hint: 'Open the complete link in the message again.',
  });

/** A venue that opened our link. The token in the link authenticates it. */
const tapper = callers<Tap>(notSent, {
  find: (deps, request) => findTap(deps.pool, tokenOf(request), deps.clock.now(), askIdIn(request)),
  actor: ({ booking }) => `venue:${booking.placeId}`,
  // After an expired nonce the page is shown again, with a new one.
  verifyOrigin(deps, request, tap) {
    if (isTapNonce(deps, tokenOf(request), readForm(request).get('nonce') ?? '')) return;
    const { text } = tapLanguage(tap, readQuery(request));
    refuse({ status: 403, notice: { kind: 'bad', text: text('fault.oldPage') } });
  },
});

/** Adds the page behind the link in a message to a venue. GET only reads; changes need POST. */
export function addTapPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    // The link is a credential: it must not leak to other sites or be indexed by search engines.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
      done();
    });
    addPage(scope, deps, tapPage, tapFrame);
  });
}

/** An action of the venue behind the link, which leads back to the page. */
function tapAction(name: string, path: string, run: (act: ActionContext<Tap>) => Promise<void>) {
  return defineAction({
    name,
    path: `/v/:token${path}`,
    who: tapper,
    async run(act) {
      await run(act);
      return backTo(act);
    },
  });
}

const answer = tapAction('record_venue_answer', '', async (act) => {
  if (act.form.get('answer') === 'cancel') return cancel(act);
  const venueAnswer = ANSWERS.find((one) => one === act.form.get('answer'));
  const { text } = languageOf(act);
  if (venueAnswer === undefined) refuse({ notice: { kind: 'bad', text: text('fault.answer') } });
  const { booking, revision, channel } = act.person;
  const offer = venueAnswer === 'offer' ? readOffer(booking, act.form) : undefined;
  const faults = offer === undefined ? {} : faultsOf(offer, text);
  if (Object.keys(faults).length > 0) refuse({ faults });
  const answerRecord = {
    bookingId: booking.id,
    revision,
    answer: venueAnswer === 'full' ? 'no' : venueAnswer,
    actor: 'venue',
    channel,
  } as const;
  const outcome = await recordVenueAnswer(act.db, act, { ...answerRecord, ...(offer && { offer }) });
  if (outcome.outcome === 'invalid')
    refuse({ faults: { offer_time: text(`fault.${faultKey(outcome.fault)}`) } });
  if (outcome.outcome === 'stale') conflict(text('fault.meanwhile'));
  if (venueAnswer === 'full' && outcome.outcome === 'moved') await setFull(act);
  if (outcome.outcome === 'already') act.unchanged();
});

/** One tap that says no to this table and to every other of its day. */
async function setFull({ db, now, person: { booking } }: ActionContext<Tap>): Promise<void> {
  const { id: bookingId, placeId, date, timezone } = booking;
  await setRule(db, now, localDate(timezone, now), { placeId, bookingId, kind: 'full', fromDate: date });
}

/** Maps a fault to its message. The party size is always the requested one, so it needs none. */
function faultKey(fault: OfferFault | undefined): AnswerFault {
  if (fault === 'too_far') return 'tooFar';
  return fault === 'passed' || fault === 'same' ? fault : 'time';
}

/** Cancels the table at the revision that the page showed. */
async function cancel(act: ActionContext<Tap>): Promise<void> {
  const { booking, channel } = act.person;
  const revision = Number(act.form.get('revision'));
  const withdrawn = await withdrawTable(act.db, act, {
    bookingId: booking.id,
    revision,
    actor: 'venue',
    channel,
  });
  if (withdrawn !== 'cancelled') conflict(languageOf(act).text('fault.meanwhile'));
}

const undo = tapAction('undo_venue_answer', '/undo', async (act) => {
  const { outcome } = await undoVenueAnswer(act.db, act, { bookingId: act.person.booking.id });
  if (outcome === 'moved') await endRulesOf(act.db, act.person.booking.id);
  // When it is too late to undo, the page shows the answer in force.
  if (outcome !== 'moved') act.unchanged();
});

const message = tapAction('message_partner', '/message', async (act) => {
  const { booking, channel } = act.person;
  const by = { bookingId: booking.id, actor: 'venue', channel } as const;
  const sent = act.form.get('message');
  if (sent === 'seen') {
    if (!(await acknowledgeMessages(act.db, act, by))) act.unchanged();
    return;
  }
  const { text } = languageOf(act);
  const code = VENUE_MESSAGES.find((one) => one === sent);
  const at = code === 'please_confirm' ? null : (act.form.get('at') ?? '').slice(0, 5);
  if (code === undefined || (at !== null && !CLOCK_TIME.test(at)))
    refuse({ notice: { kind: 'bad', text: text('fault.time') } });
  if (!(await sendToPartner(act.db, act, { ...by, code, at }))) conflict(text('fault.meanwhile'));
});

const outcome = tapAction('record_table_outcome', '/outcome', async (act) => {
  const { booking, channel } = act.person;
  const given = TABLE_OUTCOMES.find((one) => one === act.form.get('outcome'));
  if (given === undefined) refuse({ notice: { kind: 'bad', text: languageOf(act).text('fault.answer') } });
  const report = { bookingId: booking.id, outcome: given, channel };
  if (!(await recordOutcome(act.db, act, report))) act.unchanged();
});

const tapPage = definePage({
  path: '/v/:token',
  follows: ({ person }) => person.batch.map(({ booking }) => booking.id),
  who: tapper,
  // After a form, the page shows the current state, because the submitted page may be out of date.
  load: async ({ deps, request, params, person, now }) =>
    (request.method === 'POST' && (await findTap(deps.pool, params['token'] ?? '', now, person.askId))) ||
    person,
  view: (req, person, state) => tapView({ ...req, person }, state),
  actions: [answer, message, outcome, undo],
});

/** Redirects to the page; among several tables, to the one that was answered. */
function backTo({ params, person, request }: ActionContext<Tap>): ActionResult {
  const fragment = person.batch.length > 1 ? `#ask-${person.askId}` : '';
  return { to: withLanguage(`/v/${params['token'] ?? ''}`, readQuery(request)) + fragment };
}

function languageOf({ person, request }: ActionContext<Tap>): VenueLanguage {
  return tapLanguage(person, readQuery(request));
}

/** Returns the id of the question that a form answers, when the message has several. */
function askIdIn(request: FastifyRequest): string | undefined {
  return request.method === 'POST' ? (readForm(request).get('ask') ?? undefined) : undefined;
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

function faultsOf(
  { date, time }: { date: string; time: string },
  text: VenueLanguage['text'],
): Record<string, string> {
  return {
    ...(!isDay(date) && { offer_date: text('fault.day') }),
    ...(!CLOCK_TIME.test(time) && { offer_time: text('fault.time') }),
  };
}
