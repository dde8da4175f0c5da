import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHECKOUT, freePort } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';

const [port, receiverPort] = [String(await freePort()), String(await freePort())];
const base = `http://localhost:${port}`;
const settings = { PORT: port, BASE_URL: base, PARTNER_URL: base, EGRESS_ALLOW: `127.0.0.1:${receiverPort}` };
const service = await startTestService({ demoPlaces: 300, settings });
// The receiver of the document compares the time of a signature with its own clock.
service.clock.advance(Date.now() - service.clock.now().getTime());

/** There it finds the library, and no commit contains it. */
const RECEIVER = 'node_modules/.rehearsal-receiver.mjs';

const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8');

/** The steps of the walk-through, with the addresses of this service. */
function steps(): string[] {
  const section = read('docs/concierge.md').split('## Rehearse in ten minutes')[1]?.split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/```bash\n([^]*?)```/g), ([, script = '']) =>
    script
      .replaceAll(/^ {3}/gm, '')
      .replaceAll('http://localhost:3000', base)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${receiverPort}`)
      .replaceAll('node receiver.mjs', `PORT=${receiverPort} node ${RECEIVER}`)
      .replaceAll('bkg_…', `'"$BOOKING"'`)
      .replaceAll('off_…', `'"$OFFER"'`),
  );
}

/** The reader's own actions between the steps: wait for the receiver to print a status, and copy an id. */
const READER = `
until_printed() { until grep -q "is $1" printed.txt; do sleep 0.2; done; }
copy() { tool booking_status '{"status":"'"$1"'"}' | grep -o "$2_[0-9a-z]*" | head -1; }
`;

test('the walk-through leads to confirmed, changed, cancelled and offered tables by verified webhooks', async () => {
  const [, key = '', register = '', ask = '', change = '', offer = '', ...later] = steps();
  const [wait = '', others = '', deliveries = ''] = later;
  const [, receiver = ''] =
    /With standardwebhooks, .*?```js\n([^]*?)```/s.exec(read('docs/guides/webhooks.md')) ?? [];
  const file = join(CHECKOUT, RECEIVER);
  const printed = join(service.app.deps.config.dataDir, 'printed.txt');
  after(() => rm(file, { force: true }));
  await Promise.all([writeFile(file, receiver), writeFile(printed, '')]);
  const [modify = '', status = ''] = change.split('tool booking_status');
  const [request = '', accept = ''] = offer.split(/(?=^tool modify_booking)/m);
  const untilPrinted = (words: string, times: number) =>
    `until [ "$(grep -c "${words}" '${printed}')" = ${times} ]; do sleep 0.2; done`;
  const script = [
    'set -eu',
    READER.replaceAll('printed.txt', `'${printed}'`),
    key,
    register.replace(' &\n', ` > '${printed}' &\n`),
    `trap 'kill %1' EXIT`,
    `until curl -s -o /dev/null http://127.0.0.1:${receiverPort}/; do sleep 0.2; done`,
    ask,
    'until_printed confirmed; BOOKING=$(copy confirmed bkg)',
    modify,
    untilPrinted('is confirmed', 2),
    `tool booking_status${status}`,
    'until_printed cancelled',
    request,
    'until_printed offered; BOOKING=$(copy offered bkg); OFFER=$(copy offered off)',
    accept,
    wait,
    untilPrinted('is offered', 2),
    'BOOKING=$(copy offered bkg); OFFER=$(copy offered off)',
    accept,
    others,
    'until_printed declined; until_printed no_answer',
    deliveries,
  ].join('\n');
  const shell = spawn('bash', ['-c', script], { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  shell.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  // A silent venue is given up by the clock of the service, which stands still in tests.
  const ticking = setInterval(() => {
    service.clock.advance(1_000);
  }, 1_000);
  const code = await new Promise((resolve) => shell.on('close', resolve));
  clearInterval(ticking);
  assert.equal(code, 0, out);
  for (const seen of [
    /place_closed:/,
    /is confirmed, booked/,
    /is cancelled, not booked/,
    /no_answer · delivered/,
  ])
    assert.match(out, seen);
});
