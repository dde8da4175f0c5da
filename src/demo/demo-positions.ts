import type { BoundingBox } from '../core/geo.ts';
import { wrapLongitude, widthOf, type LandMask } from './demo-land.ts';
import { hashText, SeededRandom } from './demo-random.ts';

/** Area of a destination and its position, as fractions of the extent from the western and the southern edge. */
interface Neighbourhood {
  name: string | null;
  eastward: number;
  northward: number;
}

interface DemoSurroundings extends BoundingBox {
  slug: string;
  lat: number;
  lng: number;
  areas: readonly string[];
}

// Six kilometres: a cluster wider than this no longer looks like one neighbourhood.
const SPREAD_LAT_MAX = 0.055;
const NO_AREA_SHARE = 0.07;
const TRIES = 12;

/** Positions places around the neighbourhoods of a destination, inside its extent and on land. */
export class DemoPositions {
  readonly #extent: BoundingBox;
  readonly #width: number;
  readonly #land: LandMask;
  readonly #centre: Neighbourhood;
  /** Areas of the destination. The first is the busiest, as on most maps. */
  readonly #areas: readonly Neighbourhood[];
  readonly #spreadEast: number;
  readonly #spreadNorth: number;

  constructor(destination: DemoSurroundings, land: LandMask) {
    this.#extent = destination;
    this.#width = widthOf(destination);
    this.#land = land;
    const height = destination.north - destination.south;
    const spread = Math.min(0.16 * height, SPREAD_LAT_MAX);
    this.#spreadNorth = spread / height;
    // A degree of longitude shrinks towards the poles; a parabola approximates the cosine closely enough.
    const shrink = Math.max(0.15, 1 - (destination.lat * destination.lat) / 8100);
    this.#spreadEast = Math.min(0.16, spread / shrink / this.#width);
    const east = (destination.lng - destination.west + 360) % 360;
    this.#centre = {
      name: null,
      eastward: Math.min(0.95, Math.max(0.05, east / this.#width)),
      northward: Math.min(0.95, Math.max(0.05, (destination.lat - destination.south) / height)),
    };
    this.#areas = destination.areas.map((name, rank) => this.#neighbourhood(destination.slug, name, rank));
  }

  place(random: SeededRandom) {
    const neighbourhood = this.#pickArea(random);
    let { eastward, northward } = neighbourhood;
    for (let i = 0; i < TRIES; i++) {
      const east = neighbourhood.eastward + random.bell() * this.#spreadEast * 2;
      const north = neighbourhood.northward + random.bell() * this.#spreadNorth * 2;
      if (this.#isUsable(east, north)) {
        eastward = east;
        northward = north;
        break;
      }
    }
    return { area: neighbourhood.name, ...this.#degrees(eastward, northward) };
  }

  #pickArea(random: SeededRandom): Neighbourhood {
    if (this.#areas.length === 0 || random.chance(NO_AREA_SHARE)) return this.#centre;
    // The smaller of two draws: the first area gets the most places, the last the fewest.
    const at = Math.min(random.below(this.#areas.length), random.below(this.#areas.length));
    return this.#areas[at] ?? this.#centre;
  }

  #isUsable(eastward: number, northward: number): boolean {
    const inside = eastward > 0.002 && eastward < 0.998 && northward > 0.002 && northward < 0.998;
    return inside && this.#land.isLand(eastward, northward);
  }

  /** Derives an area's position from its name alone, so that it is the same in every run and for every seed. */
  #neighbourhood(slug: string, name: string, rank: number): Neighbourhood {
    const random = new SeededRandom();
    random.restart(hashText(`${slug}/${name}`), 0);
    const reach = Math.min(0.4, 0.1 + 0.06 * rank);
    for (let i = 0; i < TRIES * 2; i++) {
      const eastward = this.#centre.eastward + random.bell() * reach * 1.6;
      const northward = this.#centre.northward + random.bell() * reach * 1.6;
      if (this.#isUsable(eastward, northward)) return { name, eastward, northward };
    }
    return { ...this.#centre, name };
  }

  #degrees(eastward: number, northward: number): { lat: number; lng: number } {
    const { west, south, north } = this.#extent;
    return {
      lat: round(south + northward * (north - south)),
      lng: round(wrapLongitude(west + eastward * this.#width)),
    };
  }
}

/** Rounds to six digits, a tenth of a metre. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
