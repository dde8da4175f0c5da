import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchPlaces } from '../../src/search/search-places.ts';
import { sharedService } from '../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { deps } = service.app;

const destination = deps.destinations.current.destinations.find(({ slug }) => slug === 'bali');
const search = (more: Record<string, unknown>) =>
  searchPlaces(deps, { destination, limit: 50, ...more }).cards();

test('a search for what is open keeps to every other filter', () => {
  const openAt = new Date('2026-11-16T04:00:00Z');
  for (const category of ['restaurant', 'cafe', 'shop', 'hotel', 'museum']) {
    const all = search({ category }).map(({ place_id }) => place_id);
    const open = search({ category, openAt });
    assert.ok(
      open.every(({ place_id }) => all.includes(place_id)),
      category,
    );
    for (const { area } of open.slice(0, 3)) {
      const inArea = search({ category, area: area ?? undefined, openAt });
      assert.ok(inArea.length > 0 && inArea.every((card) => area === null || card.area === area));
    }
  }
  assert.ok(search({ category: 'restaurant', openAt }).length > 0);
  assert.deepEqual(search({ category: 'no_such_kind', openAt }), []);
});
