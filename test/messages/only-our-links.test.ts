import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyOurLinks } from '../../src/messages/only-our-links.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { addVenue } from '../bookings/asking-partner.ts';
import { startSmtp } from './smtp-receiver.ts';

const CONFIG = {
  baseUrl: 'https://places.example.org',
  partnerUrl: 'https://partners.example.org:8443',
  contactEmail: 'help@board.example.com',
};
const write = (text: string) => onlyOurLinks(text, CONFIG);

/** A letter as it was meant, from quoted-printable. */
function plain(raw: string): string {
  const bytes = raw.replaceAll(/=\r?\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(bytes, 'latin1').toString();
}

test('our own addresses stay as they are', () => {
  for (const text of [
    'Open https://places.example.org/v/abc?x=1.',
    'POST https://partners.example.org:8443/api/partner/mcp',
    'Write to help@board.example.com.',
    'We are places.example.org.',
  ])
    assert.equal(write(text), text);
});

test('an address in a name becomes no link, and reads as before', () => {
  for (const [name, written] of [
    ['https://evil.com/login', 'https: //evil․com/login'],
    ['HTTP://1.2.3.4/x', 'HTTP: //1.2.3.4/x'],
    ['Booking.com', 'Booking․com'],
    ['www.evil.co.uk', 'www․evil․co․uk'],
    ['write to me@evil.de', 'write to me@evil․de'],
    ['пример.рф', 'пример․рф'],
    ['evil。com', 'evil․com'],
    ['-evil.com', '-evil․com'],
    ['x_evil.com', 'x_evil․com'],
    ['--evil.com--', '--evil․com--'],
    ['_evil.com-now_', '_evil․com-now_'],
    ['-evil.xn--p1ai', '-evil․xn--p1ai'],
    ['https://places.example.org.evil.com/', 'https: //places․example․org․evil․com/'],
    ['https://places.example.org@evil.com/', 'https: //places.example.org@evil․com/'],
  ] as const)
    assert.equal(write(`Does ${name} act for you?`), `Does ${written} act for you?`);
});

test('names and sentences without an address stay as they are', () => {
  for (const text of [
    "St.Peter's Bar & Grill",
    'Mr.Wu No.5',
    'Warung Bu. Oka',
    'Table for 4 at 19.30.Thank you',
    '3.5 stars',
  ])
    assert.equal(write(text), text);
});

test('a letter that names an operator carries no link but ours', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'Waypost <desk@waypost.example>' },
  });
  const agent = await SubmittingAgent.signUp(service);
  await service.database.pool`update agent set operator_name = 'Sign in at https://evil.com/now'`;
  const reviewer = await signInStaff(service, 'reviewer');
  const placeId = await addVenue(service, { email: 'venue@letter.example' });
  const sent = await agent.business({ relationship: 'authorized_agent', name: 'Verify at evil.com' });
  const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
  assert.equal((await reviewer.post(`/console/review/${sent.id}`, decision)).status, 303);
  const letter = await until('the question was mailed', () =>
    Promise.resolve(smtp.mails.find(({ to }) => to.includes('venue@letter.example'))),
  );
  const text = plain(letter.text);
  assert.match(text, /https: \/\/evil․com\/now/);
  assert.doesNotMatch(text, /evil\.com/);
  assert.match(text, new RegExp(`${service.app.deps.config.baseUrl}/venue/confirm/`));
});
