import { z } from 'zod';
import { WISHES } from '../directory/place/facts.ts';

/** How callers say what a place must have. */
export const wishesArgument = z
  .array(z.enum(WISHES))
  .min(1)
  .max(WISHES.length)
  .optional()
  .describe(
    'Only places that are known to fulfil all of these. What nobody has recorded of a place is not known, so it may be true of others too.',
  );
