import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { until } from '../harness/service/jobs.ts';
import { addReviewer, decide } from '../harness/people/submissions.ts';
import { tries } from '../harness/tier.ts';
import { codeBlocks, fencedExamples, type Example } from './fenced.ts';
import { NOT_CODE, NOT_RUN } from './not-run.ts';
import {
  base,
  confirmedTable,
  offerAnotherTable,
  partnersOwn,
  paste,
  pay,
  receiverPort,
  service,
  shell,
  untilPhotos,
} from './reader.ts';

const text = async (path: string) => (await service.request(path)).text();

const first = await text('/docs');
const paths = [
  '/docs',
  ...new Set([...first.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path = '']) => path)),
].filter((path) => path !== '/docs/search');
const pages = await Promise.all(
  paths.map(async (path) => ({ path, examples: fencedExamples(path, await twin(path)) })),
);

/** The first page has no text of its own: it begins the whole. */
async function twin(path: string): Promise<string> {
  if (path !== '/docs') return text(`${path}.md`);
  const whole = await text('/docs.md');
  return whole.slice(0, whole.indexOf('\n## Rules and limits'));
}

const isScript = ({ text: code }: Example) => /^(curl |[A-Z_]+=)/.test(code);
const isProgram = ({ text: code }: Example) => code.startsWith('import ');
const isData = ({ text: code }: Example) => /^[{[]/.test(code);
const all = pages.flatMap(({ examples }) => examples);
const titled = (caption: RegExp) => {
  const example = all.find((one) => caption.test(one.caption));
  assert.ok(example, String(caption));
  return example;
};

/** Runs the steps of "Running the examples", with those that it leaves to people. */
before(async () => {
  await untilPhotos();
  await paste('1', titled(/^Script 1/).text);
  const [topUp = '', license = ''] = titled(/^Script 2/).text.split('\n\n');
  await pay((await paste('2', topUp)).out);
  await paste('2', license);
  await beginAsPartner();
  for (const name of [
    'KEY',
    'PLACE_ID',
    'PHOTO_ID',
    'SUBMISSION_ID',
    'LICENSE_ID',
    'DELIVERY_ID',
    'BOOKING_ID',
    'OFFER_ID',
  ])
    assert.match(await shell.value(name), /^\w{10,}$/, name);
});

async function beginAsPartner(): Promise<void> {
  const own = await partnersOwn();
  const filled = titled(/^Script 3/).text.replaceAll(/^([A-Z_]+)='[^']*…'$/gm, (_, name: string) => {
    assert.ok(own[name], `a reader knows ${name}`);
    return `${name}='${own[name]}'`;
  });
  await paste('3', filled);
  await offerAnotherTable(await shell.value('BOOKING_ID'), await shell.value('DATE'));
  await paste('4', titled(/^Script 4/).text);
}

test('a page and its twin have the same examples, and the whole has all of them', async () => {
  const whole = fencedExamples('/docs.md', await text('/docs.md')).map((example) => example.text);
  const trimmed = (blocks: string[]) => blocks.map((block) => block.trimEnd());
  assert.ok(pages.length > 12, String(pages.length));
  for (const { path, examples } of pages) {
    const own = examples.map((example) => example.text);
    assert.deepEqual(own, trimmed(codeBlocks(await text(path))), path);
  }
  assert.deepEqual(
    whole,
    all.map((example) => example.text),
  );
});

test('every example is a script, a program, data, or on the list of what is not run', () => {
  const unknown = all.filter(
    (example) =>
      !isScript(example) &&
      !isProgram(example) &&
      !isData(example) &&
      ![...NOT_RUN, ...NOT_CODE].some(({ like }) => like.test(example.text)),
  );
  assert.deepEqual(unknown, []);
});

/** How many commands of each page are run in this tier. */
const COMMANDS = tries({ quick: 1, long: Infinity });

for (const { path, examples } of pages)
  test(`every command of ${path} runs as it is printed, and is answered as the page says`, async () => {
    // The Reserve button has a partner account of its own, as docs/reserve.md says.
    if (path === '/docs/mcp-reserve') await beginAsPartner();
    const commands = [...examples.entries()].filter(
      ([, example]) => isScript(example) && !/^Script \d/.test(example.caption),
    );
    for (const [at, example] of commands.slice(0, COMMANDS)) {
      // The page says that a message needs a confirmed table. That of the scripts has an offer.
      const own = example.text.includes('/bookings/message') && (await shell.value('BOOKING_ID'));
      if (own !== false)
        await paste('a table', `BOOKING_ID='${await confirmedTable(await shell.value('DATE'))}'`);
      const { out, statuses } = await paste(`${path}: ${example.caption}`, example.text);
      if (own !== false) await paste('the table of the scripts', `BOOKING_ID='${own}'`);
      const promised = examples[at + 1];
      const [, status] = /^Answer (\d+)$/.exec(promised?.caption ?? '') ?? [];
      if (promised === undefined || status === undefined) continue;
      assert.deepEqual(statuses, [Number(status)], example.text);
      const answer = JSON.parse(out) as Record<string, unknown>;
      const missing = Object.keys(JSON.parse(promised.text) as object).filter((name) => !(name in answer));
      assert.deepEqual(missing, [], `${example.text}\n${out.slice(0, 500)}`);
      // Later examples use the new key.
      if (example.text.includes('/me/rotate'))
        await paste('the new key', `KEY='${String(answer['api_key'])}'`);
    }
  });

test('the typed client of the page searches, with the key in its environment', async () => {
  const { text: code } = titled(/^Search, and go through/);
  const program = shell.node(code, { KEY: await shell.value('KEY') });
  assert.equal(await program.ended, 0, program.printed());
  assert.match(program.printed(), /^.+\n/);
});

test('the receivers of the page take what we post, and nothing that we did not sign', async () => {
  service.clock.advance(Date.now() - service.clock.now().getTime());
  const url = `http://127.0.0.1:${receiverPort}/`;
  const { text: webhooks } = titled(/^webhooks\.mjs/);
  const registered = await paste(
    'set_webhook',
    `curl '${base}/api/concierge/mcp' -H "X-Partner-Key: $PARTNER_KEY" -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_webhook","arguments":{"url":"${url}","send_test":true}}}'`,
  );
  const [secret = ''] = /whsec_[\w+/=]+/.exec(registered.out) ?? [];
  const one = shell.node(webhooks, { PORT: receiverPort, WEBHOOK_SECRET: secret });
  await until('the webhook is verified', () => one.printed().includes('webhook.test'));
  assert.equal((await fetch(url, { method: 'POST', body: '{"type":"booking.confirmed"}' })).status, 400);
  one.stop();
  await one.ended;
  const other = shell.node(titled(/^callbacks\.mjs/).text, { PORT: receiverPort });
  await until('it listens', async () => (await fetch(url).catch(() => undefined)) !== undefined);
  const submitted = await paste(
    'a submission',
    `curl '${base}/api/agent/business' -A 'Tests/1.0 (tests@example.com)' -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"relationship":"third_party","name":"Kedai Panggil","country":"ID","city":"Bali","callback_url":"${url}"}'`,
  );
  const { submission_id: id } = JSON.parse(submitted.out) as { submission_id: string };
  await decide(service, {
    submissionId: id,
    revision: 1,
    decision: 'approved',
    staffId: await addReviewer(service),
  });
  await until('the callback is verified', () => other.printed().includes('submission.approved'));
  assert.equal((await fetch(url, { method: 'POST', body: '{"type":"submission.approved"}' })).status, 400);
});

test('no example has an idempotency key that everybody would paste', async () => {
  const texts = [...all.map((example) => example.text), await text('/openapi.json'), await text('/llms.txt')];
  const constants = texts.flatMap((one) => one.match(/idempotency[-_]key["']?: *\\?["']?[\w-]+/gi) ?? []);
  assert.deepEqual(
    constants.filter((found) => !/:\s*["']?(?:type|string)\b/.test(found)),
    [],
  );
  assert.ok(texts.some((one) => one.includes('IDEMPOTENCY_KEY=$(')));
});
