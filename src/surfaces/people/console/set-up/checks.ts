import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../../core/context.ts';
import { safeRequest } from '../../../../core/egress/egress.ts';
import { EgressError, type EgressErrorCode } from '../../../../core/egress/egress-error.ts';
import { readStored } from '../../../../photos/photo-storage.ts';
import { defineAction } from '../../person/action.ts';
import type { Notice } from '../../person/page-request.ts';
import { leads } from '../../person/people.ts';
import { SET_UP_PATH } from './set-up.ts';

const FIXES: Readonly<Record<EgressErrorCode, string>> = {
  blocked_address:
    'It leads to an address that only your own network can open. Set BASE_URL to a public address.',
  dns: 'Its name is not known to the name servers. Add a DNS record that leads to your proxy.',
  tls: 'Its certificate is not valid. Renew the certificate of your proxy, with its whole chain.',
  timeout: 'Nothing answered in time. Check the firewall and that the proxy is running.',
  refused: 'Nothing accepts connections there. Check that the proxy is running and listens on this port.',
  too_large: 'Something else answers there. Let the proxy pass requests to this service.',
};

/** Outcome of a check, in plain text. */
type CheckNotice = Notice & { text: string };

/** Opens the public address from here, as other people do: name, certificate, proxy. */
export async function tryAddress({
  egress,
  config: { baseUrl },
}: Pick<Deps, 'egress' | 'config'>): Promise<CheckNotice> {
  try {
    const { status, body } = await safeRequest(egress, `${baseUrl}/healthz`, {
      method: 'GET',
      headers: { accept: 'application/json' },
      plainHttp: true,
      keepBody: true,
    });
    if (status === 200 && body?.toString() === '{"status":"ok"}')
      return { kind: 'good', text: `${baseUrl} leads to this service.` };
    return {
      kind: 'bad',
      text: `${baseUrl} answers with status ${status}, but not as this service does. ${FIXES.too_large}`,
    };
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    return { kind: 'bad', text: `${baseUrl} cannot be opened. ${FIXES[thrown.code]}` };
  }
}

/** Writes a file, reads it and deletes it. */
export async function tryStorage({
  photoStorage,
  log,
}: Pick<Deps, 'photoStorage' | 'log'>): Promise<CheckNotice> {
  const key = `probe/${randomBytes(16).toString('hex')}`;
  try {
    await photoStorage.put(key, Buffer.from(key), 'text/plain');
    const isSame = (await readStored(photoStorage, key))?.toString() === key;
    await photoStorage.delete(key);
    if (isSame) return { kind: 'good', text: 'A file was stored, read and deleted.' };
  } catch (err) {
    log.warn({ err }, 'the check of the photo storage failed');
  }
  return {
    kind: 'bad',
    text: 'A file could not be stored and read. Check PHOTO_DIR or the PHOTO_S3 settings, the rights of the service on them, and that the disk is not full. The log has the cause.',
  };
}

function defineCheck(what: string, button: string, attempt: (deps: Deps) => Promise<Notice>) {
  return defineAction({
    name: `check_${what}`,
    path: `${SET_UP_PATH}/check-${what}`,
    who: leads,
    button,
    prepare: ({ deps }) => attempt(deps),
    run: (_act, _values, notice) => Promise.resolve({ again: { notice } }),
  });
}

export const CHECKS = {
  address: defineCheck('address', 'Open the address', tryAddress),
  storage: defineCheck('storage', 'Try the storage', tryStorage),
};
