import type { FastifyInstance, FastifyReply } from 'fastify';
import { wordsForVenue } from '../../../bookings/asking/venue-words.ts';
import { findCall, type VenueCall } from '../../../bookings/answering/find-call.ts';
import { recordVenueAnswer } from '../../../bookings/answering/venue-answer.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { noteTextLost } from '../../../messages/end-message.ts';
import { isSignedByTwilio } from '../../../twilio/twilio-signature.ts';
import { gather, hangUp, pause, say, twiml } from '../../../twilio/twiml.ts';
import { addFormPages, sentForm } from '../form/form-body.ts';
import type { ActionContext, ActionResult } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import { addAction } from '../person/person-route.ts';

const KEYS: Readonly<Record<string, 'yes' | 'no' | 'another_time'>> = {
  1: 'yes',
  2: 'no',
  3: 'another_time',
};
const UNREACHED: readonly (string | null)[] = ['busy', 'no-answer', 'failed', 'canceled', 'completed'];
const LOST: readonly (string | null)[] = ['undelivered', 'failed'];

/** The phone provider, by the token with which it signs what it sends. */
interface Provider {
  token: string;
}

const notHere = () => new AppError('not_found', 'Nothing is here.');

const provider: Audience<Provider> = {
  find: (deps) => Promise.resolve(deps.twilio),
  actor: () => 'phone_provider',
  turnAway: () => {
    throw notHere();
  },
  refusal: notHere,
  // The address counts as the outside sees it.
  vouch({ twilio, config }, request) {
    const signed = {
      url: config.baseUrl + request.url,
      form: sentForm(request),
      signature: request.headers['x-twilio-signature'],
    };
    if (twilio === undefined || !isSignedByTwilio(twilio.token, signed))
      throw new AppError('signature_refused', 'The signature is not that of the phone provider.');
  },
};

type Callback = ActionContext<Provider>;

/** What the phone provider calls: the words of a call, the key that was pressed, and how calls and texts ended. */
export function addPhoneRoutes(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    const on = (path: string, name: string, run: (act: Callback) => Promise<ActionResult>) => {
      const page = NOTHING.show;
      addAction(scope, deps, { name, path: `/twilio/${path}`, who: provider, run, page });
    };
    on('calls/:id', 'ask_by_phone', ask);
    on('calls/:id/key', 'record_venue_answer', takeKey);
    on('calls/:id/status', 'record_venue_answer', noteEnd);
    on('texts/:id', 'note_text_lost', noteText);
  });
}

const NOTHING = { show: async ({ reply }: { reply: FastifyReply }) => reply.code(204).send() };

function speak(words: string): ActionResult {
  return { show: ({ reply }) => reply.type('text/xml; charset=utf-8').send(words) };
}

async function callOf({ db, params }: Callback): Promise<VenueCall> {
  const call = await findCall(db, params['id'] ?? '');
  if (call === undefined) throw new AppError('not_found', 'We made no such call.');
  return call;
}

async function ask(act: Callback): Promise<ActionResult> {
  act.unchanged();
  return speak(question(act, await callOf(act)));
}

function question({ deps, params }: Callback, call: VenueCall): string {
  const { booking, placeName, open, language } = call;
  const { words } = language;
  const voice = voiceOf(call);
  if (!open) return twiml(say(words.callEnded, voice), hangUp());
  const { serviceName, baseUrl } = deps.config;
  const purpose = booking.held === null ? 'new' : 'change';
  const keys = gather(
    `${baseUrl}/twilio/calls/${params['id'] ?? ''}/key`,
    `${wordsForVenue(serviceName, purpose, booking, booking, language)} ${words.keys}`,
    voice,
  );
  const hello = say(words.hello(placeName), voice);
  return twiml(hello, pause(1), keys, keys, say(words.silence, voice), hangUp());
}

function voiceOf({ language: { words, locale } }: VenueCall): string {
  return words.voice ?? locale;
}

async function takeKey(act: Callback): Promise<ActionResult> {
  const call = await callOf(act);
  const answer = KEYS[act.form.get('Digits') ?? ''];
  if (answer === undefined || !call.open) return ask(act);
  await record(act, call, answer);
  // A no to a change leaves the guest the table of before.
  const thanks = answer === 'no' && call.booking.held !== null ? 'no_change' : answer;
  return speak(twiml(say(call.language.words.thanks[thanks], voiceOf(call)), hangUp()));
}

/** A call that ended while the question is open was not answered: somebody of ours calls instead. */
async function noteEnd(act: Callback): Promise<ActionResult> {
  const call = await callOf(act);
  if (call.open && UNREACHED.includes(act.form.get('CallStatus'))) await record(act, call, 'no_answer');
  else act.unchanged();
  return NOTHING;
}

async function record(
  act: Callback,
  { booking, revision }: VenueCall,
  answer: (typeof KEYS)[string] | 'no_answer',
): Promise<void> {
  const given = { bookingId: booking.id, revision, answer, actor: 'venue', channel: 'phone' } as const;
  const { outcome } = await recordVenueAnswer(act.db, act, given);
  if (outcome === 'already' || outcome === 'stale') act.unchanged();
}

async function noteText(act: Callback): Promise<ActionResult> {
  const id = act.params['id'] ?? '';
  const lost = LOST.includes(act.form.get('MessageStatus')) && (await noteTextLost(act.db, id, act.now));
  if (lost) act.audit(id);
  else act.unchanged();
  return NOTHING;
}
