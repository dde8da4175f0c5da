import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { STATUSES } from '../../src/bookings/booking.ts';
import { listEntries } from '../../src/bookings/timeline.ts';
import { chainFault } from '../../src/bookings/maintenance/timeline-fault.ts';
import { addPartner } from '../../src/accounts/partners/partner.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import { KIND_NAMES } from '../../src/jobs/kinds.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { PHOTO_DIR } from '../harness/service/program.ts';
import { startTestService, TestClock, type TestService } from '../harness/service/service.ts';
import { LONG, tries } from '../harness/tier.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { KilledNode } from './killed-node.ts';
import { DAY_MS } from '../../src/core/time.ts';

// Two nodes as a person starts them, on one database. Partners ask, venues answer by the links in their mails, and again
// and again one of the nodes is killed without warning. In `npm test` the one that stays runs in this process.
const ROUNDS = tries({ quick: 1, long: 20 });
const BOOKINGS = 10 * ROUNDS;
const VENUES = tries({ quick: 10, long: 40 });
/** For so long nothing may change while there is something left to do. */
const STUCK_MS = 120_000;

const smtp = await startSmtp();
const receiver = await startReceiver();
const database = await createTestDatabase();
const { pool } = database;
const newId = createNewId(systemClock);
const settings = {
  SMTP_URL: smtp.url,
  MAIL_FROM: 'desk@waypost.example',
  EGRESS_ALLOW: receiver.pair,
  VENUE_WAKING_HOURS: '00:00-23:59',
  BOOKING_WRITES_PER_MINUTE: '100000',
  VENUE_ASKS_PER_DAY: '100000',
  VENUE_OPEN_ASKS: '100000',
};

/** A node in this process, which goes by the time of this machine like any other. */
class NodeHere extends KilledNode {
  #service: TestService | undefined;

  override get url(): string {
    return this.#service?.url ?? '';
  }

  override async start(): Promise<void> {
    const service = await startTestService({ database, settings: { ...settings, PHOTO_DIR } });
    const follow = () => {
      service.clock.advance(Date.now() - service.clock.now().getTime());
    };
    follow();
    const following = setInterval(follow, 50).unref();
    after(() => {
      clearInterval(following);
    });
    this.#service = service;
  }

  override async stop(): Promise<void> {
    await this.#service?.close();
  }
}

const victims = Array.from(
  { length: tries({ quick: 1, long: 2 }) },
  () => new KilledNode(database.url, settings),
);
const nodes = LONG ? victims : [...victims, new NodeHere(database.url, settings)];

after(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGTERM')));
  await database.drop();
});

test(`${BOOKINGS} bookings survive ${ROUNDS} kills: none is asked twice, every move is told in order, none is lost`, async () => {
  for (const node of nodes) await start(node);
  const key = await partnerWithWebhook();
  const venues = await addVenues();
  let requested = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const victim = victims[randomInt(victims.length)] as KilledNode;
    const asking = Array.from({ length: BOOKINGS / ROUNDS }, () => request(key, venues, requested++));
    const tapping = answerMails();
    await new Promise((resolve) => setTimeout(resolve, randomInt(400)));
    await kill(victim);
    // The last one stays away, and the other does all that is left.
    const back = round < ROUNDS - 1 ? start(victim) : undefined;
    await Promise.all([...asking, tapping, back]);
  }
  await settle();
  await assertSound();
});

/** Under which names a node runs jobs, one for each kind. One that starts is the only one with new names. */
const runners = new Map<KilledNode, string[]>();
const known = new Set<string>();

async function start(node: KilledNode): Promise<void> {
  await node.start();
  const names = await until('the node shows that it runs jobs', async () => {
    const rows = await pool<{ id: string }[]>`select id from job_runner`;
    const added = rows.map(({ id }) => id).filter((id) => !known.has(id));
    return added.length >= KIND_NAMES.length && added;
  });
  for (const name of names) known.add(name);
  runners.set(node, names);
}

/** Kills a node, and lets the time pass after which nobody expects a sign of life from it any more. */
async function kill(node: KilledNode): Promise<void> {
  await node.stop('SIGKILL');
  await pool`
    update job_runner set seen_at = seen_at - interval '1 minute' where id = any(${runners.get(node) ?? []})`;
}

async function partnerWithWebhook(): Promise<string> {
  const { partnerId, apiKey } = await addPartner(pool, newId, new Date(), 'svc', {
    email: 'crash@partner.example',
    name: 'Crash Partner',
  });
  const [staff] = await pool<{ id: string }[]>`
    insert into staff (id, email, role, password_hash, created_at)
    values (${newId('stf')}, 'lead@staff.example', 'lead', 'none', now()) returning id`;
  await pool`
    update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = now(),
      bookings_by = ${staff?.id ?? ''}, email_verified_at = now(), plan = 'platform' where id = ${partnerId}`;
  await nodes[0]?.call(apiKey, 'set_webhook', { url: `${receiver.url}/moves` });
  return apiKey;
}

async function addVenues(): Promise<string[]> {
  const made: string[] = [];
  for (let at = 0; at < VENUES; at++) {
    const id = await addMadeUpPlace(pool, new TestClock(), { name: `Warung ${at}` });
    await pool`
      update place set booking_method = 'request', email = ${`v${at}@venue.example`}, batch_minutes = 0 where id = ${id}`;
    made.push(id);
  }
  return made;
}

const WEEK_MS = 7 * DAY_MS;

/** Asks until some node has taken the request; the key makes sure that it is one request. */
async function request(key: string, venues: readonly string[], at: number): Promise<void> {
  const date = new Date(Date.now() + WEEK_MS).toISOString().slice(0, 10);
  const input = {
    place_id: venues[at % VENUES],
    date,
    time: '19:30',
    party_size: 2,
    guest_name: `Guest ${Array.from(String(at), (digit) => 'abcdefghij'[Number(digit)] ?? '').join('')}`,
    idempotency_key: `request-${at}`,
  };
  for (;;) {
    const node = nodes[randomInt(nodes.length)];
    const answer = await node?.call(key, 'request_table', input).catch(() => undefined);
    if (answer?.includes('"state":"requested"') === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const answered = new Set<string>();

/** Some venues answer: yes, no, another time, or not at all. */
async function answerMails(): Promise<void> {
  const links = smtp.mails.map(({ text }) => /\/v\/[\w-]+/.exec(text.replaceAll('=\r\n', ''))?.[0]);
  for (const link of links) {
    if (link === undefined || answered.has(link)) continue;
    answered.add(link);
    const choice = randomInt(4);
    if (choice === 3) continue;
    const fields = [{ answer: 'yes' }, { answer: 'no' }, { answer: 'offer', offer_time: '21:00' }][
      choice
    ] as Record<string, string>;
    await nodes[randomInt(nodes.length)]?.tap(link, fields).catch(() => undefined);
  }
}

/**
 * Waits until nothing is left to do: no message, delivery or question is under way. A job that another took the place of
 * while it ran has no attempts left and counts for nothing.
 */
async function settle(): Promise<void> {
  let before = '';
  let giveUpAt = 0;
  for (;;) {
    const [left] = await pool<{ jobs: number; asks: number; deliveries: number }[]>`
      select (select count(*)::int from graphile_worker._private_jobs
                where run_at <= now() and attempts < max_attempts) as jobs,
             (select count(*)::int from venue_ask where state in ('queued', 'sending', 'posted')) as asks,
             (select count(*)::int from webhook_delivery where state = 'pending') as deliveries`;
    if (left?.jobs === 0 && left.asks === 0 && left.deliveries === 0) return;
    const now = JSON.stringify([left, smtp.mails.length, receiver.received.length]);
    if (now !== before) giveUpAt = performance.now() + STUCK_MS;
    before = now;
    if (performance.now() > giveUpAt) assert.fail(JSON.stringify([left, await dueJobs()]));
    await ageLeftovers();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function dueJobs(): Promise<unknown> {
  return pool`
    select t.identifier, j.attempts, j.max_attempts, j.last_error, j.locked_by, j.locked_at, j.run_at, j.key
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.run_at <= now() and j.attempts < j.max_attempts`;
}

/** Time passes for what dead processes left behind: no attempt that lives is as old as this. */
async function ageLeftovers(): Promise<void> {
  await pool`
    update message set leased_until = now() - interval '1 second'
    where state = 'sending' and leased_until < now() + interval '150 seconds'`;
  await pool`
    update webhook_delivery set leased_until = now() - interval '1 second'
    where state = 'pending' and leased_until < now() + interval '30 seconds'`;
  await pool`
    update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('deliver_venue_mail', 'deliver_venue_text', 'deliver_webhook') and j.run_at > now()
      and j.locked_at is null`;
}

async function assertSound(): Promise<void> {
  const bookings = await pool<{ id: string; status: string; last_sequence: number }[]>`
    select id, status, last_sequence from booking`;
  assert.equal(bookings.length, BOOKINGS);
  const waiting = await pool<{ id: string }[]>`
    select booking_id as id from venue_ask where channel = 'desk' and state = 'waiting'`;
  const atDesk = new Set(waiting.map(({ id }) => id));
  assert.deepEqual(
    bookings.filter(({ id, status }) => !isLegal(status) || (status === 'sent' && !atDesk.has(id))),
    [],
  );
  const timelines = Map.groupBy(
    await listEntries(
      pool,
      bookings.map(({ id }) => id),
    ),
    ({ bookingId }) => bookingId,
  );
  for (const { id, status, last_sequence } of bookings) {
    const entries = timelines.get(id) ?? [];
    assert.equal(chainFault(entries), undefined, id);
    assert.deepEqual([entries.at(-1)?.sequence, entries.at(-1)?.to], [last_sequence, status]);
  }
  assertAskedOnce();
  assertToldInOrder(timelines);
}

function isLegal(status: string): boolean {
  return (STATUSES as readonly string[]).includes(status);
}

/** Venues got at most one message of each kind for one booking and revision. */
function assertAskedOnce(): void {
  const asks = smtp.mails
    .map(({ text }) => text.replaceAll('=\r\n', ''))
    .filter((text) => /^Subject: Do you have/m.test(text))
    .map((text) => /Name: (Guest [a-j]+),/.exec(text)?.[1] ?? text);
  assert.equal(new Set(asks).size, asks.length, 'a venue was asked twice');
}

/** The partner got every move at least once; first deliveries are in the order of the moves. */
function assertToldInOrder(timelines: Map<string, { sequence: number; event: string }[]>): void {
  const told = new Map<string, number[]>();
  for (const { body } of receiver.received) {
    const { sequence, data } = JSON.parse(body) as { sequence: number; data: { booking_id: string } };
    const known = told.get(data.booking_id) ?? [];
    told.set(data.booking_id, known);
    if (!known.includes(sequence)) known.push(sequence);
  }
  for (const [id, entries] of timelines) {
    const moves = entries.filter(({ event }) => isLegal(event));
    assert.deepEqual(
      told.get(id),
      moves.map(({ sequence }) => sequence),
      id,
    );
  }
}
