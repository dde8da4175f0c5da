import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/surfaces/operations.ts';
import { SCOPE_DESCRIPTIONS } from '../../src/accounts/keys/scope-descriptions.ts';

/** By operation: the words of its scope in which a person who approves a client reads of it. */
const TOLD: Readonly<Record<string, RegExp>> = {
  search_places: /Search the directory/,
  get_place: /read places/,
  search_photos: /photo offers/,
  quote_photo: /photo offers/,
  list_submissions: /your submissions/,
  photo_wallet: /your photo wallet/,
  get_account: /your account/,
  submit_business: /Submit businesses/,
  submit_promo: /promotions/,
  link_photo: /photos that you have licensed/,
  top_up_wallet: /where you can pay/,
};

test('the approval page of a client of the agent surface lists everything that its token opens there', () => {
  const opened = OPERATIONS.flatMap(({ name, access, tools, furtherTools = [] }) =>
    access.who === 'agent' && access.keyOnly !== true && [...tools, ...furtherTools].includes('agent')
      ? [{ name, words: SCOPE_DESCRIPTIONS[access.scope] }]
      : [],
  );
  assert.deepEqual(opened.map(({ name }) => name).sort(), Object.keys(TOLD).sort());
  for (const { name, words } of opened) assert.match(words, TOLD[name] ?? /never/, name);
});
