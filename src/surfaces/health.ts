import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../core/context.ts';
import { RELEASE } from '../core/release.ts';
import { metricsToken } from '../core/secret/metrics-token.ts';

const READY_TIMEOUT_MS = 2_000;
const IDLE_CHECK_MS = 50;

/** Endpoints for monitoring: liveness, readiness and metrics. */
export function addHealth(app: FastifyInstance, deps: Deps): void {
  const { stopping } = deps;
  app.addHook('preClose', (done) => {
    stopping.draining = true;
    // A keep-alive connection would delay shutdown, so it is closed as soon as it is idle. A server that never listened
    // has no connections and never emits `close`: unref keeps the timer from keeping its process alive.
    const closing = setInterval(() => {
      app.server.closeIdleConnections();
    }, IDLE_CHECK_MS).unref();
    app.server.once('close', () => {
      clearInterval(closing);
    });
    done();
  });
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (stopping.draining) return reply.code(503).send({ status: 'draining' });
    const trouble = await databaseTrouble(deps);
    if (trouble !== undefined) return reply.code(503).send({ status: trouble });
    if (!deps.places.isReady) {
      const { trouble: reason, activity } = deps.places;
      const status =
        reason === undefined
          ? `search index is being ${activity}`
          : `search index cannot be built: ${reason}`;
      return reply.code(503).send({ status });
    }
    const { kinds, ...schedule } = deps.stalledKinds.state;
    // Reads still work, so the status code stays 200.
    return reply.send({
      status: 'ready',
      ...RELEASE,
      ...(kinds.length === 0 ? { jobs: 'running' } : { jobs: 'stalled', stalled_jobs: kinds }),
      ...schedule,
    });
  });
  const token = metricsToken(deps.config, deps.secrets);
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, token)) {
      reply.callNotFound();
      return reply;
    }
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.text());
  });
}

const FROZEN = 'database frozen: it accepts connections but does not answer';
const UNREACHABLE = 'database unreachable';

/** Reason why the database is unusable, worded for the operator. */
async function databaseTrouble({ pool }: Deps): Promise<string | undefined> {
  const late = new Promise<string>((resolve) => {
    AbortSignal.timeout(READY_TIMEOUT_MS).addEventListener('abort', () => {
      resolve(pool.isReached() ? FROZEN : UNREACHABLE);
    });
  });
  const result = pool<{ setting: string }[]>`select current_setting('transaction_read_only') as setting`.then(
    ([row]) => (row?.setting === 'on' ? 'database read-only: it accepts no changes' : undefined),
    (thrown: unknown) => ((thrown as { code?: string }).code === 'SERVER_SILENT' ? FROZEN : UNREACHABLE),
  );
  return Promise.race([result, late]);
}

/** Metrics are private. A request without the token gets the same response as for an unknown page. */
function mayReadMetrics(request: FastifyRequest, token: string): boolean {
  const sent = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
