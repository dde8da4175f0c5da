import { remember } from '../../core/memory/remember.ts';
import { CARD_NAMES_MAX, cardNames, nameTag, type Names } from '../../directory/place/place-names.ts';
import type { Facts } from '../../directory/place/facts.ts';
import { bytesOf } from './keys.ts';
import type { PlaceRow } from './place-row.ts';

/** What the index keeps of a place beside its card. */
export interface PlaceFacts {
  /** How it is booked, by number. */
  method: number;
  /** The hash of its compiled hours; 0 when none are known. */
  hours: number;
  /** The last epoch day on which the hours count as verified. */
  hoursUntil: number;
  /** Its serial among all places. */
  world: number;
}

// A head of fixed length, the card, the number to call, and as JSON what else cannot be read off the card.
const HEAD_BYTES = 17;
const METHOD_AT = 3;
const HOURS_AT = 4;
const UNTIL_AT = 10;
const WORLD_AT = 13;
/** Where the id of the place stands in a card, which begins with it. */
const ID_AT = HEAD_BYTES + '"place_id":"'.length;
const ID_CHARS = 30;

/** Texts that stand on many cards, such as cities and categories, as JSON. */
const textOf = remember((text) => JSON.stringify(text), 50_000);
const optional = (text: string | null) => (text === null ? 'null' : textOf(text));

/**
 * The part of a card that changes only with the place; what depends on the moment is added when it is served. Written
 * member by member, because to make JSON of an object takes three times as long.
 */
function cardMembers(place: PlaceRow, names: Names | undefined, destination: string): string {
  const { address, cuisine } = place;
  const told = names === undefined ? '' : `,"names":${JSON.stringify(names)}`;
  return `"place_id":"${place.id}","name":${JSON.stringify(place.name)}${told},"vertical":${textOf(
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

export function packPlace(place: PlaceRow, destination: string, held: PlaceFacts): Buffer {
  const { latin_name, categories, areas, facts, phone } = place;
  const told = place.names === null ? undefined : cardNames(place.name, place.names);
  const names = namesBeside(place, told);
  const card = cardMembers(place, told, destination);
  const bare = names === null && latin_name === null && facts === null && categories.length === 0;
  // Most places lie in one area, which their card names.
  const plain =
    bare && (areas.length === 0 ? place.area === null : areas.length === 1 && areas[0] === place.area);
  const beside = plain ? '' : JSON.stringify({ names, latin_name, categories, areas, facts });
  const text = `${card}${phone ?? ''}${beside}`;
  const cardBytes = Buffer.byteLength(card);
  const packed = Buffer.allocUnsafe(
    HEAD_BYTES + (text.length === card.length ? cardBytes : Buffer.byteLength(text)),
  );
  packed.writeUIntLE(cardBytes, 0, 3);
  packed.writeUInt8(held.method, METHOD_AT);
  packed.writeUIntLE(held.hours, HOURS_AT, 6);
  packed.writeUIntLE(held.hoursUntil, UNTIL_AT, 3);
  packed.writeUInt32LE(held.world, WORLD_AT);
  packed.write(text, HEAD_BYTES);
  return packed;
}

/** The names that the card does not have; null where it has all. */
function namesBeside({ names }: PlaceRow, told: Names | undefined): PlaceRow['names'] {
  if (names === null || told === undefined) return names;
  const rest = Object.entries(names).filter(([key, text]) => told[nameTag(key) ?? ''] !== text);
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

export class DamagedIndex extends Error {}

/** Whether something failed because a file does not hold what was written to it. LMDB's own errors have negative codes. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof DamagedIndex || thrown instanceof SyntaxError || thrown instanceof RangeError)
    return true;
  return Number((thrown as { code?: unknown } | undefined)?.code) < 0;
}

const POINT = /"lat":(-?\d[^,]*),"lng":([^,]+)/;

/** A place as it lies in the index. */
export class StoredPlace {
  readonly bytes: Buffer;
  /** Where its card ends; it begins at CARD_AT. */
  readonly cardEnd: number;
  #card: string | undefined;

  /** The bytes are overwritten by the next read and are therefore copied. */
  constructor(read: Buffer) {
    const { length } = read;
    const bytes = Buffer.allocUnsafe(length);
    read.copy(bytes, 0, 0, length);
    this.bytes = bytes;
    this.cardEnd = HEAD_BYTES + bytes.readUIntLE(0, 3);
    if (length < ID_AT + ID_CHARS || this.cardEnd > length || bytes[HEAD_BYTES] !== QUOTE)
      throw new DamagedIndex('A card of the index is not whole.');
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

  /** Null where its position is not known. */
  get point(): { lat: number; lng: number } | null {
    const [, lat, lng] = POINT.exec(this.card) ?? [];
    return lat === undefined ? null : { lat: Number(lat), lng: Number(lng) };
  }

  /** What its terms are made of. */
  get described(): Described {
    const card = JSON.parse(`{${this.card}}`) as Described & { names?: Described['names'] };
    const areas = card.area === null ? [] : [card.area];
    const bare = { latin_name: null, categories: [], areas, facts: null };
    const { names = null, ...rest } = this.#beside ?? {};
    const both = card.names == null && names === null ? null : { ...card.names, ...names };
    return { ...card, ...bare, ...rest, names: both };
  }

  /** The number to call, in E.164 form. */
  get phone(): string | null {
    return this.bytes.toString('latin1', this.cardEnd, this.#besideAt) || null;
  }

  /** Where that begins which neither the card nor the number says. No number has a brace. */
  get #besideAt(): number {
    const at = this.bytes.indexOf(BRACE, this.cardEnd);
    return at < 0 ? this.bytes.length : at;
  }

  get #beside(): Partial<Described> | undefined {
    const text = this.bytes.toString('utf8', this.#besideAt, this.bytes.length);
    return text === '' ? undefined : (JSON.parse(text) as Partial<Described>);
  }

  /** What its source tells of it; undefined where it tells nothing. */
  get facts(): Facts | undefined {
    return this.#beside?.facts ?? undefined;
  }

  /** Names for which there was no room on the card. */
  namesBeside(told: Names): Names {
    return Object.keys(told).length < CARD_NAMES_MAX ? {} : (this.#beside?.names ?? {});
  }
}

export const CARD_AT = HEAD_BYTES;
export const CARD_ID = { from: ID_AT, to: ID_AT + ID_CHARS } as const;
const QUOTE = '"'.charCodeAt(0);
const BRACE = '{'.charCodeAt(0);

/** What a place is looked for by. */
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
