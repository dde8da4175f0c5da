import type { Deps } from '../../../core/context.ts';
import { EgressError } from '../../../core/egress/egress-error.ts';
import { vetUrl } from '../../../core/egress/egress-target.ts';

/**
 * Returns errors for the URLs in a form that we will call; undefined when there are none. Only DNS is queried, before
 * the transaction begins, so that the person learns of a problem now and not at the first call.
 */
export async function receiverFaults(
  { egress }: Pick<Deps, 'egress'>,
  receivers: readonly string[] = [],
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, string> | undefined> {
  for (const name of receivers) {
    try {
      await vetUrl(egress, String(values[name]));
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      return { [name]: thrown.message };
    }
  }
  return undefined;
}
