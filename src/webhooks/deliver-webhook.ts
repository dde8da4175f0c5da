import { z } from 'zod';
import { attempt } from '../callbacks/attempt.ts';
import { retryWhileLocked } from '../callbacks/locked-receivers.ts';
import { signatureHeaders } from '../callbacks/signature.ts';
import { currentSigner } from '../callbacks/signing-key.ts';
import type { Deps } from '../core/context.ts';
import { defineTask } from '../jobs/task.ts';
import type { DeliveryBody } from './booking-event.ts';
import { releaseTurn, noteResult, takeTurn, type Turn } from './delivery-turn.ts';
import { signingSecrets } from './endpoint.ts';

/**
 * Starts one delivery, if it is its turn; the request itself runs outside the job queue. The receiver may get a
 * delivery twice, with the same id in the body and the headers.
 */
export const deliverWebhook = defineTask({
  kind: 'telling',
  payload: z.object({ delivery_id: z.string() }),
  async run(job, { delivery_id: id }) {
    const { deps } = job;
    await deps.deliveryPool.room();
    const turn = await takeTurn(job, id);
    if (turn === undefined) return;
    deps.deliveryPool.start(turn.endpoint.url, async (signal) => {
      const result = await attempt(deps, turn.endpoint.url, await signedRequest(deps, turn), signal);
      if (result === undefined) await releaseTurn(job, turn);
      else await retryWhileLocked(signal, () => noteResult(job, turn, result));
    });
  },
});

/** The body is the same at every attempt. Timestamp and signatures are new, because receivers reject old ones. */
async function signedRequest(deps: Deps, turn: Turn) {
  const { pool, clock, config, destinations } = deps;
  const { prefix, baseUrl } = config;
  const { id, event, sequence, data, createdAt, endpoint } = turn;
  const delivery = {
    id,
    type: event === 'test' ? 'webhook.test' : `booking.${event}`,
    event,
    timestamp: createdAt.toISOString(),
    sequence,
    data,
  } as DeliveryBody;
  const body = JSON.stringify({ ...delivery, ...destinations.current.attribution });
  const now = clock.now();
  const secrets = signingSecrets(deps, endpoint, now);
  const sign = await currentSigner(pool, now);
  const headers = {
    'user-agent': `${prefix}-webhooks/1.0 (+${baseUrl})`,
    ...signatureHeaders({ prefix, id, now, body, secrets, sign }),
  };
  return { headers, body };
}
