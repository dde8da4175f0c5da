import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, mock } from 'node:test';
import { LONG } from '../tier.ts';

const LITTLE_WORK = 1024;

/**
 * In `npm test` each password of this process is hashed and compared with a hundredth of the work until the end of the
 * file, which takes 0.4 s otherwise. What is stored still names the real work.
 */
export function hashPasswordsQuickly(): void {
  if (LONG) return;
  const { scrypt } = crypto;
  const quick = (
    password: BinaryLike,
    salt: BinaryLike,
    keyBytes: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    scrypt(
      password,
      salt,
      keyBytes,
      { ...options, N: Math.min(options.N ?? LITTLE_WORK, LITTLE_WORK) },
      done,
    );
  };
  const { mock: mocked } = mock.method(crypto, 'scrypt', quick as typeof scrypt);
  syncBuiltinESMExports();
  after(() => {
    mocked.restore();
    syncBuiltinESMExports();
  });
}
