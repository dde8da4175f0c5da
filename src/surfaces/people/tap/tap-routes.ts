import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findTap, type Tap } from '../../../bookings/answering/find-tap.ts';
import { undoVenueAnswer } from '../../../bookings/answering/undo-venue-answer.ts';
import { withdrawTable } from '../../../bookings/answering/standing-tables.ts';
import { recordVenueAnswer, type OfferFault } from '../../../bookings/answering/venue-answer.ts';
import type { VenueLanguage } from '../../../bookings/language/venue-language.ts';
import type { AnswerFault, VenueWords } from '../../../bookings/language/words.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { isDay } from '../../../core/time.ts';
import { addFormPages, readForm, readQuery } from '../form/form-body.ts';
import { conflict, refuse, type Action, type ActionContext, type ActionResult } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { addActions, addPage } from '../person/person-route.ts';
import { offerIn } from './tap-forms.ts';
import { sameLanguage, tapLanguage } from './tap-language.ts';
import { isTapNonce } from './tap-nonce.ts';
import { sendTapPage } from './tap-page.ts';

const ANSWERS = ['yes', 'offer', 'no', 'stop'] as const;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const notSent = () =>
  new AppError('not_found', 'This link is not one that we sent.', {
    hint: 'Open the link in the message again, the whole of it.',
  });

/** The venue that holds a link of ours: the link itself is the key. */
const tapper: Audience<Tap> = {
  find: (deps, request) => findTap(deps.pool, tokenOf(request), deps.clock.now(), askIn(request)),
  actor: ({ booking }) => `venue:${booking.placeId}`,
  turnAway: () => {
    throw notSent();
  },
  refusal: notSent,
  // Whoever kept the page for days sees it again, with a form that is good.
  vouch(deps, request, tap) {
    if (isTapNonce(deps, tokenOf(request), readForm(request).get('nonce') ?? '')) return;
    const { faults } = tapLanguage(tap, readQuery(request)).words;
    refuse({ status: 403, notice: { kind: 'bad', text: faults.oldPage } });
  },
};

/** The page behind the link that a venue gets: it reads on GET, and acts only on POST. */
export function addTapPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    // The link must not be passed on to other sites, or found by search engines.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
      done();
    });
    addPage(scope, deps, { path: '/v/:token', who: tapper, show: (request) => sendTapPage(request) });
    addActions(scope, deps, answer, undo);
  });
}

const answer: Action<Tap> = {
  name: 'record_venue_answer',
  path: '/v/:token',
  who: tapper,
  async run(act) {
    if (act.form.get('answer') === 'cancel') return cancel(act);
    const given = ANSWERS.find((one) => one === act.form.get('answer'));
    const { words } = languageOf(act);
    if (given === undefined) refuse({ notice: { kind: 'bad', text: words.faults.answer } });
    const { booking, revision, channel } = act.person;
    const offer = given === 'offer' ? offerIn(booking, act.form) : undefined;
    const faults = offer === undefined ? {} : faultsOf(offer, words);
    if (Object.keys(faults).length > 0) refuse({ faults });
    const said = { bookingId: booking.id, revision, answer: given, actor: 'venue', channel } as const;
    const outcome = await recordVenueAnswer(act.db, act, { ...said, ...(offer && { offer }) });
    if (outcome.outcome === 'invalid')
      refuse({ faults: { offer_time: words.faults[wordOf(outcome.fault)] } });
    if (outcome.outcome === 'stale') conflict(words.faults.meanwhile);
    if (outcome.outcome === 'already') act.unchanged();
    return backTo(act);
  },
  page: sendWhatStands,
};

/** By which words a table is refused; its size is the one that was asked for, and cannot be wrong. */
function wordOf(fault: OfferFault | undefined): AnswerFault {
  return fault === 'passed' || fault === 'same' ? fault : 'time';
}

/** The venue cannot keep the table that this page showed it. */
async function cancel(act: ActionContext<Tap>): Promise<ActionResult> {
  const { booking, channel } = act.person;
  const revision = Number(act.form.get('revision'));
  const withdrawn = await withdrawTable(act.db, act, {
    bookingId: booking.id,
    revision,
    actor: 'venue',
    channel,
  });
  if (withdrawn !== 'cancelled') conflict(languageOf(act).words.faults.meanwhile);
  return backTo(act);
}

/** The page as it is by now, for whoever answered an older one. */
async function sendWhatStands(request: PageRequest<Tap>, state: PageState): Promise<FastifyReply> {
  const { deps, params, now } = request;
  const person =
    (await findTap(deps.pool, params['token'] ?? '', now, request.person.askId)) ?? request.person;
  return sendTapPage({ ...request, person }, state);
}

const undo: Action<Tap> = {
  name: 'undo_venue_answer',
  path: '/v/:token/undo',
  who: tapper,
  async run(act) {
    const { outcome } = await undoVenueAnswer(act.db, act, { bookingId: act.person.booking.id });
    // Whoever is too late sees the answer that stands.
    if (outcome !== 'moved') act.unchanged();
    return backTo(act);
  },
  page: sendTapPage,
};

/** The page again; among several tables, where the one stands that was answered. */
function backTo({ params, person, request }: ActionContext<Tap>): ActionResult {
  const place = person.together.length > 1 ? `#ask-${person.askId}` : '';
  return { to: sameLanguage(`/v/${params['token'] ?? ''}`, readQuery(request)) + place };
}

function languageOf({ person, request }: ActionContext<Tap>): VenueLanguage {
  return tapLanguage(person, readQuery(request));
}

/** Which of several questions a form answers. */
function askIn(request: FastifyRequest): string | undefined {
  return request.method === 'POST' ? (readForm(request).get('ask') ?? undefined) : undefined;
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

function faultsOf(
  { date, time }: { date: string; time: string },
  { faults }: VenueWords,
): Record<string, string> {
  return {
    ...(!isDay(date) && { offer_date: faults.day }),
    ...(!TIME.test(time) && { offer_time: faults.time }),
  };
}
