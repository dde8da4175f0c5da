import type { Tags } from '../categories.ts';
import type { RelationMember } from '../pbf/osm-object.ts';

interface Changed {
  id: number;
  tags: Tags;
  changedAt: Date | null;
}

export interface MapNode extends Changed {
  lat: number;
  lng: number;
}

export interface MapWay extends Changed {
  refs: number[];
}

export interface MapRelation extends Changed {
  members: RelationMember[];
}

export interface MapObjects {
  nodes: MapNode[];
  ways: MapWay[];
  relations: MapRelation[];
}
