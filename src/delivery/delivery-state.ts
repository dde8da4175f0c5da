import { closedSet } from '../core/input/closed-set.ts';

export const deliveryStateSet = closedSet('DeliveryState', {
  pending: 'It is being delivered or retried.',
  delivered: 'The receiver accepted it.',
  given_up: 'It was never accepted and is not retried.',
});

/** State of a delivery. `delivered` and `given_up` are final. */
export type DeliveryState = 'pending' | 'delivered' | 'given_up';
