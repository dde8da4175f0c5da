import {
  type AreaDraft,
  REGION_KIND,
  allNames,
  isArea,
  isNamedByPeople,
  kindOf,
  levelOf,
  populationOf,
  regionOf,
} from '../areas/area-draft.ts';
import type { Tags } from '../categories.ts';
import type { Point } from '../../core/geo.ts';
import type { RelationMember } from '../pbf/osm-object.ts';
import { readNames } from '../tags/names.ts';
import type { MappedArea } from './settlement-collector.ts';

const PART_LEVEL_MIN = 9;

/** Collects the boundaries, settlements and islands of a map, as outlines or points. */
export class AreaCollector {
  /** By reference: an object that the file repeats counts once, as its last version. */
  readonly #areas = new Map<string, AreaDraft>();

  get areas(): AreaDraft[] {
    return [...this.#areas.values()];
  }

  addPoint({ ref, tags, lat, lng }: Point & { ref: string; tags: Tags }): void {
    this.#areas.set(ref, { ...draftOf(ref, tags), lat, lng, point: true, shape: null, centres: [] });
  }

  /** Adds an outline. The boundary of a city state counts like that of a municipality. */
  addOutline(
    { ref, tags, centre, shape }: MappedArea,
    members: readonly RelationMember[],
    isSettlement: boolean,
  ): void {
    if (readNames(tags) === null) return;
    const isUsed = isArea(tags) && isNamedByPeople(tags, centre);
    if (!isUsed && !isSettlement && regionOf(tags) === null) return;
    const level = levelOf(tags);
    const isOwn = ({ role }: RelationMember) =>
      role === 'label' || (role === 'admin_centre' && level !== null && level >= PART_LEVEL_MIN);
    const centres = members.filter((member) => member.type === 'node' && isOwn(member));
    this.#areas.set(ref, {
      ...draftOf(ref, tags),
      ...(isUsed ? {} : { kind: isSettlement ? 'city' : REGION_KIND }),
      ...centre,
      point: false,
      shape,
      centres: centres.map((member) => `node/${member.ref}`),
    });
  }
}

function draftOf(source_ref: string, tags: Tags) {
  const wikidata = tags.get('wikidata') ?? null;
  return {
    source_ref,
    kind: kindOf(tags),
    level: levelOf(tags),
    ...allNames(tags),
    region: regionOf(tags),
    population: populationOf(tags),
    wikidata,
  };
}
