import { closedSet } from '../../core/input/closed-set.ts';
import sets from '../sets/sets.json' with { type: 'json' };

export const platformSet = closedSet('BookingPlatform', sets.BookingPlatform);
export type PlatformName = (typeof platformSet.values)[number];
