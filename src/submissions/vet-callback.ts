import { vetReceiver } from '../callbacks/vet-receiver.ts';
import type { Deps } from '../core/context.ts';
import type { Warning } from '../core/operation.ts';

const FIELD = { pointer: '/callback_url', unresolved: 'callback_unresolved' };

/** Refuses an address that we would never call; none is fine. */
export async function vetCallbackUrl(deps: Deps, url: string | null | undefined): Promise<Warning[]> {
  return url === undefined || url === null || url === '' ? [] : vetReceiver(deps, url, FIELD);
}
