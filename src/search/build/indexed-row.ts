/** What a row holds beside its place and its card. */
export interface RowFacts {
  method: number;
  /** The number of its hours, from 1; null when none are known. */
  hours: number | null;
  /** The epoch day up to which the hours count as verified. */
  hoursUntil: number;
  destination: number;
  /** The so-manieth of its destination. */
  ordinal: number;
}

const METHODS = 2 ** 3;
const HOURS = 2 ** 24;
const DAYS = 2 ** 21;
const ORDINALS = 2 ** 28;

/** The facts as two whole numbers: SQLite hands over every column at a price of its own, and a search reads many rows. */
export function packFacts({ method, hours, hoursUntil, destination, ordinal }: RowFacts): [number, number] {
  if ((hours ?? 0) >= HOURS || hoursUntil >= DAYS || ordinal >= ORDINALS)
    throw new Error('The index has more of something than a row has room for.');
  return [(hoursUntil * HOURS + (hours ?? 0)) * METHODS + method, destination * ORDINALS + ordinal];
}

const POINT = /"lat":([^,]+),"lng":([^,]+)/;

/** A row of the index as a search reads it. */
export class IndexedRow {
  readonly rowid: number;
  readonly place_id: string;
  readonly card: string;
  readonly #booked: number;
  readonly #placed: number;

  constructor(rowid: number, placeId: string, card: string, booked: number, placed: number) {
    this.rowid = rowid;
    this.place_id = placeId;
    this.card = card;
    this.#booked = booked;
    this.#placed = placed;
  }

  get method(): number {
    return this.#booked % METHODS;
  }

  get hours(): number | null {
    const number = Math.floor(this.#booked / METHODS) % HOURS;
    return number === 0 ? null : number;
  }

  get hours_until(): number {
    return Math.floor(this.#booked / (METHODS * HOURS));
  }

  get destination(): number {
    return Math.floor(this.#placed / ORDINALS);
  }

  get ordinal(): number {
    return this.#placed % ORDINALS;
  }

  get lat(): number {
    return Number(POINT.exec(this.card)?.[1]);
  }

  get lng(): number {
    return Number(POINT.exec(this.card)?.[2]);
  }
}
