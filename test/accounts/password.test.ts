import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../src/accounts/staff/password.ts';

test('a password is stored under a salt of its own, with much work, and opens', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.match(one, /^scrypt\$131072\$8\$1\$/);
  assert.notEqual(one, other);
  assert.equal(await verifyPassword('correct horse', one), true);
});

test('a password that was stored with less work still opens, and nothing else does', async () => {
  const older = 'scrypt$1024$8$1$YSkLBOq_wMIL74vMdbOOdQ$d1-Yd6xVLAWbUJH1jY9sJVC9athASLfy2KKLcKJY8Hc';
  assert.equal(await verifyPassword('correct horse battery', older), true);
  for (const other of ['correct horse', 'correct horsе battery', 'correct horse battery ', ''])
    assert.equal(await verifyPassword(other, older), false, other);
});

test('a text that is no hash matches no password', async () => {
  for (const stored of ['', 'none', 'scrypt$1024$8$1$', 'scrypt$1024$8$1$YSkLBOq_wMIL74vMdbOOdQ$'])
    assert.equal(await verifyPassword('', stored), false, stored);
});
