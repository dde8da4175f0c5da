import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueCallback } from '../../src/callbacks/queue-callback.ts';
import { addVenue, AskingPartner } from '../bookings/asking-partner.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService, type TestService } from '../harness/service/service.ts';
import { holdMail, postMail } from '../messages/held-mail.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { startPhoneProvider } from '../twilio/phone-provider.ts';

const smtp = await startSmtp();
const provider = await startPhoneProvider();
const receiver = await startReceiver();
const EGRESS_ALLOW = `${provider.settings['EGRESS_ALLOW']},${receiver.pair}`;

function start(): Promise<TestService> {
  return startTestService({
    settings: { ...provider.settings, EGRESS_ALLOW, SMTP_URL: smtp.url, JOBS_AT_ONCE: '1' },
  });
}

test('a venue is asked by mail while other mails wait for a server that does not answer them', async () => {
  const service = await start();
  const held = holdMail(smtp);
  await postMail(service);
  await postMail(service);
  await held.sending;
  smtp.taken = () => Promise.resolve();
  const partner = await AskingPartner.add(service);
  const booking = await partner.request(await addVenue(service, { email: 'host@venue.example' }));
  await partner.untilStatus(booking, 'asking');
  const [waiting] = await service.database.pool<{ count: number }[]>`
    select count(*)::int as count from message where purpose = 'test' and state in ('queued','sending')`;
  assert.equal(waiting?.count, 2);
  held.release();
});

test('a venue is asked by text while the mail server answers nobody', async () => {
  const service = await start();
  const held = holdMail(smtp);
  const partner = await AskingPartner.add(service);
  const byMail = await partner.request(await addVenue(service, { email: 'host@venue.example' }));
  await held.sending;
  const phone = '+628123456789';
  const byText = await partner.request(await addVenue(service, { name: 'Warung Pagi', phone }));
  await partner.untilStatus(byText, 'asking');
  assert.equal(provider.texts(phone).length, 1);
  assert.equal((await partner.status(byMail)).status, 'sent');
  held.release();
  await partner.untilStatus(byMail, 'asking');
});

test('a receiver of callbacks that never answers gets eight at once and holds nobody else up', async () => {
  const service = await start();
  const { deps } = service.app;
  receiver.answer = (response, path) => {
    if (path === '/good') response.end();
  };
  const { agentId } = await signUpAgent(service);
  const callBack = (path: string, subjectId: string) =>
    service.database.pool.begin((sql) =>
      queueCallback(
        sql,
        { newId: deps.newId, now: deps.clock.now() },
        { url: receiver.url + path, agentId, subjectId, event: 'submission.approved', payload: {} },
      ),
    );
  for (let n = 0; n < 12; n++) await callBack('/silent', `sub_silent_${n}`);
  await until('as many hang as may', () => receiver.received.length >= 8);
  await callBack('/good', 'sub_good');
  await until('the other receiver has it', () => receiver.received.some(({ path }) => path === '/good'));
  const silent = receiver.received.filter(({ path }) => path === '/silent');
  assert.equal(silent.length, 8);
  await service.app.close();
  const rows =
    await deps.pool`select from callback_delivery where state = 'pending' and leased_until is null`;
  assert.equal(rows.length, 12, 'they were given back at the end of the node');
});
