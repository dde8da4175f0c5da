import type { Deps } from '../../core/context.ts';
import { EgressError } from '../../core/egress/egress-error.ts';
import { vetUrl } from '../../core/egress/egress-target.ts';
import { AppError } from '../../core/errors.ts';
import type { Warning } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';

/**
 * Refuses a URL that we would never call. A name that cannot be resolved at the moment passes with a warning: it may
 * be set up later, and every delivery checks again. Only name servers are queried, never the receiver.
 */
export async function vetReceivers(
  { egress }: Deps,
  { receivers = [] }: Operation,
  input: Record<string, unknown>,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const name of receivers) {
    const url = input[name];
    if (typeof url !== 'string' || url === '') continue;
    const pointer = `/${name}`;
    try {
      await vetUrl(egress, url);
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      if (thrown.code !== 'dns')
        throw new AppError('validation_failed', `${pointer}: ${thrown.message}`, {
          cause: thrown,
          errors: [{ pointer, code: 'url_refused', detail: thrown.message }],
        });
      warnings.push({
        code: name === 'callback_url' ? 'callback_unresolved' : 'webhook_unresolved',
        pointer,
        detail: 'The host name cannot be resolved at the moment.',
      });
    }
  }
  return warnings;
}
