import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';

type Known = Pick<Deps, 'config' | 'destinations'>;

/**
 * How this installation is paid: by its payment provider, by test payments that move no money, or not at all. Tests are
 * never taken for granted: whoever runs the service says so, or shows the demonstration, which is one as a whole.
 */
export function paymentsOf({ config, destinations }: Known): 'provider' | 'test' | 'none' {
  if (config.stripe !== undefined) return 'provider';
  return config.testPayments || destinations.current.demo ? 'test' : 'none';
}

/** Refuses whatever costs something where nobody can pay for it. */
export function requirePayments(deps: Known): void {
  if (paymentsOf(deps) === 'none') throw noPayments();
}

const HOUR_SECONDS = 3_600;

function noPayments(): AppError {
  return new AppError('maintenance', 'This installation takes no payments yet. Nothing was paid or bought.', {
    hint: 'What is free goes on as it is. Whoever runs the service has to set up a payment provider first.',
    retryAfterSeconds: HOUR_SECONDS,
  });
}
