import {
  CARD_NAMES_MAX,
  cardNames,
  languageNames,
  nameTag,
  type NamesByLanguage,
} from '../../directory/place/place-names.ts';
import type { Facts } from '../../directory/place/facts.ts';
import { cardJson, type StoredCard } from '../../directory/place/place-fields.ts';
import { priceLevelSet } from '../../directory/sets/fact-sets.ts';
import { bytesOf } from './keys.ts';
import type { Described, PlaceRow } from './place-row.ts';

/** Index data of a place outside its card. */
interface IndexedFacts {
  /** Number of its booking route. */
  method: number;
  /** Hash of its compiled hours; 0 when unknown. */
  hours: number;
  /** Epoch day from which the hours date; 0 for hours that never count as verified. */
  hoursFrom: number;
  /** Last epoch day on which the hours count as verified. */
  hoursUntil: number;
  /** Serial among all places. */
  world: number;
}

// Layout: a head of fixed length, the stored fields of the card as a JSON object, the phone number, and JSON with the
// data that the card lacks. The head has the lengths, and the values that searches filter by.
const CARD_BYTES_AT = 0;
const NAME_BYTES_AT = 3;
const PHONE_BYTES_AT = 6;
const HAS_NAMES_AT = 7;
const METHOD_AT = 8;
const HOURS_AT = 9;
const UNTIL_AT = 15;
const WORLD_AT = 18;
const RATING_AT = 22;
const PRICE_AT = 23;
const LAT_AT = 24;
const LNG_AT = 32;
const FROM_AT = 40;
/** Offset of the card. */
export const CARD_AT = 43;
/** Offset of the place id, with which a card begins, and of the quote after it. */
const ID_AT = CARD_AT + '{"place_id":"'.length;
const ID_END = ID_AT + 30;
export const CARD_ID = { from: ID_AT, to: ID_END } as const;
/** Offset of the name on the card. */
export const NAME_AT = ID_END + 1;
/** Rating of a place that nobody rated. */
const UNRATED = 255;

function priceLevel(price: string): number {
  return priceLevelSet.values.findIndex((level) => level === price);
}

export function packPlace(place: PlaceRow, destination: string, indexed: IndexedFacts): Buffer {
  const { latin_name, categories, areas, facts, phone, lat, lng, rating } = place;
  const onCard = place.names === null ? undefined : cardNames(place.name, place.names);
  const names = namesOffCard(place, onCard);
  const name = cardJson.name({ name: place.name });
  const stored = cardJson.stored({
    ...place,
    names: onCard,
    destination,
    position_known: lat !== null,
    name_generated: place.name_generated || undefined,
  });
  const card = `${cardJson.id({ place_id: place.id })}${name}${stored}}`;
  const bare = names === null && latin_name === null && facts === null && categories.length === 0;
  // Most places lie in one area, which is on their card.
  const plain =
    bare && (areas.length === 0 ? place.area === null : areas.length === 1 && areas[0] === place.area);
  const extra = plain ? '' : JSON.stringify({ names, latin_name, categories, areas, facts });
  const text = `${card}${phone ?? ''}${extra}`;
  const cardBytes = Buffer.byteLength(card);
  const packed = Buffer.allocUnsafe(
    CARD_AT + (text.length === card.length ? cardBytes : Buffer.byteLength(text)),
  );
  packed.writeUIntLE(cardBytes, CARD_BYTES_AT, 3);
  packed.writeUIntLE(Buffer.byteLength(name), NAME_BYTES_AT, 3);
  packed.writeUInt8(phone?.length ?? 0, PHONE_BYTES_AT);
  packed.writeUInt8(onCard === undefined && !place.name_generated ? 0 : 1, HAS_NAMES_AT);
  packed.writeUInt8(indexed.method, METHOD_AT);
  packed.writeUIntLE(indexed.hours, HOURS_AT, 6);
  packed.writeUIntLE(indexed.hoursUntil, UNTIL_AT, 3);
  packed.writeUIntLE(indexed.hoursFrom, FROM_AT, 3);
  packed.writeUInt32LE(indexed.world, WORLD_AT);
  packed.writeUInt8(rating === null ? UNRATED : Math.round(rating * 10), RATING_AT);
  packed.writeInt8(priceLevel(place.price_range ?? ''), PRICE_AT);
  packed.writeDoubleLE(lat ?? Number.NaN, LAT_AT);
  packed.writeDoubleLE(lng ?? Number.NaN, LNG_AT);
  packed.write(text, CARD_AT);
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

/** A place as stored in the index. */
export class StoredPlace {
  readonly bytes: Buffer;
  /** Offset of the closing brace of its card, which begins at CARD_AT. */
  readonly cardEnd: number;

  /** Copies the bytes, because the next read overwrites them. */
  constructor(read: Buffer) {
    const { length } = read;
    const bytes = Buffer.allocUnsafe(length);
    read.copy(bytes, 0, 0, length);
    this.bytes = bytes;
    this.cardEnd = CARD_AT + bytes.readUIntLE(CARD_BYTES_AT, 3) - 1;
    if (length < NAME_AT || this.cardEnd >= length || bytes[CARD_AT] !== BRACE)
      throw new DamagedIndex('A card in the index is incomplete.');
  }

  get placeId(): string {
    return this.bytes.toString('latin1', ID_AT, ID_END);
  }

  /** End offset of the name on its card. */
  get nameEnd(): number {
    return NAME_AT + this.bytes.readUIntLE(NAME_BYTES_AT, 3);
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

  get hoursFrom(): number {
    return this.bytes.readUIntLE(FROM_AT, 3);
  }

  get world(): number {
    return this.bytes.readUInt32LE(WORLD_AT);
  }

  /** NaN when nobody rated it. */
  get rating(): number {
    const rating = this.bytes[RATING_AT] ?? UNRATED;
    return rating === UNRATED ? Number.NaN : rating / 10;
  }

  hasPrice(price: string): boolean {
    const level = priceLevel(price);
    return level >= 0 && level === this.bytes[PRICE_AT];
  }

  /** Null when the position is unknown. */
  get point(): { lat: number; lng: number } | null {
    const lat = this.bytes.readDoubleLE(LAT_AT);
    return Number.isNaN(lat) ? null : { lat, lng: this.bytes.readDoubleLE(LNG_AT) };
  }

  readCard(): StoredCard {
    return JSON.parse(this.bytes.toString('utf8', CARD_AT, this.cardEnd + 1)) as StoredCard;
  }

  /** Fields from which its terms are derived. */
  get described(): Described {
    const card = this.readCard();
    const areas = card.area === null ? [] : [card.area];
    const bare = { latin_name: null, categories: [], areas, facts: null };
    const { names = null, ...rest } = this.#extra ?? {};
    const both = card.names === undefined && names === null ? null : { ...card.names, ...names };
    return { ...card, ...bare, ...rest, names: both, name_generated: card.name_generated ?? false };
  }

  /** Phone number in E.164 form. */
  get phone(): string | null {
    return this.bytes.toString('latin1', this.cardEnd + 1, this.#extraAt) || null;
  }

  get #extraAt(): number {
    return this.cardEnd + 1 + (this.bytes[PHONE_BYTES_AT] ?? 0);
  }

  get #extra(): Partial<Described> | undefined {
    const text = this.bytes.toString('utf8', this.#extraAt, this.bytes.length);
    return text === '' ? undefined : (JSON.parse(text) as Partial<Described>);
  }

  /** Facts from its source; undefined when there are none. */
  get facts(): Facts | undefined {
    return this.#extra?.facts ?? undefined;
  }

  /** Its name in Latin letters; null when its name is written in them or has no such form. */
  get latinName(): string | null {
    return this.#extra?.latin_name ?? null;
  }

  /** True when the name depends on the reader's language. */
  get hasNames(): boolean {
    return this.bytes[HAS_NAMES_AT] === 1;
  }

  /** All names by language, those of its card included. Further ones are stored only where the card is full. */
  allNames({ names = {} }: StoredCard): NamesByLanguage {
    if (Object.keys(names).length < CARD_NAMES_MAX) return names;
    return { ...languageNames(this.#extra?.names ?? {}), ...names };
  }
}

const BRACE = '{'.charCodeAt(0);

export function hoursKey(hours: number): string {
  return bytesOf(hours, 6);
}
