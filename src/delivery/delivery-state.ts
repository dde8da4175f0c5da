import { closedSet } from '../core/input/closed-set.ts';

/** Delivery state of a callback or a webhook. */
export const deliveryStateSet = closedSet('DeliveryState', {
  pending: 'It is being delivered, or tried again.',
  delivered: 'The receiver took it.',
  given_up: 'It was never taken and is not tried again.',
});

/** `delivered` and `given_up` are final. */
export type DeliveryState = 'pending' | 'delivered' | 'given_up';
