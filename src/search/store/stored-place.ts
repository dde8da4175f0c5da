import { memoizeText } from '../../core/memory/memoize-text.ts';
import {
  CARD_NAMES_MAX,
  cardNames,
  nameTag,
  type NamesByLanguage,
} from '../../directory/place/place-names.ts';
import type { Facts } from '../../directory/place/facts.ts';
import { bytesOf } from './keys.ts';
import type { PlaceRow } from './place-row.ts';

/** Index data of a place outside its card. */
export interface IndexedFacts {
  /** Number of its booking route. */
  method: number;
  /** Hash of its compiled hours; 0 when unknown. */
  hours: number;
  /** Last epoch day on which the hours count as verified. */
  hoursUntil: number;
  /** Serial among all places. */
  world: number;
}

// Layout: a head of fixed length, the card, the phone number, and JSON with the data that the card lacks.
const HEAD_BYTES = 17;
const METHOD_AT = 3;
const HOURS_AT = 4;
const UNTIL_AT = 10;
const WORLD_AT = 13;
/** Offset of the place id, with which a card begins. */
const ID_AT = HEAD_BYTES + '"place_id":"'.length;
const ID_CHARS = 30;

/** Serializes texts that occur on many cards, such as cities and categories. */
const textOf = memoizeText((text) => JSON.stringify(text), 50_000);
const optional = (text: string | null) => (text === null ? 'null' : textOf(text));

/**
 * Serializes the static part of a card; time-dependent members are added when it is served. Written member by member,
 * because JSON.stringify of an object takes three times as long.
 */
function cardMembers(place: PlaceRow, names: NamesByLanguage | undefined, destination: string): string {
  const { address, cuisine } = place;
  const namesMember = names === undefined ? '' : `,"names":${JSON.stringify(names)}`;
  return `"place_id":"${place.id}","name":${JSON.stringify(place.name)}${namesMember},"vertical":${textOf(
    place.vertical,
  )},"category":${textOf(place.category)},"cuisine":${
    cuisine.length === 0 ? '[]' : JSON.stringify(cuisine)
  },"destination":${textOf(destination)},"country":${textOf(place.country)},"city":${optional(
    place.city,
  )},"area":${optional(place.area)},"address":${
    address === null ? 'null' : JSON.stringify(address)
  },"lat":${place.lat},"lng":${place.lng},"position_known":${place.lat !== null},"rating":${place.rating},"review_count":${
    place.review_count
  },"price_range":${optional(place.price_range)},"badge":${textOf(place.badge)}`;
}

export function packPlace(place: PlaceRow, destination: string, indexed: IndexedFacts): Buffer {
  const { latin_name, categories, areas, facts, phone } = place;
  const onCard = place.names === null ? undefined : cardNames(place.name, place.names);
  const names = namesOffCard(place, onCard);
  const card = cardMembers(place, onCard, destination);
  const bare = names === null && latin_name === null && facts === null && categories.length === 0;
  // Most places lie in one area, which is on their card.
  const plain =
    bare && (areas.length === 0 ? place.area === null : areas.length === 1 && areas[0] === place.area);
  const extra = plain ? '' : JSON.stringify({ names, latin_name, categories, areas, facts });
  const text = `${card}${phone ?? ''}${extra}`;
  const cardBytes = Buffer.byteLength(card);
  const packed = Buffer.allocUnsafe(
    HEAD_BYTES + (text.length === card.length ? cardBytes : Buffer.byteLength(text)),
  );
  packed.writeUIntLE(cardBytes, 0, 3);
  packed.writeUInt8(indexed.method, METHOD_AT);
  packed.writeUIntLE(indexed.hours, HOURS_AT, 6);
  packed.writeUIntLE(indexed.hoursUntil, UNTIL_AT, 3);
  packed.writeUInt32LE(indexed.world, WORLD_AT);
  packed.write(text, HEAD_BYTES);
  return packed;
}

/** Returns the names that are not on the card; null when there are none. */
function namesOffCard({ names }: PlaceRow, onCard: NamesByLanguage | undefined): PlaceRow['names'] {
  if (names === null || onCard === undefined) return names;
  const rest = Object.entries(names).filter(([key, text]) => onCard[nameTag(key) ?? ''] !== text);
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

export class DamagedIndex extends Error {}

/** True for errors caused by a damaged file. LMDB's own errors have negative codes. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof DamagedIndex || thrown instanceof SyntaxError || thrown instanceof RangeError)
    return true;
  return Number((thrown as { code?: unknown } | undefined)?.code) < 0;
}

const POINT = /"lat":(-?\d[^,]*),"lng":([^,]+)/;

/** A place as stored in the index. */
export class StoredPlace {
  readonly bytes: Buffer;
  /** End offset of its card, which begins at CARD_AT. */
  readonly cardEnd: number;
  #card: string | undefined;

  /** Copies the bytes, because the next read overwrites them. */
  constructor(read: Buffer) {
    const { length } = read;
    const bytes = Buffer.allocUnsafe(length);
    read.copy(bytes, 0, 0, length);
    this.bytes = bytes;
    this.cardEnd = HEAD_BYTES + bytes.readUIntLE(0, 3);
    if (length < ID_AT + ID_CHARS || this.cardEnd > length || bytes[HEAD_BYTES] !== QUOTE)
      throw new DamagedIndex('A card in the index is incomplete.');
  }

  get placeId(): string {
    return this.bytes.toString('latin1', ID_AT, ID_AT + ID_CHARS);
  }

  get method(): number {
    return this.bytes[METHOD_AT] ?? 0;
  }

  get hours(): number {
    return this.bytes.readUIntLE(HOURS_AT, 6);
  }

  get hoursUntil(): number {
    return this.bytes.readUIntLE(UNTIL_AT, 3);
  }

  get world(): number {
    return this.bytes.readUInt32LE(WORLD_AT);
  }

  /** The members of the card as text. */
  get card(): string {
    return (this.#card ??= this.bytes.toString('utf8', HEAD_BYTES, this.cardEnd));
  }

  /** Null when the position is unknown. */
  get point(): { lat: number; lng: number } | null {
    const [, lat, lng] = POINT.exec(this.card) ?? [];
    return lat === undefined ? null : { lat: Number(lat), lng: Number(lng) };
  }

  /** Fields from which its terms are derived. */
  get described(): Described {
    const card = JSON.parse(`{${this.card}}`) as Described & { names?: Described['names'] };
    const areas = card.area === null ? [] : [card.area];
    const bare = { latin_name: null, categories: [], areas, facts: null };
    const { names = null, ...rest } = this.#extra ?? {};
    const both = card.names == null && names === null ? null : { ...card.names, ...names };
    return { ...card, ...bare, ...rest, names: both };
  }

  /** Phone number in E.164 form. */
  get phone(): string | null {
    return this.bytes.toString('latin1', this.cardEnd, this.#extraAt) || null;
  }

  /** Offset of the JSON after the card and the phone number, which never contains a brace. */
  get #extraAt(): number {
    const at = this.bytes.indexOf(BRACE, this.cardEnd);
    return at < 0 ? this.bytes.length : at;
  }

  get #extra(): Partial<Described> | undefined {
    const text = this.bytes.toString('utf8', this.#extraAt, this.bytes.length);
    return text === '' ? undefined : (JSON.parse(text) as Partial<Described>);
  }

  /** Facts from its source; undefined when there are none. */
  get facts(): Facts | undefined {
    return this.#extra?.facts ?? undefined;
  }

  /** Names that did not fit on the card. */
  namesOffCard(onCard: NamesByLanguage): NamesByLanguage {
    return Object.keys(onCard).length < CARD_NAMES_MAX ? {} : (this.#extra?.names ?? {});
  }
}

export const CARD_AT = HEAD_BYTES;
export const CARD_ID = { from: ID_AT, to: ID_AT + ID_CHARS } as const;
const QUOTE = '"'.charCodeAt(0);
const BRACE = '{'.charCodeAt(0);

/** Fields that a place is searched by. */
export type Described = Pick<
  PlaceRow,
  | 'name'
  | 'names'
  | 'latin_name'
  | 'vertical'
  | 'category'
  | 'categories'
  | 'cuisine'
  | 'country'
  | 'city'
  | 'area'
  | 'areas'
  | 'address'
  | 'facts'
  | 'lat'
  | 'lng'
>;

export function hoursKey(hours: number): string {
  return bytesOf(hours, 6);
}
