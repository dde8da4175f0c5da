import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { balancerConfiguration } from '../src/commands/cluster/balancer.ts';
import { debianProgram } from './harness/debian/debian-program.ts';
import { until } from './harness/service/jobs.ts';
import { CHECKOUT, freePort } from './harness/service/program.ts';
import { type TestService } from './harness/service/service.ts';
import { sharedService } from './harness/service/shared-service.ts';
import { addPhotographer, sendFiles } from './photos/photographer.ts';
import { flat } from './photos/made-pictures.ts';

const NGINX = '/usr/sbin/nginx';
const nginx = await debianProgram(NGINX, 'nginx');
const skip = 'missing' in nginx && nginx.missing;
const service = await sharedService();
const read = (file: string) => readFileSync(join(CHECKOUT, file), 'utf8');

/** A block of a configuration, without what differs between places: indentation, comments and where the nodes are. */
function block(text: string, head: string): string[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim() === head);
  assert.ok(from >= 0, head);
  const indent = /^ */.exec(lines[from] ?? '')?.[0] ?? '';
  const to = lines.findIndex((line, at) => at > from && line === `${indent}}`);
  return lines
    .slice(from, to + 1)
    .map((line) => line.trim().replace(/^server \S+:\d+ /, 'server NODE '))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

test('the runbook shows the balancer that compose starts', () => {
  for (const head of ['upstream waypost {', 'server {'])
    assert.deepEqual(block(read('docs/operations.md'), head), block(read('deploy/nginx.conf'), head));
});

test('compose starts everything again, closes the figures, and trusts its own balancer alone', () => {
  const compose = read('compose.yaml');
  const services = [...compose.matchAll(/^ {2}([a-z-]+):(?: &node)?$/gm)].map(([, name]) => name);
  assert.deepEqual(services.slice(0, 4), ['database', 'node-a', 'node-b', 'balancer']);
  assert.equal(compose.match(/restart: unless-stopped/g)?.length, 3, 'node-b is a copy of node-a');
  assert.match(compose, /METRICS_TOKEN: \$\{METRICS_TOKEN:\?/);
  const address = /TRUSTED_PROXIES: (\S+)/.exec(compose)?.[1] ?? '';
  assert.match(compose.split('  balancer:')[1] ?? '', new RegExp(`ipv4_address: ${address} `));
});

test('the health check of the image asks the port that the service listens on', async () => {
  const command = /HEALTHCHECK .*CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '';
  const [, ...args] = JSON.parse(command) as string[];
  const ask = (port: string) =>
    promisify(execFile)(process.execPath, args, { env: { ...process.env, PORT: port } });
  await ask(new URL(service.url).port);
  await assert.rejects(ask(String(await freePort())));
});

test('nginx takes the configuration as it is', { skip }, async () => {
  const { file, folder } = await configuration();
  const { stderr } = await promisify(execFile)(NGINX, ['-t', '-c', file, '-p', folder]);
  assert.match(stderr, /test is successful/);
});

test(
  'photos go through nginx, what is too long is answered by the node, and figures stay inside',
  { skip },
  async () => {
    const through = { ...service, url: await startNginx() };
    const request: TestService['request'] = (path, init = {}) =>
      fetch(through.url + path, {
        ...init,
        headers: { 'user-agent': 'Test/1.0 (+https://waypost.example)', ...(init.headers as object) },
      });
    const photographer = await addPhotographer(service);
    const bytes = await flat(2600, 2000).png({ compressionLevel: 0 }).toBuffer();
    assert.ok(bytes.length > 8 * 2 ** 20, 'more than proxies take unless they are told');
    const sent = await sendFiles({ ...through, request }, photographer, [{ name: 'large.png', bytes }]);
    assert.equal(sent.status, 201, await sent.text());
    const long = await request('/api/agent/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ purpose: 'x'.repeat(300_000) }),
    });
    assert.equal(long.status, 413);
    assert.equal(((await long.json()) as { code: string }).code, 'body_too_large');
    assert.equal((await request('/metrics')).status, 404);
  },
);

/** The balancer's configuration with the node where it is, and a port and a folder of the test's own. */
async function configuration() {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-nginx-'));
  // Where nginx is started by root, its workers are somebody else.
  chmodSync(folder, 0o755);
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const port = await freePort();
  const node = Number(new URL(service.url).port);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, balancerConfiguration({ host: '127.0.0.1', port, nodes: [node, node] }, folder));
  return { file, folder, port };
}

async function startNginx(): Promise<string> {
  const { file, folder, port } = await configuration();
  const server = spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('close', resolve));
  after(async () => {
    server.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until('nginx answers', async () => {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    return response?.status === 200;
  });
  return url;
}
