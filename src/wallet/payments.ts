import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';

type PaymentDeps = Pick<Deps, 'config' | 'destinations'>;

/** Payment mode: the provider, test payments if the operator enabled them or runs the demonstration, or none. */
export function paymentsOf({ config, destinations }: PaymentDeps): 'provider' | 'test' | 'none' {
  if (config.stripe !== undefined) return 'provider';
  return config.testPayments || destinations.current.demo ? 'test' : 'none';
}

/** Throws for paid features where no payments are possible. */
export function requirePayments(deps: PaymentDeps): void {
  if (paymentsOf(deps) !== 'none') return;
  throw new AppError('maintenance', 'This installation takes no payments yet. Nothing was paid or bought.', {
    hint: 'Everything free works as before. The operator of the service has to set up a payment provider first.',
    retryAfterSeconds: HOUR_SECONDS,
  });
}

const HOUR_SECONDS = 3_600;
