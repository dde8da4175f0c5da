import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { openDatabase } from '../../src/database.ts';
import { loadDemo } from '../../src/directory/demo/load-demo.ts';

// The whole service as it ships, with its guards, metrics and request log, on a free port.
const config = parseConfig({ ...process.env, PORT: '0', BASE_URL: 'http://localhost:3000' });
const database = await openDatabase(config, 'service', () => undefined);
const places = Number(process.env['BENCH_PLACES'] ?? '24000');
const [held] = await database.pool<{ count: number }[]>`select count(*)::int as count from place`;
if (held?.count !== places) {
  await loadDemo(database.pool, { places, seed: 1, now: systemClock.now(), progress: () => undefined });
}
const log = createLog('info', pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }));
const app = await createApp({ config, pool: database.pool, clock: systemClock, log });
await app.http.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on ${(app.http.server.address() as AddressInfo).port}\n`);
process.on('SIGTERM', () => {
  void app.close().then(() => database.close());
});
