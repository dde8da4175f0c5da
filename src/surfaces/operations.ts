import type { Operation } from '../core/operation.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { signUp } from './agent/sign-up.ts';

/** Everything that programs can ask of the service, in the order in which the reference shows it. */
export const OPERATIONS: readonly Operation[] = [listDestinations, signUp];
