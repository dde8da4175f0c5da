import { z } from 'zod';
import type { Point } from '../../../core/geo.ts';
import { textInput } from './fields.ts';

/** Six decimals are a tenth of a metre. */
const DECIMALS = 6;

const degrees = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^-?\d{1,3}(?:[.,]\d{1,20})?$/)
    .transform((text) => Number(Number(text.replace(',', '.')).toFixed(DECIMALS)))
    .refine((value) => Math.abs(value) <= max);

const look = { inputmode: 'decimal', maxlength: 25, required: true } as const;

/** The two fields of a form with a pin; the map moves with them. */
export const positionInputs = {
  lat: {
    ...textInput(degrees(90), { label: 'Latitude', hint: 'Such as 43.739200.', ...look }),
    error: 'Write a number from -90 to 90, such as 43.7392.',
  },
  lng: {
    ...textInput(degrees(180), { label: 'Longitude', hint: 'Such as 7.427200.', ...look }),
    error: 'Write a number from -180 to 180, such as 7.4272.',
  },
};

/** Returns the texts of both fields for a position. */
export function positionValues(point: Point | undefined) {
  return { lat: point?.lat.toFixed(DECIMALS), lng: point?.lng.toFixed(DECIMALS) };
}
