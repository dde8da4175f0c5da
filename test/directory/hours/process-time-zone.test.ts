import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { tries } from '../../harness/tier.ts';

const ZONES = ['Pacific/Auckland', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu'];
const PROGRAM = join(import.meta.dirname, 'print-compiled.ts');

function printed(timezone: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM], {
    env: { ...process.env, TZ: timezone },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('The time zone of the process changes nothing, not even on the days of its clock changes.', () => {
  const utc = printed('UTC');
  assert.equal(utc.split('\n').length, 12);
  for (const timezone of ZONES.slice(0, tries({ quick: 1, long: ZONES.length }))) {
    assert.equal(printed(timezone), utc, timezone);
  }
});
