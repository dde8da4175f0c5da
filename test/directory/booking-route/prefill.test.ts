import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PLATFORMS, recognizePlatform } from '../../../src/directory/booking-route/platforms.ts';
import { prefillBookingUrl } from '../../../src/directory/booking-route/prefill.ts';
import { GOLDEN_URLS } from './golden-urls.ts';

const ASK = { party_size: 4, date: '2026-11-06', time: '19:30' };
const SLUG = 'https://www.opentable.com/r/silver-spoon';
const none = { party_size: false, date: false, time: false };

suite('every row of the table', () => {
  for (const golden of GOLDEN_URLS) {
    test(`${golden.row}: the link is filled as its platform reads it`, () => {
      assert.deepEqual(prefillBookingUrl(golden.stored, ASK), {
        url: golden.prefilled,
        platform: golden.platform,
        prefilled: {
          party_size: golden.fills.includes('party_size'),
          date: golden.fills.includes('date'),
          time: golden.fills.includes('time'),
        },
      });
    });

    test(`${golden.row}: filling a filled link changes nothing`, () => {
      assert.equal(prefillBookingUrl(golden.prefilled, ASK).url, golden.prefilled);
    });

    test(`${golden.row}: without an ask the link stays as it is stored`, () => {
      const { url, prefilled } = prefillBookingUrl(golden.stored, {});
      assert.equal(url, golden.stored);
      assert.deepEqual(prefilled, none);
    });
  }

  test('each has a golden link, in the order of the table', () => {
    assert.deepEqual(
      GOLDEN_URLS.map(({ stored }) =>
        PLATFORMS.findIndex((platform) => platform === recognizePlatform(stored)),
      ),
      PLATFORMS.map((_, index) => index),
    );
  });

  test('only pages of high and medium confidence have a template, and they say what it fills', () => {
    for (const { confidence, template, fills } of PLATFORMS) {
      assert.equal(template !== undefined, confidence === 'high' || confidence === 'medium');
      assert.equal(fills.length > 0, template !== undefined);
    }
  });
});

suite('other forms of the same pages', () => {
  const filled: [string, string, string][] = [
    [
      'an older Resy path',
      'https://resy.com/cities/ny/silver-spoon',
      'https://resy.com/cities/ny/silver-spoon?date=2026-11-06&seats=4',
    ],
    [
      'a SevenRooms listing leads to the reservation page of the venue',
      'https://www.sevenrooms.com/explore/silverspoon/reservations/create/search/?venues=silverspoon',
      'https://www.sevenrooms.com/reservations/silverspoon?venues=silverspoon&default_date=2026-11-06&default_party_size=4&default_time=19%3A30',
    ],
    [
      'the second host of Chope',
      'https://booking.chope.co/booking_index?rid=x',
      'https://booking.chope.co/booking_index?rid=x&date=06%2F11%2F2026&time=1930&adults=4&children=0',
    ],
    [
      'a regional OpenTable host with a language',
      'https://www.opentable.com.au/en-AU/r/spoon',
      'https://www.opentable.com.au/en-AU/r/spoon?dateTime=2026-11-06T19%3A30%3A00&covers=4',
    ],
    [
      'a Tock search page',
      'https://www.exploretock.com/spoon/search?date=2020-01-01&size=2&time=20%3A00',
      'https://www.exploretock.com/spoon/search?date=2026-11-06&size=4&time=19%3A30',
    ],
    [
      'an Ikyu lunch page asked for the evening',
      'https://restaurant.ikyu.com/100523/lunch/',
      'https://restaurant.ikyu.com/100523/dinner/?pusy=2026&pusm=11&pusd=6&pups=4',
    ],
    [
      'an OpenTable restref link with its second spellings, and only one of its two ids',
      'https://www.opentable.ae/restref/client?rid=7&searchdatetime=2020-01-01T12%3A00&partysize=2',
      'https://www.opentable.ae/restref/client?rid=7&searchdatetime=2026-11-06T19%3A30&partysize=4&datetime=2026-11-06T19%3A30&covers=4&restref=7',
    ],
  ];
  for (const [what, stored, expected] of filled) {
    test(what, () => {
      assert.equal(prefillBookingUrl(stored, ASK).url, expected);
    });
  }
});

suite('a part of the ask', () => {
  test('a party alone is filled in alone', () => {
    const { url, prefilled } = prefillBookingUrl(SLUG, { party_size: 2 });
    assert.equal(url, `${SLUG}?covers=2`);
    assert.deepEqual(prefilled, { ...none, party_size: true });
  });

  test('a date without a time is not completed by guess where the page wants both', () => {
    const { url, prefilled } = prefillBookingUrl(SLUG, { date: '2026-11-06' });
    assert.equal(url, SLUG);
    assert.deepEqual(prefilled, none);
  });

  test('a page that lies under lunch or dinner is filled only when it is known which', () => {
    const day = { date: '2026-01-09', party_size: 2 };
    assert.equal(
      prefillBookingUrl('https://restaurant.ikyu.com/1/', day).url,
      'https://restaurant.ikyu.com/1/',
    );
    assert.equal(
      prefillBookingUrl('https://restaurant.ikyu.com/1/lunch', day).url,
      'https://restaurant.ikyu.com/1/lunch/?pusy=2026&pusm=1&pusd=9&pups=2',
    );
  });

  test('a stay that begins on the last day of a year ends in the next', () => {
    const { url } = prefillBookingUrl('https://be.synxis.com/?hotel=1', { date: '2026-12-31' });
    assert.equal(url, 'https://be.synxis.com/?hotel=1&arrive=2026-12-31&depart=2027-01-01&child=0');
  });

  for (const ask of [
    { party_size: 0 },
    { party_size: 2.5 },
    { party_size: Number.NaN },
    { date: '2026-02-30', time: '19:30' },
    { date: '06/11/2026', time: '19:30' },
    { date: '2026-11-06', time: '24:00' },
    { date: '2026-11-06&x=1', time: '19:30' },
    { date: '2026-11-06', time: '19:30#' },
  ]) {
    test(`${JSON.stringify(ask)} fills nothing`, () => {
      assert.deepEqual(prefillBookingUrl(SLUG, ask), { url: SLUG, platform: 'opentable', prefilled: none });
    });
  }
});

suite('what the link holds beside', () => {
  test('other parameters and the fragment stay, and an old value is replaced and not repeated', () => {
    const { url } = prefillBookingUrl(`${SLUG}?covers=9&ref=a%26b&covers=8&corrid=1#menu`, ASK);
    assert.equal(url, `${SLUG}?covers=4&ref=a%26b&corrid=1&dateTime=2026-11-06T19%3A30%3A00#menu`);
  });

  test('the same parameter in other letters does not stay to contradict', () => {
    const { url } = prefillBookingUrl('https://be.synxis.com/?Hotel=1&Adult=2&Arrive=2020-01-01', ASK);
    assert.equal(url, 'https://be.synxis.com/?Hotel=1&arrive=2026-11-06&depart=2026-11-07&adult=4&child=0');
  });

  test('a link over plain http is filled, and keeps its scheme', () => {
    assert.match(
      prefillBookingUrl('http://www.opentable.com/r/spoon', ASK).url,
      /^http:\/\/www\.opentable\.com\/r\/spoon\?/,
    );
  });

  test('a wide spelling of a host is the host, as browsers read it', () => {
    assert.equal(prefillBookingUrl('https://ｏｐｅｎｔａｂｌｅ.com/r/spoon', ASK).platform, 'opentable');
  });
});

suite('hostile and foreign addresses are not recognised and stay as they are', () => {
  for (const address of [
    'javascript:alert(1)//www.opentable.com/r/spoon',
    'data:text/html,https://www.opentable.com/r/spoon',
    'ftp://www.opentable.com/r/spoon',
    'file:///www.opentable.com/r/spoon',
    'https://www.opentable.com@evil.example/r/spoon',
    'https://user:secret@www.opentable.com/r/spoon',
    'https://www.opentable.com:8443/r/spoon',
    'https://opentable.com.evil.example/r/spoon',
    'https://evil-opentable.com/r/spoon',
    'https://opentable.evil/r/spoon',
    'https://opentable.co/r/spoon',
    'https://evil.example/www.opentable.com/r/spoon',
    'https://evil.example/?https://www.opentable.com/r/spoon',
    'https://evil.example/#https://www.opentable.com/r/spoon',
    'https://evil.example\\@www.opentable.com/r/spoon',
    'https://οpentable.com/r/spoon',
    'https://xn--pentable-v8d.com/r/spoon',
    'https://www.opentable.com./r/spoon',
    'https://notresy.com/cities/ny/spoon',
    'https://resy.com.evil.example/cities/ny/spoon',
    'https://bookings.designmynight.com.evil.example/book',
    'https://www.opentable.com/',
    'https://www.opentable.com/r/',
    'https://www.exploretock.com/about',
    'https://www.exploretock.com/city/chicago',
    'https://booking.nowbookit.com/steps/sitting-details',
    '//www.opentable.com/r/spoon',
    'www.opentable.com/r/spoon',
    'https://',
    '',
    '\u0000',
  ]) {
    test(JSON.stringify(address), () => {
      assert.equal(recognizePlatform(address), null);
      assert.deepEqual(prefillBookingUrl(address, ASK), { url: address, platform: null, prefilled: none });
    });
  }
});
