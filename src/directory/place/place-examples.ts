import examples from './place-examples.json' with { type: 'json' };
import type { PlaceCard, PlaceRecord } from './place-fields.ts';

// Examples for descriptions.
export const DESTINATION_EXAMPLE = examples.destination;
export const CARD_EXAMPLE: PlaceCard = examples.card;
export const RECORD_EXAMPLE = examples.record as PlaceRecord;
