import type { FastifyInstance, FastifyReply } from 'fastify';
import { wordsForVenue } from '../../bookings/asking/venue-words.ts';
import { findCall, type VenueCall } from '../../bookings/channels/phone/find-call.ts';
import { recordVenueAnswer } from '../../bookings/answering/venue-answer.ts';
import type { Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { takeReply } from '../../bookings/answering/reply/take-reply.ts';
import { recordProviderAnswer } from '../../messages/provider-test.ts';
import { TEXT_CHANNEL } from '../../messages/message-channels.ts';
import { noteTextLost } from '../../messages/end-message.ts';
import { isSignedByTwilio } from '../../twilio/twilio-signature.ts';
import { gather, hangUp, pause, sayElement, twiml } from '../../twilio/twiml.ts';
import { addFormPages, rawForm } from './form/form-body.ts';
import type { ActionContext, ActionResult } from './person/action.ts';
import { callers } from './person/audience.ts';
import { addAction } from './person/person-route.ts';

const KEYS: Readonly<Record<string, 'yes' | 'no' | 'another_time'>> = {
  1: 'yes',
  2: 'no',
  3: 'another_time',
};
const ENDED_STATUSES: readonly (string | null)[] = ['busy', 'no-answer', 'failed', 'canceled', 'completed'];
const TEST_VOICE = 'en-GB';
const TEXT_ID = /^\w{1,64}$/;
const LOST_STATUSES: readonly (string | null)[] = ['undelivered', 'failed'];

/** The phone provider, identified by the token that signs its requests. */
interface Provider {
  token: string;
}

const notFound = () => new AppError('not_found', 'There is nothing at this address.');

const provider = callers<Provider>(notFound, {
  find: (deps) => Promise.resolve(deps.twilio),
  actor: () => 'phone_provider',
  // The provider signs the public URL.
  verifyOrigin({ twilio, config }, request) {
    const signed = {
      url: config.baseUrl + request.url,
      form: rawForm(request),
      signature: request.headers['x-twilio-signature'],
    };
    if (twilio === undefined || !isSignedByTwilio(twilio.token, signed))
      throw new AppError('signature_refused', 'The signature is not that of the phone provider.', {
        hint: 'Check TWILIO_TOKEN, and that BASE_URL is the address that the provider calls.',
      });
  },
});

type Callback = ActionContext<Provider>;

/**
 * Mounts the phone provider's callbacks: the text of a call, the key that was pressed, and the status of calls and
 * texts.
 */
export function addPhoneRoutes(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    const on = (path: string, name: string, run: (act: Callback) => Promise<ActionResult>) => {
      addAction(scope, deps, { name, path: `/twilio/${path}`, who: provider, run });
    };
    on('calls/:id', 'ask_by_phone', askVenue);
    on('calls/:id/key', 'record_venue_answer', handleKey);
    on('calls/:id/status', 'record_venue_answer', recordCallEnd);
    on('test-calls/:id', 'speak_test_call', speakTestCall);
    on('test-calls/:id/status', 'record_test_call', recordTestCall);
    on('texts/:id', 'note_text_lost', recordTextStatus);
    on('replies', 'take_venue_reply', takeTextReply);
  });
}

const NOTHING = { show: async ({ reply }: { reply: FastifyReply }) => reply.code(204).send() };

function sendTwiml(words: string): ActionResult {
  return { show: ({ reply }) => reply.type('text/xml; charset=utf-8').send(words) };
}

async function callOf({ db, params }: Callback): Promise<VenueCall> {
  const call = await findCall(db, params['id'] ?? '');
  if (call === undefined) throw new AppError('not_found', 'We did not make this call.');
  return call;
}

async function askVenue(act: Callback): Promise<ActionResult> {
  act.unchanged();
  return sendTwiml(question(act, await callOf(act)));
}

function question({ deps, params }: Callback, call: VenueCall): string {
  const { booking, placeName, open, language } = call;
  const { text } = language;
  const voice = voiceOf(call);
  if (!open) return twiml(sayElement(text('call.ended'), voice), hangUp());
  const { serviceName, baseUrl } = deps.config;
  const purpose = booking.held === null ? 'new' : 'change';
  // The venue answers during the call, so it needs no deadline.
  const asked = { ...booking, answerBy: null };
  const keys = gather(
    `${baseUrl}/twilio/calls/${params['id'] ?? ''}/key`,
    `${wordsForVenue({ service: serviceName, place: null }, purpose, asked, booking, language)} ${text('call.keys')}`,
    voice,
  );
  const hello = sayElement(
    placeName === null ? text('call.hello') : text('call.helloPlace', { place: placeName }),
    voice,
  );
  return twiml(hello, pause(1), keys, keys, sayElement(text('call.silence'), voice), hangUp());
}

function voiceOf({ language: { voice, locale } }: VenueCall): string {
  return voice ?? locale;
}

async function handleKey(act: Callback): Promise<ActionResult> {
  const call = await callOf(act);
  const answer = KEYS[act.form.get('Digits') ?? ''];
  if (answer === undefined || !call.open) return askVenue(act);
  await record(act, call, answer);
  // Rejecting a change leaves the guest the earlier table.
  const thanks = answer === 'no' && call.booking.held !== null ? 'no_change' : answer;
  return sendTwiml(twiml(sayElement(call.language.text(`call.thanks.${thanks}`), voiceOf(call)), hangUp()));
}

/** A call that ended while the question is open was not answered: staff call instead. */
async function recordCallEnd(act: Callback): Promise<ActionResult> {
  const call = await callOf(act);
  if (call.open && ENDED_STATUSES.includes(act.form.get('CallStatus'))) await record(act, call, 'no_answer');
  else act.unchanged();
  return NOTHING;
}

async function record(
  act: Callback,
  { booking, channel, revision }: VenueCall,
  answer: (typeof KEYS)[string] | 'no_answer',
): Promise<void> {
  const venueAnswer = { bookingId: booking.id, revision, answer, actor: 'venue', channel } as const;
  const { outcome } = await recordVenueAnswer(act.db, act, venueAnswer);
  if (outcome === 'already' || outcome === 'stale') act.unchanged();
}

/** Speaks on a call that a lead makes on the set-up page. */
function speakTestCall(act: Callback): Promise<ActionResult> {
  act.unchanged();
  const words = `This is a test call of ${act.deps.config.serviceName}. Calls to venues work. Goodbye.`;
  return Promise.resolve(sendTwiml(twiml(sayElement(words, TEST_VOICE), hangUp())));
}

async function recordTestCall(act: Callback): Promise<ActionResult> {
  act.unchanged();
  const status = act.form.get('CallStatus');
  if (status !== null && ENDED_STATUSES.includes(status))
    await recordProviderAnswer(act.db, act.params['id'] ?? '', { answer: status, now: act.now });
  return NOTHING;
}

/** A text to our number. Its sender is a number that we wrote to, or nobody. */
async function takeTextReply(act: Callback): Promise<ActionResult> {
  const { form } = act;
  const isStop = form.get('OptOutType')?.toUpperCase() === 'STOP';
  const reply = {
    id: form.get('MessageSid') ?? '',
    channel: TEXT_CHANNEL,
    from: form.get('From') ?? '',
    text: isStop ? 'STOP' : (form.get('Body') ?? ''),
  };
  if (!TEXT_ID.test(reply.id) || !(await takeReply(act, reply))) act.unchanged();
  return sendTwiml(twiml());
}

async function recordTextStatus(act: Callback): Promise<ActionResult> {
  const id = act.params['id'] ?? '';
  const lost =
    LOST_STATUSES.includes(act.form.get('MessageStatus')) && (await noteTextLost(act.db, id, act.now));
  if (lost) act.audit(id);
  else act.unchanged();
  return NOTHING;
}
