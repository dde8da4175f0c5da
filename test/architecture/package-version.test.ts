import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertPackageVersion } from '../../src/core/package-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-package-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a package of another version than the one it was written for is refused, with both versions', () => {
  mkdirSync(join(folder, 'node_modules', 'library'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'library', 'package.json'), '{"version":"2.0.1"}');
  const from = pathToFileURL(join(folder, 'file.js')).href;
  assertPackageVersion('library', '2.0.1', from);
  assert.throws(() => {
    assertPackageVersion('library', '2.0.0', from);
  }, /library 2\.0\.1 is installed, but .* was written for 2\.0\.0\./);
});

test('the two packages whose internals are used are checked when they are loaded', async () => {
  const { wrapModelMethod } = await import('../../src/oauth/library.ts');
  assert.throws(() => {
    wrapModelMethod({ prototype: {} }, 'consume', (_model, original) => original());
  }, /no method consume/);
  const { parseOsmHours, withWork } = await import('../../src/directory/hours/osm/osm-hours-library.ts');
  const place = { lat: 52, lng: 13, country: 'DE', timezone: 'Europe/Berlin' };
  assert.ok(withWork(1_000, new Date(), place.timezone, () => parseOsmHours('Mo 10:00-12:00', place)));
});
