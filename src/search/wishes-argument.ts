import { z } from 'zod';
import { WISHES } from '../directory/place/facts.ts';

/** How callers say what a place must have. */
export const wishesArgument = z
  .array(z.enum(WISHES))
  .min(1)
  .max(WISHES.length)
  .optional()
  .describe('Only places known for all of these.');
