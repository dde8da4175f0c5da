import { test } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { migrate } from '../../../src/core/postgres/migrate.ts';
import { createPlainDatabase } from '../../harness/service/database.ts';
import { matchSnapshot } from '../../harness/snapshot.ts';
import { readSchemaCatalogue } from './schema-catalogue.ts';

test('the migrations produce exactly the schema that is committed', async (t) => {
  const database = await createPlainDatabase();
  t.after(() => database.drop());
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  t.after(() => pool.end());
  await migrate(pool);
  matchSnapshot('schema.json', await readSchemaCatalogue(pool));
});
