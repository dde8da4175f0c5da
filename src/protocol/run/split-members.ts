import type { JsonSchema } from '../describe/schema-node.ts';

export interface Members {
  known: Map<string, unknown>;
  others: Map<string, unknown>;
  takenFor: Map<string, string>;
  properties: Record<string, JsonSchema>;
}

const MOMENTS = ['date', 'date_time', 'datetime', 'dateTime', 'when', 'at', 'reservation_time', 'start_time'];
const LOCAL_MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.0+)?)?$/;

/** Splits a text with date and time. One with a UTC offset stays as it is: times are local to the place. */
export function splitMoment({ known, others, takenFor, properties }: Members): void {
  if (properties['date'] === undefined || properties['time'] === undefined || known.has('time')) return;
  const names = known.has('date') ? ['date'] : MOMENTS;
  const member = names.find((name) => momentIn(known.get(name) ?? others.get(name)) !== undefined);
  if (member === undefined) return;
  const [, date, time] = momentIn(known.get(member) ?? others.get(member)) ?? [];
  others.delete(member);
  known.set('date', date).set('time', time);
  takenFor.set(member, 'date and time');
}

function momentIn(value: unknown): RegExpExecArray | undefined {
  return typeof value === 'string' ? (LOCAL_MOMENT.exec(value.trim()) ?? undefined) : undefined;
}

const LATITUDES = ['lat', 'latitude'];
const LONGITUDES = ['lng', 'lon', 'long', 'longitude'];
const RADII = ['radius_m', 'radius'];
const POINT = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/;

interface Point {
  lat: number;
  lng: number;
  radius_m?: unknown;
}

export function coordinatesIn(value: unknown): Point | undefined {
  const [, lat, lng] = typeof value === 'string' ? (POINT.exec(value.trim()) ?? []) : [];
  return lat === undefined ? undefined : { lat: Number(lat), lng: Number(lng) };
}

/** Converts a point in any form to the one of the operation's schema, a text or an object. */
export function joinPoint({ known, others, takenFor, properties }: Members): void {
  const schema = properties['near'];
  if (schema === undefined || properties['lat'] !== undefined) return;
  const asText = schema.type === 'string';
  const sentPoint = known.get('near');
  if (sentPoint === undefined) {
    const separate = pointIn(others);
    if (separate === undefined) return;
    known.set('near', asText ? `${separate.lat},${separate.lng}` : separate);
    for (const name of [...LATITUDES, ...LONGITUDES]) if (others.delete(name)) takenFor.set(name, 'near');
  } else if (asText) {
    const point = coordinatesIn(sentPoint) ?? pointIn(entriesOf(sentPoint));
    if (point === undefined) return;
    known.set('near', `${point.lat},${point.lng}`);
    if (point.radius_m !== undefined && !known.has('radius_m')) known.set('radius_m', point.radius_m);
  } else {
    const point = coordinatesIn(sentPoint) ?? pointIn(entriesOf(sentPoint));
    if (point !== undefined) known.set('near', { ...(typeof sentPoint === 'object' && sentPoint), ...point });
  }
  const near = known.get('near');
  const radius = RADII.find((name) => others.has(name));
  if (radius === undefined || typeof near !== 'object' || near === null || 'radius_m' in near) return;
  known.set('near', { ...near, radius_m: others.get(radius) });
  others.delete(radius);
  takenFor.set(radius, 'near.radius_m');
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function pointIn(members: ReadonlyMap<string, unknown>): Point | undefined {
  const first = (names: readonly string[]) => members.get(names.find((name) => members.has(name)) ?? '');
  const [lat, lng, radius_m] = [first(LATITUDES), first(LONGITUDES), first(RADII)];
  const point = coordinatesIn(`${String(lat)},${String(lng)}`);
  return point && { ...point, ...(radius_m != null && { radius_m }) };
}
