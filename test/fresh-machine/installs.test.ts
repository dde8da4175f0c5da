import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { CHECKOUT } from '../harness/service/program.ts';

const home = await mkdtemp(join(tmpdir(), 'waypost-fresh-'));
after(() => rm(home, { recursive: true }));
const LOG = join(home, 'log');
const isRoot = process.getuid?.() === 0;
/** A machine with nothing on it but an apt-get that installs nothing and writes down how it was called. */
const APT_GET = `#!/bin/sh\necho "apt-get $*" >> '${LOG}'\n[ "$1" = --version ]\n`;

beforeEach(async () => {
  await writeFile(LOG, '');
  await writeFile(join(home, 'apt-get'), APT_GET);
  await chmod(join(home, 'apt-get'), 0o755);
});

function onFreshMachine(program: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: CHECKOUT,
    encoding: 'utf8',
    env: { PATH: home, ...env },
  });
}

// Messages and calls go into one log, in the order in which they happen.
const CHROMIUM = `
  import { appendFileSync } from 'node:fs';
  import { ensureChromium } from './test/harness/browser/chromium.ts';
  const note = (line) => appendFileSync(${JSON.stringify(LOG)}, 'said ' + line + '\\n');
  process.stdout.write(String(await ensureChromium(note)));`;

async function logged(): Promise<string[]> {
  return (await readFile(LOG, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.includes('--version'));
}

test('without Chromium one line says how to get it, after every install was announced', async () => {
  const { stdout, stderr, status } = onFreshMachine(CHROMIUM);
  assert.deepEqual([stdout, stderr, status], ['undefined', '', 0]);
  const lines = await logged();
  assert.equal(
    lines.pop(),
    'said No Chromium was found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path. The browser tests are SKIPPED.',
  );
  if (!isRoot) assert.deepEqual(lines, []);
  else {
    // The one without windows first. Where a release does not have it, the other one.
    const programs = ['chromium-headless-shell', 'chromium'];
    assert.deepEqual(
      lines.filter((line) => line.startsWith('said')).map((line) => line.split(':')[0]),
      programs.map((name) => `said Installing ${name} for the browser tests`),
    );
    assert.match(lines[0] ?? '', /^said Installing .*: apt-get install .*chromium-headless-shell/);
    assert.match(lines[1] ?? '', /^apt-get .*install .*chromium-headless-shell$/);
    assert.match(lines.at(-1) ?? '', /^apt-get .*install .*chromium$/);
  }
});

test('in CI a machine without Chromium is a failure', () => {
  const { stderr, status } = onFreshMachine(CHROMIUM, { CI: '1' });
  assert.equal(status, 1);
  assert.match(stderr, /Error: No Chromium was found/);
});

const PROGRAM = `
  import { debianProgram } from './test/harness/debian/debian-program.ts';
  process.stdout.write((await debianProgram('/nowhere/nginx', 'nginx')).missing);`;

test('a missing server is announced before it is installed, and its test says how to get it', async () => {
  const { stdout, stderr } = onFreshMachine(PROGRAM);
  assert.match(stdout, /^\/nowhere\/nginx was not found: install it \(Debian: apt-get install nginx\)/);
  const installs = (await logged()).length > 0;
  assert.equal(/^Installing nginx for a test: apt-get install .*nginx …\n$/.test(stderr), installs);
  const inCi = onFreshMachine(PROGRAM, { CI: '1' });
  assert.equal(inCi.status, 1);
});
