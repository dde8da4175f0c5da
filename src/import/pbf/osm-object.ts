import type { Tags } from '../categories.ts';
import type { BlockStrings } from './block-strings.ts';
import { Wire, unzigzag } from './wire.ts';

export interface Member {
  type: 'node' | 'way' | 'relation';
  ref: number;
  role: string;
}

const MEMBER_TYPES = ['node', 'way', 'relation'] as const;

// Field numbers. Ways keep their nodes where relations keep the roles of their members.
const KEYS = 2;
const VALUES = 3;
const INFO = 4;
const REFS = 8;
const ROLES = 8;
const MEMBER_IDS = 9;
const MEMBER_KINDS = 10;

/** A node, way or relation as it stands in its block. What it refers to is decoded when asked for. */
export class OsmObject {
  readonly id: number;
  readonly #body: Wire;
  readonly #strings: BlockStrings;
  readonly #dateGranularity: number;

  constructor(body: Wire, strings: BlockStrings, dateGranularity: number) {
    this.#body = body;
    this.#strings = strings;
    this.#dateGranularity = dateGranularity;
    this.id = this.#number(1);
  }

  /** A plain number by its field, 0 where it is not given. Fields stand in order, and the id comes first. */
  #number(wanted: number): number {
    const { bytes, pos, end } = this.#body;
    const wire = new Wire(bytes, pos, end);
    while (wire.more) {
      const field = wire.varint();
      if (field === wanted << 3) return wire.varint();
      wire.skip(field & 7);
    }
    return 0;
  }

  /** A row of numbers by its field, empty where it is not given. */
  #part(wanted: number): Wire {
    const { bytes, pos, end } = this.#body;
    const wire = new Wire(bytes, pos, end);
    while (wire.more) {
      const field = wire.varint();
      if (field === ((wanted << 3) | 2)) return wire.part();
      wire.skip(field & 7);
    }
    return wire;
  }

  /** Coordinates as stored, for a node outside the dense form. */
  get lat(): number {
    return unzigzag(this.#number(8));
  }

  get lng(): number {
    return unzigzag(this.#number(9));
  }

  /** Nodes write their id in zigzag form, ways and relations do not. */
  get nodeId(): number {
    return unzigzag(this.id);
  }

  /** Whether one of its keys is a wanted one. */
  get wanted(): boolean {
    if (!this.#strings.anyWanted) return false;
    const keys = this.#part(KEYS);
    while (keys.more) if (this.#strings.isWanted(keys.varint())) return true;
    return false;
  }

  tags(): Tags {
    const keys = this.#part(KEYS);
    const values = this.#part(VALUES);
    const tags = new Map<string, string>();
    while (keys.more) tags.set(this.#strings.text(keys.varint()), this.#strings.text(values.varint()));
    return tags;
  }

  changedAt(): Date | null {
    const info = this.#part(INFO);
    while (info.more) {
      const field = info.varint();
      if (field === 0x10) return new Date(info.varint() * this.#dateGranularity);
      info.skip(field & 7);
    }
    return null;
  }

  /** The node ids of a way. */
  refs(): number[] {
    const row = this.#part(REFS);
    const refs: number[] = [];
    for (let ref = 0; row.more;) refs.push((ref += row.zigzag()));
    return refs;
  }

  /** The members of a relation. */
  members(): Member[] {
    const roles = this.#part(ROLES);
    const ids = this.#part(MEMBER_IDS);
    const types = this.#part(MEMBER_KINDS);
    const members: Member[] = [];
    for (let ref = 0; ids.more;) {
      ref += ids.zigzag();
      const type = MEMBER_TYPES[types.varint()];
      const role = this.#strings.text(roles.varint());
      if (type !== undefined) members.push({ type, ref, role });
    }
    return members;
  }
}
