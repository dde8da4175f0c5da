import { z } from 'zod';
import { wishSet } from '../directory/sets/fact-sets.ts';

export const wishesArgument = z
  .array(wishSet.schema)
  .min(1)
  .max(wishSet.values.length)
  .optional()
  .describe('With all of these.');
