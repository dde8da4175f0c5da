import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPlace, addSubmission, migrate, migrateUntil, newId, NOW, pool } from './before-upgrade.ts';

const MIGRATION = '0019_whose_word.sql';

async function readPlace(id: string): Promise<Record<string, unknown>> {
  const [place] =
    await pool`select origins, published, hours->>'source' as hours from place where id = ${id}`;
  assert.ok(place);
  return place;
}

async function sendCode(placeId: string, channel: string, contact: string): Promise<void> {
  await pool`insert into claim_code (place_id, channel, contact) values (${placeId}, ${channel}, ${contact})`;
}

await migrateUntil(MIGRATION);

test('an upgrade gives back what can be known of whose word a field is', async () => {
  const other = newId('sub');
  const replaced = await addPlace(
    { email: 'new@agent.example', phone: '+62361555111', website: 'https://agent.example/' },
    { email: other, phone: other, website: other },
  );
  await sendCode(replaced, 'mail', 'halo@venue.example');
  await sendCode(replaced, 'sms', '+62361555111');
  await pool`insert into place_enrichment (place_id, website, updated_at) values (${replaced}, 'https://venue.example/', ${NOW})`;
  const unknown = await addPlace({ phone: '+62361555222' }, { phone: other });

  const hours = pool.json({ text: 'Mo-Su 00:00-04:00', source: 'owner', observed_at: NOW, compiled: null });
  const claimed = await addPlace(
    { badge: 'claimed', phone: '+62361555333', about: 'Our own words.', hours },
    { phone: 'owner', hours: 'owner', about: 'owner' },
  );
  await sendCode(claimed, 'sms', '+62361555444');
  await pool`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${claimed}, 'sms', '+62361555444', ${NOW})`;
  const after = pool.json({ value: 'Our own words.', origin: 'owner' });
  await pool`
    insert into venue_edit (place_id, part, before, after, edited_at) values (${claimed}, 'about', '{}', ${after}, ${NOW})`;
  const owners = await addSubmission(claimed, {
    relationship: 'owner',
    phone: '+62361555333',
    hours: 'Mo-Su 00:00-04:00',
    description: 'Their words.',
  });

  const manages = { relationship: 'authorized_agent', email: 'Agent@agent.example' };
  const asked = [await addSubmission(null, manages), await addSubmission(null, manages)];
  for (const [at, contact] of ['agent@agent.example', 'halo@venue.example'].entries())
    await pool`
      insert into business_confirmation (submission_id, revision, token_hash, channel, contact, asked_at)
      values (${asked[at] ?? ''}, 1, ${Buffer.alloc(32, at)}, 'mail', ${contact}, ${NOW})`;

  await migrate(MIGRATION);

  assert.deepEqual(await readPlace(replaced), {
    origins: { email: other, website: other },
    published: { email: 'halo@venue.example', website: 'https://venue.example/' },
    hours: null,
  });
  assert.deepEqual(await readPlace(unknown), { origins: { phone: other }, published: {}, hours: null });
  assert.deepEqual(await readPlace(claimed), {
    origins: { phone: owners, hours: owners, about: 'owner' },
    published: { phone: '+62361555444' },
    hours: 'reviewer',
  });
  const questions = await pool<{ channel: string; kept: boolean }[]>`
    select channel, token_hash = ${Buffer.alloc(32, 1)} as kept from business_confirmation order by asked_at, contact nulls first`;
  assert.deepEqual(
    [...questions],
    [
      { channel: 'desk', kept: false },
      { channel: 'mail', kept: true },
    ],
  );
  const tasks = await pool<{ submission_id: string }[]>`select submission_id from desk_task`;
  assert.deepEqual(
    tasks.map((task) => task.submission_id),
    asked.slice(0, 1),
  );
});
