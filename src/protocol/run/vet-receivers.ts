import type { Deps } from '../../core/context.ts';
import { EgressError } from '../../core/egress/egress-error.ts';
import { vetUrl } from '../../core/egress/egress-target.ts';
import { invalidField } from '../../core/errors.ts';
import type { Warning } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';

/** Refuses a URL that we would never call. An unresolved name only gets a warning: deliveries check again. */
export async function vetReceivers(
  { egress }: Deps,
  { receivers = [] }: Operation,
  input: Record<string, unknown>,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const name of receivers) {
    const url = input[name];
    if (typeof url !== 'string' || url === '') continue;
    try {
      await vetUrl(egress, url);
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      if (thrown.code !== 'dns') throw invalidField(name, 'url_refused', thrown.message);
      warnings.push({
        code: name === 'callback_url' ? 'callback_unresolved' : 'webhook_unresolved',
        pointer: `/${name}`,
        detail: 'The host name cannot be resolved at the moment.',
      });
    }
  }
  return warnings;
}
