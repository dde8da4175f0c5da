import { databaseHost } from '../../core/installation.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { serverUrls } from '../../core/postgres/servers.ts';
import { SECRET_SETTINGS, SETTING_NAMES } from '../../node/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter value would also be found in ordinary words. */
const SECRET_LENGTH_MIN = 4;
const HIDDEN = '[secret]';

/** Lists all settings. A secret one only says that it is set, an address of a server shows host and port. */
export function listSettings(env: Environment): string {
  return SETTING_NAMES.map((name) => `${name}=${shownValue(name, env[name])}\n`).join('');
}

function shownValue(name: string, value: string | undefined): string {
  if (!value) return '(not set)';
  if (!SECRET_SETTINGS.includes(name)) return value;
  if (name.startsWith('DATABASE_')) return `${HIDDEN} at ${databaseHost(value)}`;
  return name === 'SMTP_URL' ? `${HIDDEN} at ${new URL(value).host}` : HIDDEN;
}

/** Every text that must not leave the installation: secret settings, passwords in addresses, and the secrets it made. */
export async function secretTexts(
  env: Environment,
  metricsToken: string,
  pool: Pool | undefined,
): Promise<string[]> {
  const values = SECRET_SETTINGS.flatMap((name) => env[name] ?? []);
  const passwords = SETTING_NAMES.flatMap((name) => passwordsOf(env[name] ?? ''));
  const made =
    pool === undefined
      ? []
      : await pool<{ value: Buffer }[]>`select value from service_secret`.catch(() => []);
  const encoded = made.flatMap(({ value }) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) => value.toString(encoding)),
  );
  return [...values, ...passwords, ...encoded, metricsToken]
    .filter((text) => text.length >= SECRET_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length);
}

function passwordsOf(value: string): string[] {
  if (!/^[a-z+]+:\/\//i.test(value)) return [];
  return serverUrls(value)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).password)
    .flatMap((password) => [password, decodeURIComponent(password)]);
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}
