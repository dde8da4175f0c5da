import type { Deps } from '../core/context.ts';
import { EgressError } from '../core/egress-error.ts';
import { vetUrl } from '../core/egress-target.ts';
import { AppError } from '../core/errors.ts';
import type { Warning } from '../core/operation.ts';

const POINTER = '/callback_url';

/**
 * Refuses an address that we would never call. A name that cannot be resolved at this moment passes with a warning: it
 * may be set up later, and every delivery looks again.
 */
export async function vetCallbackUrl({ egress }: Deps, url: string | null | undefined): Promise<Warning[]> {
  if (url === undefined || url === null || url === '') return [];
  try {
    await vetUrl(egress, url);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    if (thrown.code === 'dns')
      return [
        { code: 'callback_unresolved', pointer: POINTER, detail: 'The host name cannot be resolved now.' },
      ];
    throw new AppError('validation_failed', `${POINTER}: ${thrown.message}`, {
      cause: thrown,
      errors: [{ pointer: POINTER, code: 'url_refused', detail: thrown.message }],
    });
  }
}
