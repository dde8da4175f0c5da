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
      assert.equal(readReply(mainWord(code, meaning), { time: '19:30', code }).kind, meaning, code);
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
      read: meaningOf(readReply(text, { time: '19:30', code })),
    }));
    const wrong = readings.filter(({ meaning, read }) => read !== 'unclear' && read !== meaning);
    assert.deepEqual(wrong, []);
    const missed = readings.filter(({ meaning, read }) => read === 'unclear' && read !== meaning);
    assert.deepEqual(missed, []);
  });
});
