import type { Tags } from '../categories.ts';
import type { BlockStrings } from './block-strings.ts';
import { Wire, unzigzag } from './wire.ts';

export interface RelationMember {
  type: 'node' | 'way' | 'relation';
  ref: number;
  role: string;
}

const MEMBER_TYPES = ['node', 'way', 'relation'] as const;

/** Field numbers. Ways store their nodes in the field where relations store the roles of their members. */
const FIELD = { keys: 2, values: 3, info: 4, refs: 8, roles: 8, memberIds: 9, memberKinds: 10 } as const;

/** Node, way or relation of a block, decoded lazily. */
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

  /** Returns an integer field, or 0 when it is absent. Fields are in order, and the id comes first. */
  #number(fieldNumber: number): number {
    const { bytes, pos, end } = this.#body;
    const wire = new Wire(bytes, pos, end);
    return wire.seek(fieldNumber << 3) ? wire.varint() : 0;
  }

  /** Returns a packed field of numbers, empty when it is absent. */
  #part(fieldNumber: number): Wire {
    const { bytes, pos, end } = this.#body;
    const wire = new Wire(bytes, pos, end);
    return wire.seek((fieldNumber << 3) | 2) ? wire.part() : wire;
  }

  /** Stored coordinate of a node outside the dense form. */
  get lat(): number {
    return unzigzag(this.#number(8));
  }

  get lng(): number {
    return unzigzag(this.#number(9));
  }

  /** Nodes store their id in zigzag form, ways and relations do not. */
  get nodeId(): number {
    return unzigzag(this.id);
  }

  get wanted(): boolean {
    if (!this.#strings.anyWanted) return false;
    const keys = this.#part(FIELD.keys);
    while (keys.more) if (this.#strings.isWanted(keys.varint())) return true;
    return false;
  }

  tags(): Tags {
    const keys = this.#part(FIELD.keys);
    const values = this.#part(FIELD.values);
    const tags = new Map<string, string>();
    while (keys.more) tags.set(this.#strings.text(keys.varint()), this.#strings.text(values.varint()));
    return tags;
  }

  changedAt(): Date | null {
    const info = this.#part(FIELD.info);
    const time = info.seek(0x10) ? info.varint() : 0;
    // Programs that leave the times out write zero.
    return time === 0 ? null : new Date(time * this.#dateGranularity);
  }

  refs(): number[] {
    const row = this.#part(FIELD.refs);
    const refs: number[] = [];
    for (let ref = 0; row.more;) refs.push((ref += row.zigzag()));
    return refs;
  }

  members(): RelationMember[] {
    const roles = this.#part(FIELD.roles);
    const ids = this.#part(FIELD.memberIds);
    const types = this.#part(FIELD.memberKinds);
    const members: RelationMember[] = [];
    for (let ref = 0; ids.more;) {
      ref += ids.zigzag();
      const type = MEMBER_TYPES[types.varint()];
      const role = this.#strings.text(roles.varint());
      if (type !== undefined) members.push({ type, ref, role });
    }
    return members;
  }
}
