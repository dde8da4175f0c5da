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

/** Largest latitude and longitude, each with an example. */
export const DEGREES = {
  lat: { max: 90, example: '43.7392' },
  lng: { max: 180, example: '7.4272' },
} as const;

function degreesInput(label: string, { max, example }: { max: number; example: string }) {
  const look = { inputmode: 'decimal', maxlength: 25, required: true } as const;
  return {
    ...textInput(degrees(max), { label, hint: `Such as ${example}.`, ...look }),
    error: `Write a number from -${max} to ${max}, such as ${example}.`,
  };
}

/** The two fields of a form with a pin; the map moves with them. */
export const positionInputs = {
  lat: degreesInput('Latitude', DEGREES.lat),
  lng: degreesInput('Longitude', DEGREES.lng),
};

/** Returns the texts of both fields for a position. */
export function positionValues(point: Point | undefined) {
  return { lat: point?.lat.toFixed(DECIMALS), lng: point?.lng.toFixed(DECIMALS) };
}
