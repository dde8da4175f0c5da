import { wishSet } from '../directory/sets/fact-sets.ts';

export const wishesArgument = wishSet.some('With all of these.');
