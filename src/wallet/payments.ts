import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';

type PaymentDeps = Pick<Deps, 'config' | 'destinations'>;

/**
 * Payment mode of this installation: the payment provider, test payments that move no money, or none. Test payments are
 * never the default: the operator enables them, or runs the demonstration, which is a test as a whole.
 */
export function paymentsOf({ config, destinations }: PaymentDeps): 'provider' | 'test' | 'none' {
  if (config.stripe !== undefined) return 'provider';
  return config.testPayments || destinations.current.demo ? 'test' : 'none';
}

/** Throws for paid features where no payments are possible. */
export function requirePayments(deps: PaymentDeps): void {
  if (paymentsOf(deps) === 'none') throw noPayments();
}

const HOUR_SECONDS = 3_600;

function noPayments(): AppError {
  return new AppError('maintenance', 'This installation takes no payments yet. Nothing was paid or bought.', {
    hint: 'Everything free works as before. The operator of the service has to set up a payment provider first.',
    retryAfterSeconds: HOUR_SECONDS,
  });
}
