import type { Deps } from '../core/context.ts';
import { logRequest } from '../core/log.ts';

/** What is noted of every request: one line in the log, and its time in the metrics. */
export function noteRequest(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  request: { id: string; method: string; route: string; status: number; ms: number },
): void {
  metrics.requests.observe(request.route, request.method, request.status, request.ms / 1000);
  logRequest(log, request);
}
