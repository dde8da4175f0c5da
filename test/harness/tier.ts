import { test } from 'node:test';

/** Whether this is `npm run test:long`, in which much is tried more often. */
export const LONG = process.env['TEST_TIER'] === 'long';

/** How often to try something: a few times in `npm test`, often in `npm run test:long`. */
export function tries({ quick, long }: { quick: number; long: number }): number {
  return LONG ? long : quick;
}

/** A test that only the long tier runs, because it takes long. A smaller one beside it shows the same in `npm test`. */
export const longTest: typeof test = LONG ? test : Object.assign(() => Promise.resolve(), test);
