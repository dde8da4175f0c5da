import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import examples from '../../../src/surfaces/concierge/examples.json' with { type: 'json' };
import type { BookingAnswer } from '../../../src/bookings/booking-answer.ts';
import { hashEntry } from '../../../src/bookings/timeline.ts';
import { transactionsOf } from '../../../src/core/postgres/db.ts';
import { eraseGuestNames } from '../../../src/bookings/maintenance/erase-guest-names.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { startReceiver } from '../../callbacks/receiver.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';
import { addVenue, AskingPartner, linkInOutbox, tap, untilResting } from '../asking-partner.ts';

const PAGE = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
const [, SECTION = ''] = /\n## Check a timeline\n([^]*?)\n## /.exec(PAGE) ?? [];
const [, CODE = ''] = /```js\n([^]*?)```/.exec(SECTION) ?? [];

const folder = mkdtempSync(join(tmpdir(), 'waypost-timeline-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string) => join(folder, name);
const PROGRAM = at('check-timelines.mjs');
writeFileSync(PROGRAM, CODE);

interface Checked {
  fits: boolean;
  said: string;
}

/** The program of the page, and one that somebody wrote in another language by its prose. */
const CHECKERS: readonly [name: string, run: (files: string[]) => Promise<Checked> | Checked][] = [
  ['the program of the page', runHere],
  ['another in Python', runInPython],
];
const withoutPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3';

let runs = 0;
/** In this process: the program reads, says and sets what a program of its own would. */
async function runHere(files: string[]): Promise<Checked> {
  const { argv, exitCode } = process;
  const log = mock.method(console, 'log', () => undefined);
  process.argv = [process.execPath, PROGRAM, ...files];
  try {
    await import(`${pathToFileURL(PROGRAM).href}?run=${runs++}`);
    const said = log.mock.calls.map(({ arguments: words }) => (words as string[]).join(' ')).join('\n');
    return { fits: process.exitCode === 0, said };
  } finally {
    log.mock.restore();
    process.argv = argv;
    process.exitCode = exitCode;
  }
}

function runInPython(files: string[]): Checked {
  const program = join(import.meta.dirname, 'check_timelines.py');
  const { status, stdout, stderr } = spawnSync('python3', [program, ...files], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return { fits: status === 0, said: stdout };
}

interface Answer {
  bookings: BookingAnswer[];
}

function check([, run]: (typeof CHECKERS)[number], answer: Answer, webhooks: readonly string[]) {
  writeFileSync(at('answer.json'), JSON.stringify(answer));
  writeFileSync(at('webhooks.jsonl'), `${webhooks.join('\n')}\n`);
  return run([at('answer.json'), at('webhooks.jsonl')]);
}

/** A booking that is reminded of, confirmed, changed and cancelled, as booking_status and its webhooks tell it. */
async function makeStory() {
  const receiver = await startReceiver();
  const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * 60 * MINUTE_MS);
  const partner = await AskingPartner.add(service, `${receiver.url}/kept`);
  const other = await partner.request(await addVenue(service, { phone: '+62361123457' }));
  const id = await partner.request(await addVenue(service, { phone: '+62361123456' }));
  const link = await linkInOutbox(service, id);
  await partner.untilStatus(id, 'asking');
  await partner.untilStatus(other, 'asking');
  await untilResting(service, id);
  await passTime(service, 45 * MINUTE_MS);
  await until('the venue is reminded', async () =>
    (await partner.status(id)).timeline.some(({ event }) => event === 'reminder_sent'),
  );
  await tap(service, link, { answer: 'yes' });
  await partner.untilStatus(id, 'confirmed');
  await partner.call('modify_booking', { booking_id: id, notes: 'Mit “Kinderstuhl” für 2.' });
  await partner.call('cancel_booking', { booking_id: id });
  const webhooks = await until('all webhooks have come', () => {
    const bodies = receiver.received.map(({ body }) => body);
    return bodies.length === 6 && bodies;
  });
  const answer = () => partner.call<Answer>('booking_status', {});
  return { service, answer, webhooks, id };
}

const BOOKING_EXAMPLE = examples.modify_booking.output as BookingAnswer;
const CANCELLED_EXAMPLE = examples.cancel_booking.output as BookingAnswer;
const { service, answer, webhooks, id } = await makeStory();
const real = await answer();

test('the example of the reference and the vector of the page are what the rule gives', () => {
  const hashes = [...SECTION.matchAll(/hash of entry \d is `([0-9a-f]{64})`/g)];
  const lines = [...SECTION.matchAll(/```text\n(.*)\n```/g)];
  assert.equal(lines.length, hashes.length);
  assert.deepEqual(
    hashes.map(([, hash]) => hash),
    BOOKING_EXAMPLE.timeline.slice(0, 2).map(({ hash }) => hash),
  );
  for (const [i, [, line = '']] of lines.entries()) {
    const {
      sequence,
      at: moment,
      event,
      from,
      to,
      actor,
      channel,
      revision,
      text,
    } = BOOKING_EXAMPLE.timeline[i] ?? {};
    const said = [
      BOOKING_EXAMPLE.booking_id,
      sequence,
      moment,
      event,
      from,
      to,
      actor,
      channel,
      revision,
      text,
    ];
    assert.equal(line, JSON.stringify(said));
  }
  assert.ok(CODE.trimEnd().split('\n').length <= 30, 'the program has at most thirty lines');
});

test('webhooks carry the number and the hash of their own entry', () => {
  const told = webhooks.map((body) => JSON.parse(body) as Told).filter(({ data }) => data.booking_id === id);
  const moves = real.bookings
    .find(({ booking_id }) => booking_id === id)
    ?.timeline.filter(({ from, to }) => from !== to);
  assert.deepEqual(
    told.map(({ sequence, data: { status, timeline_head } }) => [sequence, status, timeline_head]),
    moves?.map(({ sequence, event, hash }) => [sequence, event, { sequence, hash }]),
  );
  const sequences = told.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences.slice(0, 3),
    [1, 2, 4],
    'between the moves there are entries of which none tells',
  );
});

interface Told {
  sequence: number;
  data: { booking_id: string; status: string; timeline_head: { sequence: number; hash: string } };
}

for (const checker of CHECKERS) {
  const skip = checker[1] === runInPython && withoutPython;
  // Each is a start of Python: `npm test` tries it with a few.
  const some = <T>(all: readonly T[], few: number) =>
    LONG || checker[1] !== runInPython ? all : all.slice(-few);
  const found = async (bookings: BookingAnswer[], kept = webhooks) => check(checker, { bookings }, kept);

  test(`${checker[0]} finds that real answers and webhooks fit`, { skip }, async () => {
    assert.equal(real.bookings.length, 2);
    const { fits, said } = await found(real.bookings);
    assert.ok(fits, said);
    assert.ok((await found([BOOKING_EXAMPLE, CANCELLED_EXAMPLE], [])).fits);
    const later = new Date(service.clock.now().getTime() + 90 * DAY_MS);
    const erased = await until('the names are erased, of bookings at work too', async () => {
      await eraseGuestNames(transactionsOf(service.database.pool), later);
      const now = await answer();
      return now.bookings.every((booking) => booking.for.name === 'guest') && now;
    });
    assert.ok((await found(erased.bookings)).fits, 'erasing a name breaks no timeline');
  });

  test(`${checker[0]} finds whatever was changed in the answer`, { skip }, async () => {
    for (const member of some(Object.keys(real.bookings[0]?.timeline[0] ?? {}), 2)) {
      const changed = forged(({ timeline }) => {
        const entry = (timeline[2] ?? {}) as Record<string, unknown>;
        const value = entry[member];
        entry[member] = typeof value === 'number' ? value + 1 : `${String(value)}.`;
      });
      const { fits, said } = await found(changed);
      assert.ok(!fits && said.includes(id) && said.includes('3'), `${member}: ${said}`);
    }
    const withouts: ((booking: BookingAnswer) => void)[] = [
      ({ timeline }) => timeline.splice(0, 1),
      ({ timeline }) => timeline.splice(2, 1),
      ({ timeline }) => timeline.pop(),
      ({ timeline }) => timeline.reverse(),
      (booking) => (booking.status = 'confirmed'),
      ({ timeline_head: head }) =>
        (head.hash = head.hash.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
    ];
    for (const without of some(withouts, 1)) assert.ok(!(await found(forged(without))).fits, String(without));
  });

  test(
    `${checker[0]} finds a history that we sealed anew, by the webhooks that were kept`,
    { skip },
    async () => {
      const rewritings: ((booking: BookingAnswer) => void)[] = [
        ({ timeline }) => timeline[1] && (timeline[1].text = 'Never said.'),
        ({ timeline }) => timeline.splice(2, 1),
        ({ timeline }) =>
          timeline.splice(2, 0, { ...(timeline[2] as BookingAnswer['timeline'][0]), text: 'Again.' }),
        (booking) => {
          const end = booking.timeline.findIndex(({ to }) => to === 'cancelled');
          booking.timeline.splice(end);
          booking.status = 'confirmed';
        },
      ];
      for (const rewrite of some(rewritings, 1)) {
        const rewritten = forged((booking) => {
          rewrite(booking);
          sealAnew(booking);
        });
        assert.ok((await found(rewritten, [])).fits, 'by itself it looks sound');
        assert.ok(!(await found(rewritten)).fits, String(rewrite));
      }
    },
  );
}

/** The real answer with a change in the booking of the story. */
function forged(change: (booking: BookingAnswer) => unknown): BookingAnswer[] {
  const { bookings } = structuredClone(real);
  change(bookings.find(({ booking_id }) => booking_id === id) as BookingAnswer);
  return bookings;
}

function sealAnew(booking: BookingAnswer): void {
  let before = '';
  for (const [i, entry] of booking.timeline.entries()) {
    entry.sequence = i + 1;
    before = hashEntry(id, { ...entry, at: new Date(entry.at) }, before);
    entry.hash = before;
  }
  booking.timeline_head = { sequence: booking.timeline.length, hash: before };
}
