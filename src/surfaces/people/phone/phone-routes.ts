import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wordsForVenue } from '../../../bookings/asking/venue-words.ts';
import { findCall, type VenueCall } from '../../../bookings/answering/find-call.ts';
import { recordVenueAnswer } from '../../../bookings/answering/venue-answer.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { transactionsOf } from '../../../core/postgres/db.ts';
import { noteTextLost } from '../../../messages/end-message.ts';
import { isSignedByTwilio } from '../../../twilio/twilio-signature.ts';
import { gather, hangUp, pause, say, twiml } from '../../../twilio/twiml.ts';
import { addFormPages, readForm, sentForm } from '../form/form-body.ts';

type CallRequest = FastifyRequest<{ Params: { id: string } }>;

const KEYS: Readonly<Record<string, 'yes' | 'no' | 'no_answer'>> = { 1: 'yes', 2: 'no', 3: 'no_answer' };
const UNREACHED: readonly (string | null)[] = ['busy', 'no-answer', 'failed', 'canceled', 'completed'];
const LOST: readonly (string | null)[] = ['undelivered', 'failed'];

/** What the phone provider calls: the words of a call, the key that was pressed, and how calls and texts ended. */
export function addPhoneRoutes(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    scope.addHook('preHandler', (request, _reply, done) => {
      refuseUnsigned(deps, request);
      done();
    });
    scope.post('/twilio/calls/:id', async (request: CallRequest, reply) =>
      speak(reply, question(deps, request, await callOf(deps, request))),
    );
    scope.post('/twilio/calls/:id/key', (request: CallRequest, reply) => takeKey(deps, request, reply));
    scope.post('/twilio/calls/:id/status', (request: CallRequest, reply) => noteEnd(deps, request, reply));
    scope.post('/twilio/texts/:id', async (request: CallRequest, reply) => {
      if (LOST.includes(readForm(request).get('MessageStatus')))
        await transactionsOf(deps.pool)((tx) => noteTextLost(tx, request.params.id, deps.clock.now()));
      return reply.code(204).send();
    });
  });
}

/** Only the provider knows the token that signs; the address counts as the outside sees it. */
function refuseUnsigned({ twilio, config }: Deps, request: FastifyRequest): void {
  if (twilio === undefined) throw new AppError('not_found', 'Nothing is here.');
  const url = config.baseUrl + request.url;
  const signature = request.headers['x-twilio-signature'];
  if (!isSignedByTwilio(twilio.token, { url, form: sentForm(request), signature }))
    throw new AppError('signature_refused', 'The signature is not that of the phone provider.');
}

async function callOf(deps: Deps, request: CallRequest): Promise<VenueCall> {
  const call = await findCall(deps.pool, request.params.id);
  if (call === undefined) throw new AppError('not_found', 'We made no such call.');
  return call;
}

function speak(reply: FastifyReply, words: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/xml; charset=utf-8').send(words);
}

function question({ config }: Deps, request: CallRequest, call: VenueCall): string {
  const { booking, placeName, open } = call;
  if (!open) return twiml(say('This request has ended. There is nothing you need to do. Goodbye.'), hangUp());
  const { serviceName, baseUrl } = config;
  const words = wordsForVenue(serviceName, booking.held === null ? 'new' : 'change', booking, booking);
  const keys = gather(
    `${baseUrl}/twilio/calls/${request.params.id}/key`,
    `${words} For yes, press 1. For no, press 2. To offer another time, press 3, and a person will call you.`,
  );
  const hello = say(`Hello${placeName === null ? '' : `, ${placeName}`}. This is a request for a table.`);
  return twiml(hello, pause(1), keys, keys, say('We heard no answer. Goodbye.'), hangUp());
}

async function takeKey(deps: Deps, request: CallRequest, reply: FastifyReply): Promise<FastifyReply> {
  const call = await callOf(deps, request);
  const answer = KEYS[readForm(request).get('Digits') ?? ''];
  if (answer === undefined || !call.open) return speak(reply, question(deps, request, call));
  const { booking, revision } = call;
  await recordVenueAnswer(deps, {
    bookingId: booking.id,
    revision,
    answer,
    actor: 'venue',
    channel: 'phone',
  });
  return speak(reply, twiml(say(THANKS[answer]), hangUp()));
}

const THANKS = {
  yes: 'Thank you. The guest is told that the table is booked. Goodbye.',
  no: 'Thank you. The guest is told that there is no table. Goodbye.',
  no_answer: 'Thank you. A person from our desk calls you soon. Goodbye.',
} as const;

/** A call that ended while the question is open was not answered: somebody of ours calls instead. */
async function noteEnd(deps: Deps, request: CallRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { booking, revision, open } = await callOf(deps, request);
  if (open && UNREACHED.includes(readForm(request).get('CallStatus')))
    await recordVenueAnswer(deps, {
      bookingId: booking.id,
      revision,
      answer: 'no_answer',
      actor: 'venue',
      channel: 'phone',
    });
  return reply.code(204).send();
}
