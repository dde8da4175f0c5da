import { z } from 'zod';
import { languageArgument } from '../core/text/languages.ts';
import { DIRECTORY_CALL } from '../metering/plans.ts';

export const destinationArgument = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .describe('A destination: its slug, its id or any of its names. list_destinations gives all of them.');

export const placeIdArgument = z
  .string()
  .min(1)
  .max(64)
  .describe('From search_places or open_places; it begins with plc_.');

/** Settings shared by all partner tools that read the directory. */
export const directoryTool = {
  tag: 'directory',
  effect: 'read',
  access: { who: 'anyone' },
  price: DIRECTORY_CALL,
  tools: ['partner'],
} as const;

/** Settings shared by partner tools about a single place. */
export const onePlaceTool = {
  ...directoryTool,
  input: z.object({ place_id: placeIdArgument, lang: languageArgument }),
} as const;
