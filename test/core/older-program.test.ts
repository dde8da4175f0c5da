import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { CHECKOUT } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';

const database = await createTestDatabase();
const { pool } = database;
after(() => database.drop());

test('a program starts and works on a database to which a newer one has added something, until that removes something', async () => {
  await pool.unsafe(`
    alter table place add column of_a_later_release text;
    alter table submission add column of_a_later_release boolean not null default false;
    create table of_a_later_release (id text primary key);
    insert into migration (name, checksum) values ('9000_adds.sql', 'later')`);
  assert.deepEqual(await migrate(pool), []);
  const service = await startTestService({ database });
  const agent = await SubmittingAgent.signUp(service);
  await agent.business();
  assert.equal((await agent.get('/api/agent/search?city=bali&q=coffee')).status, 200);

  await pool`insert into migration (name, checksum, ends_older) values ('9001_removes.sql', 'later', true)`;
  await assert.rejects(
    migrate(pool),
    /This program \(version .*\) is too old for the database, which has been through 9001_removes\.sql\. Upgrade the program\.$/,
  );
  // The node that runs goes on until it is upgraded.
  assert.equal((await service.request('/readyz')).status, 200);
});

test('each migration has a number of its own, in the order of their names', () => {
  const numbers = readdirSync(`${CHECKOUT}/migrations`).map((name) => name.slice(0, 4));
  assert.deepEqual(numbers, [...new Set(numbers)].sort());
});

test('a migration that removes or renames something says that it ends older programs', () => {
  /** From here on the previous release runs beside the next. */
  const FIRST = '0083';
  const folder = `${CHECKOUT}/migrations`;
  const silent = readdirSync(folder).filter((name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    return name >= FIRST && !text.startsWith('-- ends older programs\n') && REMOVES.test(text);
  });
  assert.deepEqual(silent, []);
  for (const statement of ['drop table a', 'alter table a drop column b', 'alter table a\n  rename b to c'])
    assert.match(statement, REMOVES);
  for (const statement of [
    'alter table a add column b text',
    'drop index a',
    'alter table a drop constraint b',
  ])
    assert.doesNotMatch(statement, REMOVES);
});

const REMOVES =
  /\b(drop\s+(table|column|function|view|type)|rename\s+(to|column|\w+\s+to)|alter\s+column\s+\w+\s+(type|set\s+not\s+null|drop\s+default)|truncate)\b/i;
