import type { Deps } from '../core/context.ts';
import { EgressError } from '../core/egress/egress-error.ts';
import { vetUrl } from '../core/egress/egress-target.ts';
import { AppError } from '../core/errors.ts';
import type { Warning } from '../core/operation.ts';

/**
 * Refuses an address that we would never call. A name that cannot be resolved at this moment passes with a warning: it
 * may be set up later, and every delivery looks again.
 */
export async function vetReceiver(
  { egress }: Deps,
  url: string,
  field: { pointer: string; unresolved: string },
): Promise<Warning[]> {
  const { pointer, unresolved } = field;
  try {
    await vetUrl(egress, url);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    if (thrown.code === 'dns')
      return [{ code: unresolved, pointer, detail: 'The host name cannot be resolved now.' }];
    throw new AppError('validation_failed', `${pointer}: ${thrown.message}`, {
      cause: thrown,
      errors: [{ pointer, code: 'url_refused', detail: thrown.message }],
    });
  }
}
