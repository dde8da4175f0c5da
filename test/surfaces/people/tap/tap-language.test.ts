import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, nonceOf, tap } from '../../../bookings/asking-partner.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';

const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };

describe('a venue reads its own language', async () => {
  const service = await startTestService();
  const partner = await AskingPartner.add(service);
  /** A venue is only written to at a number of its own country. */
  const CALLING: Record<string, string> = {
    CH: '4144668',
    ID: '6236112',
    DE: '4930901',
    US: '1212555',
    GB: '4420794',
  };
  let numbers = 1820;

  async function asked(country: string, languages: string[] = []) {
    const placeId = await addVenue(service, {
      phone: `+${CALLING[country] ?? assert.fail(country)}${++numbers}`,
      country,
      languages,
    });
    const bookingId = await partner.request(placeId, { notes: 'Zq <b>', guest_name: 'Åsa & Co' });
    const link = await linkInOutbox(service, bookingId);
    await partner.untilStatus(bookingId, 'asking');
    return { placeId, bookingId, link };
  }
  const read = async (path: string) =>
    (await service.request(path, { headers: { accept: 'text/html' } })).text();
  const post = (path: string, fields: Record<string, string>) =>
    service.request(path, {
      method: 'POST',
      redirect: 'manual',
      headers: FORM,
      body: new URLSearchParams(fields).toString(),
    });

  const PAGES = [
    {
      country: 'CH',
      languages: [],
      lang: 'de',
      question: [
        'Haben Sie diesen Tisch frei?',
        'Freitag, 20. November',
        '19:30',
        'Nein, wir sind ausgebucht',
      ],
      wrong: 'Bitte geben Sie eine Uhrzeit an',
      passed: 'Diese Zeit ist schon vorbei',
      same: 'antworten Sie stattdessen mit Ja',
      unsaid: 'Bitte wählen Sie Ja',
      booked: 'Danke: Der Tisch ist reserviert',
      undo: 'Das war ein Versehen',
      cancel: 'Wir können diesen Tisch doch nicht halten',
      cancelled: 'Der Tisch ist abgesagt',
    },
    {
      country: 'ID',
      languages: [],
      lang: 'id',
      question: ['Apakah meja ini tersedia?', 'Jumat, 20 November', '19.30', 'Tidak, kami penuh'],
      wrong: 'harus berupa waktu',
      passed: 'Waktu ini sudah lewat',
      same: 'mohon jawab ya',
      unsaid: 'Pilih ya, tidak',
      booked: 'Terima kasih: meja sudah dipesan',
      undo: 'Salah tekan',
      cancel: 'meja ini ternyata tidak bisa kami siapkan',
      cancelled: 'Meja telah dibatalkan',
    },
    {
      country: 'US',
      languages: ['ja'],
      lang: 'ja',
      question: ['このお席はございますか', '11月20日金曜日', '19:30', 'いいえ、満席です'],
      wrong: '時間を入力してください',
      passed: 'この時間はすでに過ぎています',
      same: '「はい」とご返答ください',
      unsaid: 'のいずれかをお選びください',
      booked: 'ご予約が確定しました',
      undo: '間違えました',
      cancel: 'やはりこのお席をご用意できません',
      cancelled: 'お席はキャンセルされました',
    },
    {
      country: 'US',
      languages: ['ar'],
      lang: 'ar',
      direction: 'rtl',
      question: ['هل لديكم هذه الطاولة؟', 'الجمعة، 20 نوفمبر', '7:30', 'لا، المكان ممتلئ'],
      wrong: 'يجب أن يكون هذا وقتًا',
      passed: 'لقد مضى هذا الوقت',
      same: 'أجيبوا بنعم بدلًا من ذلك',
      unsaid: 'أجيبوا بنعم أو لا',
      booked: 'تم حجز الطاولة',
      undo: 'حدث خطأ: تراجع',
      cancel: 'لا يمكننا الاحتفاظ بهذه الطاولة',
      cancelled: 'أُلغيت الطاولة',
    },
  ];

  for (const words of PAGES)
    test(`the page asks, refuses and ends in ${words.lang}`, async () => {
      const { bookingId, link } = await asked(words.country, words.languages);
      const page = await read(link);
      assert.match(
        page,
        new RegExp(`<html lang="${words.lang}"${words.direction === 'rtl' ? ' dir="rtl"' : ''}>`),
      );
      for (const word of [...words.question, '<bdi>Åsa &amp; Co</bdi>', '<bdi>Zq &lt;b&gt;</bdi>'])
        assert.ok(page.includes(word), word);
      const main = /<main[^]*<\/main>/.exec(page)?.[0] ?? '';
      assert.doesNotMatch(main.replace(/<[^>]*>/g, ' '), /\b(table|guest|please|you)\b/i);
      const faulty: [Record<string, string>, string][] = [
        [{ answer: 'perhaps' }, words.unsaid],
        [{ answer: 'offer', offer_time: 'late' }, words.wrong],
        [{ answer: 'offer', offer_time: '20:00', offer_date: '2025-11-20' }, words.passed],
        [{ answer: 'offer', offer_time: '19:30' }, words.same],
      ];
      for (const [fields, fault] of faulty) {
        const refused = await tap(service, link, fields);
        assert.equal(refused.status, 422);
        assert.ok((await refused.text()).includes(fault), fault);
      }
      await tap(service, link, { answer: 'yes' });
      const booked = await read(link);
      for (const word of [words.booked, words.undo]) assert.ok(booked.includes(word), word);
      service.clock.advance(3 * 60_000);
      assert.ok((await read(link)).includes(words.cancel));
      await tap(service, link, { answer: 'cancel', revision: '1' });
      assert.ok((await read(link)).includes(words.cancelled));
      // The partner's program reads English.
      const { timeline } = await partner.status(bookingId);
      assert.ok(timeline.length >= 4);
      for (const { text } of timeline) assert.match(text, /^[\x20-\x7e]+$/);
    });

  test('a reader who does not know the language can switch to English, without a cookie, and back', async () => {
    const { bookingId, link } = await asked('DE');
    assert.match(
      await read(link),
      new RegExp(`<a href="${link}\\?lang=en" lang="en" hreflang="en">English</a>`),
    );
    const english = await service.request(`${link}?lang=en`);
    const page = await english.text();
    assert.match(page, /<html lang="en">/);
    for (const word of ['Do you have this table?', 'Friday 20 November', `<a href="${link}" lang="de"`])
      assert.ok(page.includes(word), word);
    assert.equal(english.headers.get('set-cookie'), null);
    assert.ok(page.includes(`action="${link}?lang=en"`) && !page.includes(`action="${link}"`));
    const nonce = await nonceOf(service, link);
    const wrong = await post(`${link}?lang=en`, { nonce, answer: 'offer', offer_time: 'x' });
    assert.match(await wrong.text(), /This must be a time/);
    const yes = await post(`${link}?lang=en`, { nonce, answer: 'yes' });
    assert.deepEqual([yes.status, yes.headers.get('location')], [303, `${link}?lang=en`]);
    const undone = await post(`${link}/undo?lang=en`, { nonce });
    assert.deepEqual([undone.status, undone.headers.get('location')], [303, `${link}?lang=en`]);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    // Another language than that of the venue or English is not to be had.
    assert.match(await read(`${link}?lang=fr`), /<html lang="de">/);
  });

  test('an English venue is offered no other language', async () => {
    const { link } = await asked('GB');
    assert.doesNotMatch(await read(link), /hreflang/);
  });

  test('an answer on a page that was kept too long shows the page again, in its language', async () => {
    const { bookingId, link } = await asked('DE');
    const nonce = await nonceOf(service, link);
    service.clock.advance(49 * HOUR_MS);
    const late = await post(link, { nonce, answer: 'yes' });
    assert.equal(late.status, 403);
    assert.match(await late.text(), /Die Seite war zu alt für Ihre Antwort/);
    assert.notEqual((await partner.status(bookingId)).status, 'confirmed');
  });

  test('the message, its subject and message_to_venue are in the language; the partner is told so in English', async () => {
    const placeId = await addVenue(service, { phone: `+35894500${++numbers}`, country: 'FI', languages: [] });
    const answer = await partner.call<{ booking_id: string; message_to_venue: string; guidance: string }>(
      'request_table',
      { place_id: placeId, date: '2026-11-27', time: '18:00', party_size: 2, guest_name: 'Ayu' },
    );
    const words = answer.message_to_venue;
    assert.match(
      words,
      /^Waypost, vastaanottaja Warung Senja: onko teillä vapaana pöytä 2 hengelle perjantaina 27\. marraskuuta klo 18\.00\? Nimi: Ayu, asiakas yritykseltä Test Partner\. Vastatkaa viimeistään \S+na klo \d\d\.\d\d paikallista aikaa\.$/,
    );
    assert.match(answer.guidance, /^Tell the guest/);
    const message = await until('the message', async () => {
      const [row] = await service.database.pool<{ subject: string; body: string }[]>`
        select subject, body from message where subject_id = ${answer.booking_id}`;
      return row;
    });
    assert.equal(
      message.subject,
      'Onko teillä vapaana pöytä 2 hengelle perjantaina 27. marraskuuta klo 18.00?',
    );
    assert.ok(message.body.startsWith(`${words}\n\nVastatkaa yhdellä napautuksella: https://`), message.body);
    assert.ok(message.body.endsWith('\nKysyttävää? Ihminen vastaa: hello@waypost.example'), message.body);
  });
});
