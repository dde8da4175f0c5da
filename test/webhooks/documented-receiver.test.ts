import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';

const ROOT = new URL('../../', import.meta.url);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the receiver as the document has it. */
function runDocumented(secret: string, port: number): { printed: () => string } {
  const [, code = ''] =
    /\nWith standardwebhooks, .*\n\n```js\n([^]*?)```/.exec(
      readFileSync(new URL('docs/guides/webhooks.md', ROOT), 'utf8'),
    ) ?? [];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => child.kill());
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { printed: () => text };
}

test('the receiver of the document takes real deliveries, and nothing that we did not sign', async () => {
  const port = await freePort();
  const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: `127.0.0.1:${port}` } });
  service.clock.advance(Date.now() - service.clock.now().getTime());
  const url = `http://127.0.0.1:${port}/`;
  const partner = await WebhookPartner.register(service, url);
  const receiver = runDocumented(partner.secret, port);
  await until('it listens', async () => (await fetch(url).catch(() => undefined)) !== undefined);
  const booking = partner.newBooking();
  await partner.move(booking, 1, 'asking');
  await partner.move(booking, 2, 'confirmed');
  assert.equal((await partner.untilAttempted(booking, 1, 2)).http_status, 204);
  assert.equal(receiver.printed(), `${booking} is asking\n${booking} is confirmed\n`);
  await partner.set({ url, send_test: true });
  await until('the test event is delivered', async () => {
    const [newest] = (await partner.status()).deliveries;
    return newest?.event === 'test' && newest.state === 'delivered';
  });
  const forged = await fetch(url, { method: 'POST', body: '{"type":"booking.confirmed"}' });
  assert.equal(forged.status, 400);
});
