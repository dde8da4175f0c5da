import kinds from './map-kinds.json' with { type: 'json' };
import type { Tags } from '../../import/categories.ts';

/** Layers of a tile, as in the Protomaps basemap schema, version 4. */
export const LAYERS = [
  'earth',
  'landuse',
  'water',
  'buildings',
  'roads',
  'boundaries',
  'pois',
  'places',
] as const;
type LayerName = (typeof LAYERS)[number];

export const MAX_ZOOM = 14;

export type FeatureShape = 'point' | 'line' | 'polygon';
export type Properties = Record<string, string | number | true>;

/** One entry of a layer that an object of the map becomes. */
export interface FeatureKind {
  layer: LayerName;
  shape: FeatureShape;
  minZoom: number;
  properties: Properties;
}

/** Keys of which an object has at least one when it is drawn. */
export const DRAWN_KEYS = [
  ...['building', 'highway', 'railway', 'waterway', 'natural', 'landuse', 'leisure', 'amenity', 'tourism'],
  ...['place', 'boundary', 'aeroway', 'aerialway', 'man_made', 'route', 'addr:housenumber', 'historic'],
] as const;

/** Form of the mapped object: relations of boundaries and loose routes are lines, multipolygons are areas. */
export type ObjectForm = 'node' | 'line' | 'ring' | 'area' | 'border';

type KindTable = Readonly<Record<string, Readonly<Record<string, readonly [kind: string, minZoom: number]>>>>;
const LAND_USE = kinds.landUse as unknown as KindTable;
const POINTS = kinds.pointsOfInterest as Readonly<Record<string, Readonly<Record<string, number>>>>;
const ROADS = kinds.roads as unknown as Readonly<Record<string, readonly [string, number]>>;
const PLACES = kinds.places as unknown as Readonly<Record<string, readonly [string, number]>>;
const BOUNDARIES = kinds.boundaries as unknown as Readonly<Record<string, readonly [string, number]>>;
const RAILS = kinds.rails as Readonly<Record<string, number>>;
const WATERWAYS = kinds.waterways as Readonly<Record<string, number>>;
const NAME_KEYS = new Map(kinds.languages.map((language) => [`name:${language}`, language]));
const NAME_MAX = 80;
const HOUSE_NUMBER_MAX = 12;
const LINK_MIN_ZOOM = 11;

/** Returns what an object draws. Most draw one thing; a park with a name is also a label. */
export function featuresOf(tags: Tags, form: ObjectForm): FeatureKind[] {
  if (form === 'node') return [...placesOf(tags), ...pointsOf(tags), ...addressOf(tags)];
  if (form === 'border') return boundaryOf(tags);
  const isArea = form === 'area' || (form === 'ring' && isAreaByTags(tags));
  if (!isArea) return [...roadsOf(tags), ...railsOf(tags), ...waterLinesOf(tags), ...otherLinesOf(tags)];
  const areas = [...buildingsOf(tags), ...waterAreasOf(tags), ...landUseOf(tags)];
  return [...areas, ...pointsOf(tags), ...addressOf(tags), ...islandsOf(tags)];
}

/** A closed road or barrier is a line; a closed way with one of these keys is an area. */
function isAreaByTags(tags: Tags): boolean {
  const area = tags.get('area');
  if (area === 'no') return false;
  if (area === 'yes') return true;
  if (tags.has('highway') || tags.has('railway') || tags.has('barrier')) return false;
  if (tags.get('natural') === 'coastline') return false;
  return true;
}

function namesOf(tags: Tags): Properties {
  const name = tags.get('name');
  if (name === undefined) return {};
  const names: Properties = { name: name.slice(0, NAME_MAX) };
  for (const [key, text] of tags)
    if (NAME_KEYS.has(key) && text !== name) names[key] = text.slice(0, NAME_MAX);
  return names;
}

function one(layer: LayerName, shape: FeatureShape, minZoom: number, properties: Properties): FeatureKind[] {
  return [{ layer, shape, minZoom, properties }];
}

function flag(name: string, isSet: boolean): Properties {
  return isSet ? { [name]: true } : {};
}

const isYes = (text: string | undefined): boolean => text !== undefined && text !== 'no';

function levelsOf(tags: Tags): Properties {
  return {
    ...flag('is_bridge', isYes(tags.get('bridge'))),
    ...flag('is_tunnel', isYes(tags.get('tunnel')) || tags.get('covered') === 'yes'),
  };
}

function roadsOf(tags: Tags): FeatureKind[] {
  const highway = tags.get('highway') ?? '';
  const detail = highway.replace(/_link$/, '');
  const road = Object.hasOwn(ROADS, detail) ? ROADS[detail] : undefined;
  if (road === undefined) return [];
  const isLink = highway !== detail;
  const ref = tags.get('ref');
  return one('roads', 'line', isLink ? Math.max(road[1], LINK_MIN_ZOOM) : road[1], {
    kind: road[0],
    kind_detail: detail,
    ...namesOf(tags),
    ...(ref === undefined ? {} : { ref: ref.slice(0, NAME_MAX) }),
    ...flag('is_link', isLink),
    ...levelsOf(tags),
  });
}

function railsOf(tags: Tags): FeatureKind[] {
  const railway = tags.get('railway') ?? '';
  const minZoom = Object.hasOwn(RAILS, railway) ? RAILS[railway] : undefined;
  if (minZoom === undefined) return [];
  const isYard = tags.has('service');
  const properties = { kind: 'rail', kind_detail: railway, ...levelsOf(tags) };
  return one('roads', 'line', isYard ? 13 : minZoom, properties);
}

function otherLinesOf(tags: Tags): FeatureKind[] {
  const aeroway = tags.get('aeroway') ?? '';
  if (aeroway === 'runway' || aeroway === 'taxiway')
    return one('roads', 'line', aeroway === 'runway' ? 10 : 13, { kind: 'aeroway', kind_detail: aeroway });
  const aerialway = tags.get('aerialway') ?? '';
  if (kinds.aerialways.includes(aerialway))
    return one('roads', 'line', 12, { kind: 'aerialway', kind_detail: aerialway });
  if (tags.get('route') === 'ferry') return one('roads', 'line', 8, { kind: 'ferry', ...namesOf(tags) });
  const manMade = tags.get('man_made') ?? '';
  if (manMade === 'pier' || manMade === 'breakwater')
    return one('roads', 'line', 13, { kind: 'path', kind_detail: 'pier' });
  return [];
}

function waterLinesOf(tags: Tags): FeatureKind[] {
  const waterway = tags.get('waterway') ?? '';
  const minZoom = Object.hasOwn(WATERWAYS, waterway) ? WATERWAYS[waterway] : undefined;
  if (minZoom === undefined || isYes(tags.get('tunnel'))) return [];
  return one('water', 'line', minZoom, { kind: waterway, ...namesOf(tags) });
}

function waterAreasOf(tags: Tags): FeatureKind[] {
  const kind = waterKind(tags);
  if (kind === null) return [];
  const [minZoom, detail] = kind;
  const area: FeatureKind = { layer: 'water', shape: 'polygon', minZoom, properties: { kind: detail } };
  const names = namesOf(tags);
  if (names['name'] === undefined) return [area];
  return [area, { layer: 'water', shape: 'point', minZoom: 13, properties: { kind: detail, ...names } }];
}

function waterKind(tags: Tags): [minZoom: number, kind: string] | null {
  const natural = tags.get('natural');
  if (natural === 'water') return [6, tags.get('water')?.slice(0, 20) ?? 'water'];
  const waterway = tags.get('waterway');
  if (waterway === 'riverbank' || waterway === 'dock') return [9, waterway === 'dock' ? 'dock' : 'river'];
  const landuse = tags.get('landuse');
  if (landuse === 'reservoir' || landuse === 'basin') return [9, landuse];
  if (tags.get('leisure') === 'swimming_pool') return [14, 'swimming_pool'];
  if (tags.get('amenity') === 'fountain') return [14, 'fountain'];
  return null;
}

function landUseOf(tags: Tags): FeatureKind[] {
  if (tags.has('highway')) return one('landuse', 'polygon', 12, { kind: 'pedestrian', ...namesOf(tags) });
  for (const [key, values] of Object.entries(LAND_USE)) {
    const value = tags.get(key) ?? '';
    const found = Object.hasOwn(values, value) ? values[value] : undefined;
    if (found !== undefined) return one('landuse', 'polygon', found[1], { kind: found[0] });
  }
  return [];
}

function buildingsOf(tags: Tags): FeatureKind[] {
  return isYes(tags.get('building')) ? one('buildings', 'polygon', 13, { kind: 'building' }) : [];
}

function addressOf(tags: Tags): FeatureKind[] {
  const number = tags.get('addr:housenumber');
  if (number === undefined || number.length > HOUSE_NUMBER_MAX) return [];
  return one('buildings', 'point', MAX_ZOOM, { kind: 'address', addr_housenumber: number });
}

function pointsOf(tags: Tags): FeatureKind[] {
  const names = namesOf(tags);
  if (names['name'] === undefined) return [];
  for (const [key, values] of Object.entries(POINTS)) {
    const value = tags.get(key) ?? '';
    const minZoom = Object.hasOwn(values, value) ? values[value] : undefined;
    if (minZoom !== undefined) return one('pois', 'point', minZoom, { kind: value, ...names });
  }
  return [];
}

function placesOf(tags: Tags): FeatureKind[] {
  const value = tags.get('place') ?? '';
  const names = namesOf(tags);
  if (names['name'] === undefined) return [];
  const found = Object.hasOwn(PLACES, value) ? PLACES[value] : undefined;
  if (found === undefined) return islandsOf(tags);
  const population = Number(tags.get('population'));
  return one('places', 'point', found[1], {
    kind: found[0],
    kind_detail: value,
    ...names,
    ...(Number.isSafeInteger(population) && population > 0 ? { population } : {}),
    ...(tags.get('capital') === 'yes' ? { capital: 'yes' } : {}),
  });
}

function islandsOf(tags: Tags): FeatureKind[] {
  const value = tags.get('place') ?? '';
  const names = namesOf(tags);
  if (names['name'] === undefined || !/^(island|islet|archipelago)$/.test(value)) return [];
  return one('earth', 'point', value === 'islet' ? 14 : 10, { kind: value, ...names });
}

function boundaryOf(tags: Tags): FeatureKind[] {
  const level = tags.get('admin_level') ?? '';
  if (tags.get('boundary') !== 'administrative' || !Object.hasOwn(BOUNDARIES, level)) return [];
  const [kind, minZoom] = BOUNDARIES[level] ?? ['', MAX_ZOOM];
  return one('boundaries', 'line', minZoom, { kind, kind_detail: Number(level) });
}
