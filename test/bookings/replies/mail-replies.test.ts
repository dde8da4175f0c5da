import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { until } from '../../harness/service/jobs.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { startTestService } from '../../harness/service/service.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { addVenue, AskingPartner } from '../asking-partner.ts';

const SECRET = 'a secret of the mail system';
const REPLIES = 'answers@replies.example';

/** How mail programs quote what they answer. */
const PROGRAMS: Readonly<Record<string, (words: string, quoted: string) => SendMailOptions>> = {
  'a webmail in English': (words, quoted) => ({
    text: `${words}\n\nOn Fri, Nov 20, 2026 at 7:30 PM Waypost <answers@replies.example> wrote:\n\n${indent(quoted)}`,
    html: `<div dir="ltr">${words}</div><br><div class="gmail_quote"><blockquote>${quoted}</blockquote></div>`,
  }),
  'a telephone in German': (words, quoted) => ({
    text: `${words}\n\nVon meinem iPhone gesendet\n\n> Am 20.11.2026 um 19:30 schrieb Waypost <answers@replies.example>:\n>\n${indent(quoted)}`,
  }),
  'a program without a plain part': (words, quoted) => ({
    html: `<html><head><style>p { color: red }</style></head><body><p>${words}</p><blockquote>${quoted}</blockquote></body></html>`,
  }),
  'a program that does not quote': (words) => ({ text: `${words}\n` }),
  'an encoded mail': (words) => ({ text: words, textEncoding: 'base64' }),
};

function indent(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

describe('a venue that answers by mail', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: {
      SMTP_URL: smtp.url,
      MAIL_REPLIES_TO: REPLIES,
      MAIL_REPLIES_SECRET: SECRET,
      BOOKING_READS_PER_MINUTE: '100000',
    },
  });
  const partner = await AskingPartner.add(service);
  const composer = createTransport({ streamTransport: true, buffer: true });
  let venues = 0;

  async function asked(made: Parameters<typeof addVenue>[1] = {}, change: Record<string, unknown> = {}) {
    const email = made.email ?? `venue${++venues}@venue.example`;
    const placeId = await addVenue(service, { gather: 0, ...made, email });
    const bookingId = await partner.request(placeId, change);
    await partner.untilStatus(bookingId, 'asking');
    return { email, placeId, bookingId, ask: (await mailsTo(email, 1)).at(-1) ?? '' };
  }

  const mailsTo = (email: string, count: number) =>
    until(`${count} mails to ${email}`, () => {
      const mails = smtp.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text);
      return mails.length >= count ? mails : undefined;
    });
  /** Long headers go on in the next line. */
  const replyTo = (mail: string) => {
    const address = /^Reply-To: <?([^\s>]+)>?\r?$/m.exec(mail.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1];
    assert.ok(address, mail);
    return address;
  };
  const plain = (mail: string) => mail.replaceAll(/=\r?\n/g, '').replaceAll(/=([0-9A-F]{2})/g, '%$1');
  const statusOf = async (id: string) => (await partner.status(id)).status;

  async function passOn(mail: SendMailOptions, authorization = `Bearer ${SECRET}`): Promise<number> {
    const { message } = await composer.sendMail({ from: 'chef@elsewhere.example', ...mail });
    const response = await service.app.http.inject({
      method: 'POST',
      url: '/mail/replies',
      headers: { 'content-type': 'message/rfc822', authorization },
      payload: message,
    });
    return response.statusCode;
  }

  test('is asked to reply, and each mail program is understood', async () => {
    for (const [program, write] of Object.entries(PROGRAMS)) {
      const { ask, bookingId } = await asked();
      assert.match(plain(ask), /Reply YES, NO or another time, or tap/);
      const quoted =
        'Bridge House: a table for 4 on Friday 20 November at 19:30? Reply YES, NO or another time.';
      assert.equal(await passOn({ to: replyTo(ask), ...write('Yes', quoted) }), 204);
      const { status, timeline } = await partner.status(bookingId);
      assert.deepEqual([status, timeline.at(-1)?.channel], ['confirmed', 'mail'], program);
    }
  });

  test('answers in its language, says no, or offers another time', async () => {
    const german = await asked({ country: 'DE', languages: [] });
    await passOn({
      to: replyTo(german.ask),
      ...PROGRAMS['a telephone in German']?.('Nein, leider', 'JA, NEIN'),
    });
    assert.equal(await statusOf(german.bookingId), 'declined');
    const other = await asked();
    await passOn({ to: `Waypost <${replyTo(other.ask)}>`, text: '20:15 instead' });
    const { status, offer } = await partner.status(other.bookingId);
    assert.deepEqual([status, offer?.time], ['offered', '20:15']);
    const [, line] = await mailsTo(other.email, 2);
    assert.match(plain(line ?? ''), /we pass it on/);
  });

  test('decides the request that it replies to, also when another one is open', async () => {
    const first = await asked();
    const second = await asked({ email: first.email }, { time: '21:00' });
    assert.notEqual(replyTo(first.ask), replyTo(second.ask));
    await passOn({ to: replyTo(first.ask), text: 'yes' });
    assert.deepEqual(
      [await statusOf(first.bookingId), await statusOf(second.bookingId)],
      ['confirmed', 'asking'],
    );
    // A late word about the first does not decide the second.
    await passOn({ to: replyTo(first.ask), text: 'no' });
    assert.deepEqual(
      [await statusOf(first.bookingId), await statusOf(second.bookingId)],
      ['confirmed', 'asking'],
    );
  });

  test('is heard once, however often the mail is delivered', async () => {
    const { ask, email, bookingId } = await asked();
    const mail = { to: replyTo(ask), text: 'Yes', messageId: '<once@venue.example>' };
    await Promise.all([passOn(mail), passOn(mail), passOn(mail)]);
    assert.equal(await statusOf(bookingId), 'confirmed');
    assert.equal((await mailsTo(email, 2)).length, 2, 'the request and one confirmation');
  });

  test('is answered once when it is not clear; the desk reads what it wrote', async () => {
    const { ask, email, bookingId } = await asked();
    assert.equal(await passOn({ to: replyTo(ask), text: 'Perhaps, <b>who</b> is it?' }), 204);
    const [, line] = await mailsTo(email, 2);
    assert.match(plain(line ?? ''), /we did not understand. For a table for 4 .* reply YES or NO/);
    const desk = await signInStaff(service, 'desk');
    const page = await (await desk.get('/console/desk')).text();
    assert.match(
      page.slice(page.indexOf(bookingId)),
      /The venue wrote: “Perhaps, &lt;b&gt;who&lt;\/b&gt; is it\?”/,
    );
    await passOn({ to: replyTo(line ?? ''), text: 'yes' });
    assert.equal(await statusOf(bookingId), 'confirmed', 'a reply to our answer counts too');
  });

  test('stops everything at once, and comes back', async () => {
    const { ask, email, bookingId, placeId } = await asked();
    await passOn({ to: replyTo(ask), text: 'STOP' });
    const { status, reason } = await partner.status(bookingId);
    assert.deepEqual([status, reason], ['declined', 'venue_opted_out']);
    const [, line] = await mailsTo(email, 2);
    await passOn({ to: replyTo(line ?? ''), text: 'start' });
    const [row] = await service.database.pool<
      { method: string }[]
    >`select booking_method as method from place where id = ${placeId}`;
    assert.equal(row?.method, 'request');
  });

  test('does not answer programs: absence notes, bounces and lists change nothing', async () => {
    const { ask, email, bookingId } = await asked();
    const to = replyTo(ask);
    const automatic = [
      { 'Auto-Submitted': 'auto-replied' },
      { Precedence: 'bulk' },
      { 'X-Autoreply': 'yes' },
      { 'Return-Path': '<>' },
    ];
    for (const headers of automatic) assert.equal(await passOn({ to, text: 'Yes', headers }), 204);
    assert.equal(await statusOf(bookingId), 'asking');
    assert.equal((await mailsTo(email, 1)).length, 1);
  });

  test('cannot be impersonated: neither without the secret nor to an address that we did not make', async () => {
    const { ask, email, bookingId } = await asked();
    const to = replyTo(ask);
    assert.equal(await passOn({ to, text: 'Yes' }, ''), 401);
    assert.equal(await passOn({ to, text: 'Yes' }, 'Bearer guess'), 401);
    const forged = to.replace(/[0-9a-f]@/, (end) => (end.startsWith('0') ? '1@' : '0@'));
    for (const wrong of [REPLIES, forged, to.replace('replies.example', 'other.example')])
      assert.equal(await passOn({ to: wrong, from: email, text: 'Yes' }), 204, wrong);
    assert.equal(await statusOf(bookingId), 'asking');
    const basic = `Basic ${Buffer.from(`mail:${SECRET}`).toString('base64')}`;
    assert.equal(await passOn({ to, text: 'Yes' }, basic), 204);
    assert.equal(await statusOf(bookingId), 'confirmed');
  });

  test('a body that is no mail is refused and changes nothing', async () => {
    const response = await service.app.http.inject({
      method: 'POST',
      url: '/mail/replies',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
      payload: '{"text":"yes"}',
    });
    assert.equal(response.statusCode, 415);
    for (const payload of [
      '\0\0\0',
      'To: x',
      '----\r\n\r\n',
      'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a',
    ])
      assert.equal(
        (
          await service.app.http.inject({
            method: 'POST',
            url: '/mail/replies',
            headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` },
            payload,
          })
        ).statusCode,
        204,
      );
  });
});

test('without a mailbox for replies, mails name no word, have no address for replies, and nothing is read', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({ settings: { SMTP_URL: smtp.url } });
  const partner = await AskingPartner.add(service);
  const bookingId = await partner.request(
    await addVenue(service, { gather: 0, email: 'plain@venue.example' }),
    {},
  );
  await partner.untilStatus(bookingId, 'asking');
  const mail = await until('a mail', () => smtp.mails.find(({ to }) => to.includes('plain@venue.example')));
  assert.doesNotMatch(mail.text, /^Reply-To/m);
  const response = await service.app.http.inject({ method: 'POST', url: '/mail/replies', payload: 'x' });
  assert.equal(response.statusCode, 404);
});
