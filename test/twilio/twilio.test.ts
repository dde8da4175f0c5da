import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listMessages } from '../../src/messages/list-messages.ts';
import { postMessage, type NewMessage } from '../../src/messages/post-message.ts';
import { isSignedByTwilio, twilioSignature } from '../../src/twilio/twilio-signature.ts';
import { gather, sayElement, twiml } from '../../src/twilio/twiml.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { BASE_URL, startTestService } from '../harness/service/service.ts';
import { startPhoneProvider } from './phone-provider.ts';

const TEXT: NewMessage = {
  channel: 'sms',
  to: '+6281234567',
  subject: '',
  text: 'Your code: 314159',
  purpose: 'claim_code',
  subject_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
};

describe('texts go out by the phone provider', async () => {
  const provider = await startPhoneProvider();
  const service = await startTestService({ settings: provider.settings });

  async function post(change: Partial<NewMessage> = {}): Promise<string> {
    const { pool, newId, clock } = service.app.deps;
    return pool.begin((sql) => postMessage(sql, { newId, now: clock.now() }, { ...TEXT, ...change }));
  }

  function ended(id: string, state: string) {
    return until(`the message is ${state}`, async () => {
      const message = (await listMessages(service.app.deps)).find((one) => one.id === id);
      return message?.state === state && message;
    });
  }

  test('a text is handed over once, from our number, and its words are erased here', async () => {
    const id = await post();
    const sent = await ended(id, 'sent');
    const [kept] = await service.database.pool`select body from message where id = ${sent.id}`;
    assert.equal(kept?.['body'], null);
    const [taken] = provider.taken;
    assert.equal(
      Buffer.from(taken?.authorization?.replace('Basic ', '') ?? '', 'base64').toString(),
      'AC00000000000000000000000000000001:token-of-the-provider',
    );
    assert.deepEqual(Object.fromEntries(taken?.form ?? []), {
      To: '+6281234567',
      From: '+62361000000',
      Body: 'Your code: 314159',
      StatusCallback: `${BASE_URL}/twilio/texts/${id}`,
    });
    assert.equal(provider.taken.length, 1);
  });

  test('a number without its country code is never handed over', async () => {
    const before = provider.taken.length;
    const id = await post({ to: '081234567' });
    assert.equal((await ended(id, 'failed')).last_error, 'The number is not in E.164 form.');
    assert.equal(provider.taken.length, before);
  });

  test('a number that the provider refuses is given up at once; trouble of its own is tried again', async () => {
    provider.instead = (response) => {
      response.writeHead(400).end('{"code":21211,"message":"+6281234567 is not valid"}');
      return true;
    };
    const refused = await ended(await post(), 'failed');
    assert.equal(refused.last_error, 'The phone provider answered 400.');
    provider.instead = (response) => {
      response.writeHead(503).end();
      return true;
    };
    const id = await post();
    await until('an attempt failed', async () => {
      const message = (await listMessages(service.app.deps)).find((one) => one.id === id);
      return message?.attempts === 1 && message.state === 'queued';
    });
    provider.instead = () => false;
    await passTime(service, 60_000);
    assert.equal((await ended(id, 'sent')).attempts, 2);
  });

  test('a text that the carrier lost is shown as failed, and only the provider can say so', async () => {
    const id = await post({ to: '+6281234999' });
    await ended(id, 'sent');
    const url = `${BASE_URL}/twilio/texts/${id}`;
    const lost = { MessageStatus: 'undelivered', MessageSid: 'SM1' };
    assert.equal((await provider.post(service, url, lost, 'forged')).status, 400);
    assert.equal(
      (
        await provider.post(
          service,
          `${url}?x=1`,
          lost,
          twilioSignature('other', url, new URLSearchParams(lost)),
        )
      ).status,
      400,
    );
    await provider.post(service, url, { ...lost, MessageStatus: 'delivered' });
    await ended(id, 'sent');
    assert.equal((await provider.post(service, url, lost)).status, 204);
    assert.equal((await ended(id, 'failed')).last_error, 'The carrier could not deliver it.');
    await provider.post(service, url, lost);
    const lines = await service.database.pool<{ actor: string; operation: string }[]>`
      select actor, operation from audit_log where subject = ${id}`;
    assert.deepEqual(
      lines.map(({ actor, operation }) => [actor, operation]),
      [['phone_provider', 'note_text_lost']],
    );
  });
});

test('without a provider nobody can call its addresses', async () => {
  const service = await startTestService();
  const response = await service.request('/twilio/texts/msg_01kdtqb00071qz6sbs7e2vkqza', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'MessageStatus=failed',
  });
  assert.equal(response.status, 404);
});

test('a signature is that of the documented example, and of nothing else', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  });
  const signature = '0/KCTR6DLpKmkAf8muzZqo1nDgQ=';
  assert.equal(twilioSignature('12345', url, form), signature);
  assert.ok(isSignedByTwilio('12345', { url, form, signature }));
  assert.ok(!isSignedByTwilio('12346', { url, form, signature }));
  assert.ok(!isSignedByTwilio('12345', { url: `${url}&x`, form, signature }));
  assert.ok(!isSignedByTwilio('12345', { url, form, signature: undefined }));
  form.set('Digits', '1');
  assert.ok(!isSignedByTwilio('12345', { url, form, signature }));
});

test('names cannot break out of what is said on a call', () => {
  const spoken = twiml(
    gather('https://a.example/x?a=1&b=2', '<Hangup/> & "Tom"', 'en-GB'),
    sayElement("O'Neill", 'th-TH'),
  );
  assert.doesNotMatch(spoken, /<Hangup/);
  assert.match(spoken, /<Say language="en-GB">.*<Say language="th-TH">O/);
  assert.match(spoken, /action="https:\/\/a.example\/x\?a=1&amp;b=2"/);
  assert.match(spoken, /&lt;Hangup\/&gt; &amp; &quot;Tom&quot;/);
});
