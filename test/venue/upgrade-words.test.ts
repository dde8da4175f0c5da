import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldClaims } from '../../src/directory/provenance/field-claim.ts';
import {
  addPlace,
  addSubmission,
  agentId,
  migrate,
  migrateUntil,
  NOW,
  pool,
  staffId,
} from './before-upgrade.ts';

const MIGRATION = '0028_words.sql';
await migrateUntil(MIGRATION);

async function wordsOf(placeId: string): Promise<Record<string, string[]>> {
  const [place] = await pool<{ words: FieldClaims }[]>`select words from place where id = ${placeId}`;
  assert.ok(place);
  return Object.fromEntries(
    Object.entries(place.words).map(([field, words]) => [
      field,
      words.map(({ by, ref, proof, value }) => {
        const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
        return [by, ref, proof, JSON.stringify(text)].join(' ');
      }),
    ]),
  );
}

test('an upgrade keeps who said what: agents, operators who act for a venue, venues, providers and maps', async () => {
  const submitted = await addPlace({ badge: 'mapped' }, {});
  const third = await addSubmission(submitted, { relationship: 'third_party' });
  await pool`
    update place set phone = '+62361555999', languages = '{id,en}', origins = ${pool.json({ phone: third, languages: third })},
      published = '{"phone":"+62361555111"}' where id = ${submitted}`;

  const claimed = await addPlace({ badge: 'claimed' }, {});
  const acting = await addSubmission(claimed, { relationship: 'owner' });
  const hours = (text: string, source: string) => ({ text, source, observed_at: NOW, compiled: null });
  await pool`
    update place set about = 'Ours.', email = 'ours@venue.example', hours = ${pool.json(hours('Mo 08:00-10:00', 'owner'))},
      origins = ${pool.json({ about: `owner:${acting}`, email: 'owner', hours: 'owner' })},
      booking_method = 'not_through', chosen_by_venue = true
    where id = ${claimed}`;
  const before = { value: hours('Tu 08:00-10:00', 'map'), origin: null };
  await pool`
    insert into venue_edit (place_id, part, before, after, edited_at)
    values (${claimed}, 'hours', ${pool.json(before)}, '{}', ${NOW})`;

  const [rich, richer] = [await addPlace({ badge: 'mapped' }, {}), await addPlace({ badge: 'mapped' }, {})];
  const url = 'https://www.sevenrooms.com/reservations/x';
  await pool`update place set website = 'https://provider.example/', booking_url = ${url}, booking_platform = 'sevenrooms',
    booking_method = 'venue_system' where id = ${rich}`;
  await pool`update place set website = 'https://map.example/' where id = ${richer}`;
  for (const placeId of [rich, richer])
    await pool`
      insert into place_enrichment (place_id, website, booking_url, booking_platform, updated_at)
      values (${placeId}, 'https://provider.example/', ${placeId === rich ? url : null},
              ${placeId === rich ? 'sevenrooms' : null}, ${NOW})`;
  // What the older rules could leave behind: a method of a page before, and a website that an agent took back.
  const left = await addPlace({ booking_method: 'venue_system', booking_url: 'https://b.example/' }, {});
  await pool`
    insert into place_enrichment (place_id, website, booking_url, booking_platform, updated_at)
    values (${left}, 'https://provider.example/', 'https://b.example/', null, ${NOW})`;
  const priced = await addPlace({ price_range: '$$' }, {});
  const edited = await addPlace({ badge: 'claimed', about: 'Ours.' }, { about: 'owner' });
  await pool`
    insert into venue_edit (place_id, part, before, after, edited_at)
    values (${edited}, 'about', ${pool.json({ value: 'Theirs.', origin: third })}, '{}', ${NOW})`;
  const plain = await addPlace({ phone: '+62361555000' }, {});

  await migrate(MIGRATION);

  assert.deepEqual(await wordsOf(submitted), {
    phone: [`agent ${third} reviewed:${staffId} "+62361555999"`, 'map osm published "+62361555111"'],
    languages: [`agent ${third} reviewed:${staffId} ["id","en"]`],
  });
  const way = '{"booking_url":null,"booking_method":"not_through","booking_platform":null}';
  assert.deepEqual(await wordsOf(claimed), {
    about: [`owner ${acting} acts:${agentId} "Ours."`],
    email: ['owner venue claim "ours@venue.example"'],
    hours: ['owner venue claim "Mo 08:00-10:00"', 'map osm published "Tu 08:00-10:00"'],
    booking: [`owner venue claim ${way}`],
  });
  const page = `{"booking_url":"${url}","booking_method":"venue_system","booking_platform":"sevenrooms"}`;
  assert.deepEqual(await wordsOf(rich), {
    website: ['provider provider published "https://provider.example/"'],
    booking: [`provider provider published ${page}`],
  });
  assert.deepEqual(await wordsOf(richer), {
    website: [
      'map osm published "https://map.example/"',
      'provider provider published "https://provider.example/"',
    ],
  });
  assert.deepEqual(await wordsOf(plain), {});
  assert.deepEqual(await wordsOf(priced), { price_range: ['provider provider published "$$"'] });
  assert.deepEqual(await wordsOf(edited), {
    about: ['owner venue claim "Ours."', `agent ${third} reviewed: "Theirs."`],
  });
  const [aligned] = await pool`select website, booking_method, booking_url from place where id = ${left}`;
  assert.deepEqual(
    { ...aligned },
    { website: 'https://provider.example/', booking_method: 'phone', booking_url: 'https://b.example/' },
  );
  await assert.rejects(
    pool`update place set phone = '+62361555123' where id = ${submitted}`,
    /place_shows_first_word/,
  );
});
