import { createHmac } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from './secrets.ts';

interface Settings {
  metricsToken: string | undefined;
  dataDir: string;
}

/**
 * Returns the bearer token for /metrics: METRICS_TOKEN, or one that all nodes and processes of a database derive
 * alike. A caller on this machine needs it too, because a request forwarded by a local proxy looks the same.
 */
export function metricsToken({ metricsToken }: Pick<Settings, 'metricsToken'>, secrets: Secrets): string {
  return metricsToken ?? createHmac('sha256', secrets.session).update('metrics').digest('base64url');
}

/** Writes the derived token to DATA_DIR for users who may read there; a token from the settings is not written. */
export async function writeMetricsToken(settings: Settings, secrets: Secrets): Promise<void> {
  const file = join(settings.dataDir, 'metrics-token');
  await rm(file, { force: true });
  if (settings.metricsToken === undefined)
    await writeFile(file, metricsToken(settings, secrets), { mode: 0o600, flag: 'wx' });
}
