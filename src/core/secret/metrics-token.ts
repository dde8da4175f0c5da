import { createHmac } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from './secrets.ts';

interface Settings {
  metricsToken: string | undefined;
  dataDir: string;
}

/** Bearer token for /metrics: METRICS_TOKEN, or one that all nodes of a database derive alike. */
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
