import { addNamedPlace } from '../directory/named-place.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

/** A service with a town of landmarks, each a known distance north or south of the middle. */
export const service = await startTestService();
const agent = await SubmittingAgent.signUp(service);
await service.database.pool`update agent set plan = 'scale' where id = ${agent.agentId}`;

/** Metres north of the middle of Helsinki. */
export const [LAT, LNG] = [60.17, 24.94];
export const north = (metres: number) => ({ lat: LAT + metres / 111_195, lng: LNG });
export const helsinki = { slug: 'helsinki' };

export const fort = await addNamedPlace(service, {
  ...helsinki,
  name: 'Fort St. Elmo',
  names: {
    fr: 'Fort Saint-Elme',
    ja: '聖エルモ砦',
    ru: 'Форт Святого Эльма',
    th: 'ป้อมเซนต์เอลโม',
    fi: 'Elmon linna',
  },
  vertical: 'attraction',
  category: 'fort',
  ...north(0),
});
export const inn = await addNamedPlace(service, {
  ...helsinki,
  name: 'Inn',
  ...north(80),
  facts: { wheelchair: 'yes' },
});
await addNamedPlace(service, { ...helsinki, name: 'Far Inn', ...north(900) });
await addNamedPlace(service, { ...helsinki, name: 'Quick Bite', category: 'fast_food', ...north(20) });
await addNamedPlace(service, { ...helsinki, name: 'Third Inn', ...north(1_200) });
await addNamedPlace(service, {
  ...helsinki,
  name: 'Elmo Chemist',
  vertical: 'clinic',
  category: 'pharmacy',
  ...north(400),
});
await addNamedPlace(service, {
  ...helsinki,
  name: 'Remote Museum',
  vertical: 'attraction',
  category: 'museum',
  ...north(9_000),
});
await addNamedPlace(service, {
  ...helsinki,
  name: 'Ruoholahti',
  names: { en: 'Ruoholahti', ja: 'ルオホラハティ' },
  vertical: 'transport',
  category: 'station',
  ...north(-5_000),
});
export const bridgeEast = await addNamedPlace(service, {
  ...helsinki,
  name: 'Old Bridge',
  vertical: 'attraction',
  category: 'bridge',
  ...north(3_000),
});
await addNamedPlace(service, {
  ...helsinki,
  name: 'Old Bridge',
  vertical: 'attraction',
  category: 'bridge',
  ...north(-3_000),
});
await service.database.pool`update place set prominence = 60 where id = ${bridgeEast}`;
await addNamedPlace(service, {
  ...helsinki,
  name: 'The Bar Near the Fort',
  vertical: 'bar',
  category: 'bar',
  ...north(5_000),
});
for (const [name, address, metres] of [
  ['Kirja', 'Rue Longue 3', 6_000],
  ['Lehti', 'Rue Longue 30', 6_400],
  ['Sanat', 'Quai Neuf 1', 6_420],
] as const) {
  const id = await addNamedPlace(service, {
    ...helsinki,
    name,
    vertical: 'shop',
    category: 'books',
    ...north(metres),
  });
  await service.database.pool`update place set address = ${address} where id = ${id}`;
}
await addNamedPlace(service, {
  ...helsinki,
  name: 'Kahvi',
  vertical: 'cafe',
  category: 'cafe',
  areas: ['Kallio'],
  ...north(-800),
});
await addNamedPlace(service, {
  ...helsinki,
  name: 'Gelato',
  vertical: 'cafe',
  category: 'ice_cream',
  ...north(-100),
});
await addNamedPlace(service, {
  ...helsinki,
  name: 'National Theatre',
  vertical: 'attraction',
  category: 'theatre',
  ...north(2_000),
});
for (const [name, category] of [
  ['Mita Police Station', 'police'],
  ['Lauttasaari', 'tower'],
  ['Kulosaari', 'tower'],
  ['Carrot Tower', 'tower'],
  ['Vantaa', 'tower'],
  ['Espoo', 'tower'],
  ['Tapiola', 'tower'],
  ['Pasila', 'tower'],
  ['Malmi', 'tower'],
  ['Itis', 'tower'],
  ['Puistola', 'tower'],
] as const)
  await addNamedPlace(service, { ...helsinki, name, vertical: 'attraction', category, ...north(2_500) });
export const castle = await addNamedPlace(service, {
  ...helsinki,
  name: 'Linna',
  vertical: 'attraction',
  category: 'castle',
  ...north(7_000),
});
await service.database.pool`update place set prominence = 60 where id = ${castle}`;
// Of equal prominence their order would be that of their ids.
for (const [name, category, metres, prominence] of [
  ['Lower Castle', 'castle', -7_000, 30],
  ['Castle Chapel', 'chapel', -7_800, 10],
] as const) {
  const at = { ...helsinki, ...north(metres) };
  const id = await addNamedPlace(service, { ...at, name, vertical: 'attraction', category });
  await service.database.pool`update place set prominence = ${prominence} where id = ${id}`;
}
await addNamedPlace(service, { slug: 'monaco', name: 'Casino', vertical: 'attraction', category: 'casino' });
await service.app.deps.places.rebuild();
await service.app.deps.destinations.refresh();

export interface Near {
  place_id?: string;
  name: string;
  lat: number;
  lng: number;
}

export interface Found {
  places: { place_id: string; name: string; distance_m?: number }[];
  understood?: { near?: Near; near_others?: Near[]; kind?: string; left_out?: string[]; wishes?: string[] };
  next_cursor: string | null;
  hint?: string;
}

export async function search(q: string, more: Record<string, string> = { city: 'helsinki' }): Promise<Found> {
  const query = new URLSearchParams({ q, ...more }).toString();
  return (await agent.get<Found & Record<string, unknown>>(`/api/agent/search?${query}`)).body;
}

export const names = ({ places }: Found) => places.map(({ name }) => name);
