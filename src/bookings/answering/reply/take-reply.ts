import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time.ts';
import type { MessageChannel } from '../../../messages/message-channels.ts';
import { postMessage } from '../../../messages/post-message.ts';
import { lockEvening } from '../../asking/message-batch.ts';
import type { Booking } from '../../booking.ts';
import { tableWords } from '../../table-words.ts';
import { isWaiting } from '../../waiting/waiting.ts';
import type { AnswerContext } from '../answer-outcome.ts';
import { endingOf, listSentTaps, type SentTap, type Tap } from '../find-tap.ts';
import { optOut, revertOptOut, bookingRouteOf, type Route } from '../opt-out.ts';
import { recordVenueAnswer } from '../venue-answer.ts';
import { readReply, type Decision, type Reply } from './read-reply.ts';
import { mainWord } from './reply-words.ts';

interface IncomingReply {
  /** The provider's id of the text, the same when it is delivered again. */
  id: string;
  channel: MessageChannel;
  /** The sender's address or number, in the form in which it was written to. */
  from: string;
  text: string;
  /** Id of the message that it replies to, where the channel says so. */
  about?: string | undefined;
}

type ReplyContext = AnswerContext & { db: Db; deps: Pick<Deps, 'config'> };

/** Answers to one number in a day; stops two machines that answer each other. */
const ANSWERS_A_DAY = 20;
/** A reply that comes sooner after a message may be about the one before. */
const READING_MS = MINUTE_MS;

/**
 * Handles a reply of a venue by the decision function of the tap page. A reply decides only if it is clear, and if the
 * last message to its sender is about the one open request. False when nothing was changed.
 */
export async function takeReply(ctx: ReplyContext, reply: IncomingReply): Promise<boolean> {
  const sent = await listSentTaps(ctx.db, { channel: reply.channel, to: reply.from }, ctx.now);
  const [newest] = sent;
  if (newest === undefined) return false;
  const open = sent.filter(({ tap }) => isOpen(tap));
  const { tap, reading } =
    reply.about === undefined
      ? await matchReply(ctx, reply, open.length === 0 ? [newest] : open)
      : await matchThread(ctx, { ...reply, about: reply.about }, sent);
  const { count } = await ctx.db`
    insert into venue_reply (id, sender, received_at, reading)
    values (${reply.id}, ${reply.from}, ${ctx.now}, ${reading.kind})
    on conflict (id) do nothing`;
  if (count === 0) return false;
  const text = await answerTo(ctx, reply, { sent, open, tap, reading });
  // The reference shares the lock of the booking: before the answer, two replies at once would wait for each other.
  await ctx.db`update venue_reply set booking_id = ${tap.booking.id} where id = ${reply.id}`;
  if (text !== undefined) await sendAnswer(ctx, reply, tap, text);
  return true;
}

function isOpen({ booking, revision }: Tap): boolean {
  const isAsked = booking.status === 'sent' || booking.status === 'asking';
  return isAsked && booking.revision === revision && !isWaiting(booking);
}

interface MatchedReply {
  sent: readonly SentTap[];
  open: readonly SentTap[];
  tap: Tap;
  reading: Reply;
}

function answerTo(
  ctx: ReplyContext,
  reply: IncomingReply,
  matched: MatchedReply,
): Promise<string | undefined> {
  const { reading, tap } = matched;
  if (reading.kind === 'stop') return stopAsking(ctx, reply, matched);
  if (reading.kind === 'start') return startAgain(ctx, reply, tap);
  if (reading.kind !== 'unclear') return decide(ctx, reply.channel, tap, reading);
  return isOpen(tap) ? askAgain(ctx, reply, matched) : Promise.resolve(undefined);
}

/** Finds the request that a reply is about. Where that is not certain, the reading is unclear. */
async function matchReply(
  ctx: ReplyContext,
  reply: IncomingReply,
  candidates: readonly SentTap[],
): Promise<Pick<MatchedReply, 'tap' | 'reading'>> {
  const readings = candidates.map((candidate) => {
    const { booking, language } = candidate.tap;
    const { time, timeUntil: until } = booking;
    return { ...candidate, reading: readReply(reply.text, { time, until, code: language.code }) };
  });
  const [first] = readings;
  if (first === undefined) throw new Error('A reply has no request.');
  const { kind } = first.reading;
  if (kind === 'stop' || kind === 'start' || !isOpen(first.tap)) return first;
  const named = readings.filter(({ reading }) => 'named' in reading && reading.named);
  if (named.length === 1 && named[0] !== undefined) return named[0];
  const certain = readings.length === 1 && (await isAboutLast(ctx, reply, first));
  return certain ? first : { tap: first.tap, reading: { kind: 'unclear' } };
}

/**
 * Finds the request of the message that was replied to. A word about several of its requests, or about none, is
 * unclear.
 */
async function matchThread(
  { db }: ReplyContext,
  { text, about }: IncomingReply & { about: string },
  sent: readonly SentTap[],
): Promise<Pick<MatchedReply, 'tap' | 'reading'>> {
  const requests = await db<{ booking: string; revision: number | null }[]>`
    select booking_id as booking, revision from venue_ask
    where message_id = ${about} and step in ('ask','reminder')
    union all select subject_id, null from message where id = ${about} and purpose = ${ANSWER}`;
  const own = sent.filter(({ tap }) =>
    requests.some(
      ({ booking, revision }) =>
        booking === tap.booking.id && (revision === null || revision === tap.revision),
    ),
  );
  const open = own.filter(({ tap }) => isOpen(tap));
  const readings = (open.length > 0 ? open : own.slice(0, 1)).map(({ tap }) => ({
    tap,
    reading: readReply(text, {
      time: tap.booking.time,
      until: tap.booking.timeUntil,
      code: tap.language.code,
    }),
  }));
  const named = readings.filter(({ reading }) => 'named' in reading && reading.named);
  const [only, ...more] = named.length === 1 ? named : readings;
  if (only !== undefined && (more.length === 0 || only.reading.kind === 'stop')) return only;
  const tap = only?.tap ?? sent[0]?.tap;
  if (tap === undefined) throw new Error('A reply has no request.');
  const { kind } = readReply(text, { time: tap.booking.time, until: null, code: tap.language.code });
  return { tap, reading: { kind: kind === 'stop' || kind === 'start' ? kind : 'unclear' } };
}

/** True when the last message to the sender is about the request, and nothing else was sent shortly before. */
async function isAboutLast(
  { db, now }: ReplyContext,
  { channel, from }: IncomingReply,
  { tap, messageId }: SentTap,
): Promise<boolean> {
  const [last, before] = await db<{ id: string; about: string; purpose: string; at: Date | null }[]>`
    select id, subject_id as about, purpose, finished_at as at from message
    where recipient = ${from} and channel = ${channel} and stops_when_halted and state in ('sending','sent','unsure')
      and created_at > ${new Date(now.getTime() - DAY_MS)}
    order by sequence desc limit 2`;
  if (last === undefined) return true;
  const isOurs = last.id === messageId || (last.purpose === ANSWER && last.about === tap.booking.id);
  const isRead = last.at !== null && now.getTime() - last.at.getTime() >= READING_MS;
  return isOurs && (before === undefined || before.about === tap.booking.id || isRead);
}

async function decide(
  ctx: ReplyContext,
  channel: MessageChannel,
  { booking, revision, askId }: Tap,
  reading: Decision,
): Promise<string | undefined> {
  const { outcome } = await recordVenueAnswer(ctx.db, ctx, {
    bookingId: booking.id,
    revision,
    answer: reading.kind,
    ...(reading.kind === 'offer' && { offer: { time: reading.time } }),
    actor: 'venue',
    channel,
  });
  const sent = await listSentTaps(ctx.db, { ask: askId }, ctx.now);
  const tap = sent[0]?.tap;
  if (tap === undefined) return undefined;
  const { text } = tap.language;
  if (outcome === 'invalid') return text('fault.time');
  const ending = `${text(`outcome.${endingOf(tap)}.title`)} (${tableWords(tap.offer ?? tap.booking, tap.language)}).`;
  const contact = ctx.deps.config.contactEmail;
  return outcome === 'moved' ? ending : `${ending} ${text('message.person', { contact })}`;
}

/** Hands an unclear reply to the desk, and answers it once for each request. */
async function askAgain(
  ctx: ReplyContext,
  { from, text: wrote, channel }: IncomingReply,
  { open, tap }: MatchedReply,
): Promise<string | undefined> {
  const { booking, revision, language } = tap;
  await recordVenueAnswer(ctx.db, ctx, {
    bookingId: booking.id,
    revision,
    answer: 'unclear',
    wrote,
    actor: 'venue',
    channel,
  });
  const [answered] = await ctx.db`
    select 1 from venue_reply
    where sender = ${from} and booking_id = ${booking.id} and reading = 'unclear' and answered limit 1`;
  if (answered !== undefined) return undefined;
  const yes = mainWord(language.code, 'yes');
  if (open.length === 1)
    return language.text('reply.unclear', {
      table: tableWords(booking, language),
      yes,
      no: mainWord(language.code, 'no'),
    });
  return language.text('reply.several', { tables: open.length, example: `${yes} ${booking.time}` });
}

interface StoredRoute extends Route {
  place_id: string;
}

/** Ends all open requests of the sender with a no, and opts its places out. */
async function stopAsking(
  ctx: ReplyContext,
  reply: IncomingReply,
  { sent, open, tap }: MatchedReply,
): Promise<string> {
  const { db, now } = ctx;
  const places = [...new Set(sent.map((one) => one.tap.booking.placeId))].sort();
  // Jobs that lock several bookings hold the lock of their evening, so that waiting for each other cannot deadlock.
  const bookings = open
    .map((one) => one.tap)
    .sort((a, b) => (eveningOf(a.booking) < eveningOf(b.booking) ? -1 : 1));
  for (const { booking } of bookings) await lockEvening(db, booking.id);
  const routes: StoredRoute[] = [];
  for (const place_id of places) {
    const route = await bookingRouteOf(db, place_id);
    if (route !== undefined && route.method !== 'not_through') routes.push({ place_id, ...route });
  }
  for (const { booking, revision } of bookings)
    await recordVenueAnswer(db, ctx, {
      bookingId: booking.id,
      revision,
      answer: 'stop',
      actor: 'venue',
      channel: reply.channel,
    });
  for (const { place_id } of routes) await optOut(db, now, place_id);
  await db`update venue_reply set routes = ${db.json(routes.map((route) => ({ ...route })))} where id = ${reply.id}`;
  if (bookings.length === 0) ctx.audit(tap.booking.placeId, { answer: 'stop', by: 'venue' });
  return tap.language.text('reply.stopped', { start: mainWord(tap.language.code, 'start') });
}

function eveningOf({ placeId, date, id }: Booking): string {
  return `${placeId}/${date}/${id}`;
}

/** Takes the sender's stop back: its places take bookings as they did before. */
async function startAgain(ctx: ReplyContext, { from }: IncomingReply, { booking, language }: Tap) {
  const stops = await ctx.db<{ routes: StoredRoute[] | null }[]>`
    delete from venue_reply where sender = ${from} and reading = 'stop' returning routes`;
  const routes = stops.flatMap((stop) => stop.routes ?? []);
  if (routes.length === 0) return undefined;
  for (const { place_id, ...route } of routes)
    if ((await bookingRouteOf(ctx.db, place_id))?.method === 'not_through')
      await revertOptOut(ctx.db, ctx.now, place_id, route);
  ctx.audit(booking.placeId, { answer: 'start', by: 'venue' });
  return language.text('reply.started', { stop: mainWord(language.code, 'stop') });
}

const ANSWER = 'booking_reply';

async function sendAnswer(
  { db, deps, newId, now }: ReplyContext,
  { id, from, channel }: IncomingReply,
  { booking, placeName, language }: Tap,
  text: string,
): Promise<void> {
  const [today] = await db<{ count: number }[]>`
    select count(*)::int as count from venue_reply
    where sender = ${from} and answered and received_at > ${new Date(now.getTime() - DAY_MS)}`;
  if ((today?.count ?? 0) >= ANSWERS_A_DAY) return;
  const service = deps.config.serviceName;
  const subject = placeName === null ? service : language.text('message.to', { service, place: placeName });
  await postMessage(
    db,
    { newId, now },
    {
      channel,
      to: from,
      subject,
      text: `${service}: ${text}`,
      purpose: ANSWER,
      subject_id: booking.id,
      stopsWhenHalted: true,
    },
  );
  await db`update venue_reply set answered = true where id = ${id}`;
}
