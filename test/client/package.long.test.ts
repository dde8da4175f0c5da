import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { noBrowser, openBrowser, VIEWS } from '../harness/browser/browser.ts';
import { runPackageBin } from '../harness/clients/package-bin.ts';
import { startTestService, USER_AGENT } from '../harness/service/service.ts';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '../../packages/client');
const folder = await mkdtemp(join(tmpdir(), 'waypost-client-'));
after(() => rm(folder, { recursive: true, force: true }));
const installed = join(folder, 'node_modules/waypost-client');

/** A program as somebody else writes it, with strict types. */
const PROGRAM = `
import { Waypost, ProblemError, type Item, type ErrorCode } from 'waypost-client';
import { verifyWebhook, type WebhookEvent } from 'waypost-client/webhooks';

const [baseUrl = ''] = [process.argv[2]];
const client = new Waypost({ baseUrl, userAgent: '${USER_AGENT}' });
const { destinations } = await client.listDestinations({ country: 'ID' });
const names: string[] = destinations.map(({ name }) => name);
const place = async (): Promise<Item<'search_places'> | undefined> => {
  for await (const one of client.each('search_places', { q: 'pizza', limit: 5 })) return one;
  return undefined;
};
let code: ErrorCode | (string & {}) = 'not_found';
try {
  await place();
} catch (error) {
  if (error instanceof ProblemError) code = error.code;
}
const event = verifyWebhook({ body: '{}', headers: {} }, 'whsec_c2VjcmV0').then(
  ({ type }: WebhookEvent) => type,
  (error: Error) => error.name,
);
console.log(JSON.stringify({ known: names.length > 0, code, event: await event }));
// @ts-expect-error: a party has a size in numbers.
void (() => client.getPlace({ place_id: 'plc_1', party_size: 'four' }));
// @ts-expect-error: a business needs a name.
void (() => client.submitBusiness({ relationship: 'third_party', country: 'ID', city: 'Bali' }));
// @ts-expect-error: there are no pages of an account.
void (() => client.pages('get_account'));
`;

const COMPILER = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(PACKAGE, '../../node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Checks the package's declarations too.
    skipLibCheck: false,
  },
  files: ['program.ts'],
};

test('the package is packed, installs without a network and holds what it should', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [
    { filename: string; unpackedSize: number; files: { path: string }[] },
  ];
  const paths = packed.files.map(({ path }) => path);
  for (const path of ['LICENSE', 'README.md', 'package.json', 'dist/waypost.js', 'dist/webhooks.d.ts'])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/.+\.(js|d\.ts))$/.test(path)),
    [],
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], {
    cwd: folder,
  });
  const described = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object;
  assert.ok(!('dependencies' in described) && !('private' in described));
});

test("a stranger's program is checked against its types, and runs", async () => {
  const service = await startTestService({ demoPlaces: 300 });
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
  const { stdout, code } = await runPackageBin('typescript', 'tsc', ['-p', '.'], {
    home: folder,
    timeoutMs: 300_000,
  });
  assert.deepEqual([stdout, code], ['', 0]);
  const told = await run(process.execPath, ['program.js', service.url], { cwd: folder });
  assert.deepEqual(JSON.parse(told.stdout), {
    known: true,
    code: 'missing_credentials',
    event: 'SignatureError',
  });
});

test('it runs in a page of another site and in a worker of it', { skip: noBrowser }, async () => {
  const service = await startTestService({ demoPlaces: 300 });
  const script = `import { Waypost } from '/waypost.js';
    import { verifyWebhook } from '/webhooks.js';
    const client = new Waypost({ baseUrl: '${service.url}', userAgent: '${USER_AGENT}' });
    const { destinations } = await client.listDestinations();
    const refused = await client.searchPlaces({ q: 'pizza' }).catch(({ code }) => code);
    const body = '{"id":"msg_01","type":"booking.confirmed"}';
    const signature = 'v1,nxYiQqok3DPe61jhkr5OL5/MibrAl52tcQc1vM8miXw=';
    const headers = { 'webhook-id': 'msg_01', 'webhook-timestamp': '1794700800', 'webhook-signature': signature };
    const secret = 'whsec_' + btoa('0123456789abcdef0123456789abcdef');
    const { type } = await verifyWebhook({ body, headers }, secret, { now: new Date(1794700800000) });
    postMessage([destinations.length > 0, refused, type]);`;
  const page = `<!doctype html><script type="module" src="/try.js"></script>`;
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    const text =
      url === '/' ? page : url === '/try.js' ? script : readFile(join(installed, 'dist', url), 'utf8');
    void Promise.resolve(text)
      .catch(() => '')
      .then((found) => response.writeHead(200, { 'content-type': type }).end(found));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { page: tab } = await openBrowser(origin, VIEWS[2]);
  await tab.addInitScript(
    `window.told = new Promise((done) => addEventListener('message', (e) => done(e.data)))`,
  );
  await tab.goto(origin);
  const expected = [true, 'missing_credentials', 'booking.confirmed'];
  assert.deepEqual(await tab.evaluate('window.told'), expected);
  const inWorker = `new Promise((done) => {
    new Worker('/try.js', { type: 'module' }).onmessage = ({ data }) => done(data);
  })`;
  assert.deepEqual(await tab.evaluate(inWorker), expected);
});
