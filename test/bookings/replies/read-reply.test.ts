import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readReply, type Reply } from '../../../src/bookings/answering/reply/read-reply.ts';
import { mainWord } from '../../../src/bookings/answering/reply/reply-words.ts';
import { VENUE_LANGUAGES } from '../../../src/bookings/language/venue-language.ts';

/** Replies as venues write them about a table at 19:30: language, meaning, text. A time is an offer. */
const REPLIES = readFileSync(new URL('replies.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [code: string, meaning: string, text: string]);

test('the words that our messages name are understood in every language', () => {
  for (const code of VENUE_LANGUAGES.keys())
    for (const meaning of ['yes', 'no', 'stop', 'start'] as const)
      assert.equal(
        readReply(mainWord(code, meaning), { time: '19:30', until: null, code }).kind,
        meaning,
        code,
      );
});

const meaningOf = (reply: Reply) => (reply.kind === 'offer' ? reply.time : reply.kind);

describe('replies of venues', () => {
  test('are more than four hundred in seventeen languages, a third of them no clear answer', () => {
    assert.equal(REPLIES.length, 472);
    assert.equal(new Set(REPLIES.map(([code]) => code)).size, 17);
    assert.ok(REPLIES.filter(([, meaning]) => meaning === 'unclear').length >= 100);
  });

  test('are never read as another decision, and the clear ones are understood', () => {
    const readings = REPLIES.map(([code, meaning, text]) => ({
      text: `${code}: ${text}`,
      meaning,
      read: meaningOf(readReply(text, { time: '19:30', until: null, code })),
    }));
    const wrong = readings.filter(({ meaning, read }) => read !== 'unclear' && read !== meaning);
    assert.deepEqual(wrong, []);
    const missed = readings.filter(({ meaning, read }) => read === 'unclear' && read !== meaning);
    assert.deepEqual(missed, []);
  });
});

describe('replies about a table between 19:00 and 20:30', () => {
  const read = (text: string, code = 'en') => {
    const reply = readReply(text, { time: '19:00', until: '20:30', code });
    return reply.kind === 'offer' ? `${reply.time}${reply.named ? ' within' : ' other'}` : reply.kind;
  };

  test('a time of the window is read as that time, with or without a yes', () => {
    for (const text of ['19:30', 'yes 19:30', 'Yes, at 7.30 pm', 'no, but 19:30', '19:30 instead'])
      assert.equal(read(text), '19:30 within', text);
    assert.equal(read('ja, um 20:30 Uhr', 'de'), '20:30 within');
    assert.equal(read('19:00'), '19:00 within');
    assert.equal(read('YES'), 'yes');
    assert.equal(read('21:00'), '21:00 other');
  });

  test('a question or a denied time is no yes', () => {
    for (const text of [
      '19:30?',
      'not 19:30',
      'no 19:30',
      'full at 20:00',
      '19:30 or 20:00',
      'no table at 19:00',
    ])
      assert.equal(read(text), 'unclear', text);
  });
});
