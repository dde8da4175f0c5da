import type { Deps } from '../../../core/context.ts';
import { EgressError } from '../../../core/egress/egress-error.ts';
import { vetUrl } from '../../../core/egress/egress-target.ts';

/**
 * What is wrong with the addresses in a form that we shall call; undefined when nothing is. Only name servers are asked,
 * before the transaction begins, so that a person learns of it now and not at the first call.
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
