import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder } from '../core/files/sync-folder.ts';
import { BackupError } from './backup-error.ts';

/** Ending of the name of an encrypted backup, whose format is that of the program age. */
export const ENCRYPTED = '.age';

const MAGIC = 'age-encryption.org/';

/** Refuses a recipient that files cannot be encrypted for, before any work is done. */
export function readRecipient(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (thrown) {
    throw new BackupError('--recipient must be the public key of an age identity: age1….', { cause: thrown });
  }
  return encrypter;
}

/** Encrypts a file. The result has its final name only once it is complete and on the disk. */
export async function encryptFile(from: string, to: string, encrypter: Encrypter): Promise<void> {
  await writeStream(to, await encrypter.encrypt(streamOf(from)));
}

/** Decrypts a file with the identities of a file, as age-keygen writes them. */
export async function decryptFile(from: string, to: string, identityFile: string): Promise<void> {
  const decrypter = new Decrypter();
  const identities = (await readFile(identityFile, 'utf8')).match(/^AGE-SECRET-KEY-\S+$/gm) ?? [];
  if (identities.length === 0) throw new BackupError(`${identityFile} contains no identity of age.`);
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (thrown) {
    throw new BackupError(`${identityFile} contains an identity that is damaged.`, { cause: thrown });
  }
  let plain: ReadableStream<Uint8Array>;
  try {
    plain = await decrypter.decrypt(streamOf(from));
  } catch (thrown) {
    throw new BackupError(`${from} cannot be opened with ${identityFile}: ${textOf(thrown)}.`, {
      cause: thrown,
    });
  }
  try {
    await writeStream(to, plain);
  } catch (thrown) {
    if ((thrown as { syscall?: string }).syscall !== undefined) throw thrown;
    throw new BackupError(`${from} is damaged: it cannot be decrypted to its end.`, { cause: thrown });
  }
}

/** False also for what is no file or cannot be opened, which its reader explains. */
export async function isEncrypted(path: string): Promise<boolean> {
  // To open a named pipe would wait for somebody who writes into it.
  const found = await stat(path).catch(() => undefined);
  const file = found?.isFile() === true ? await open(path).catch(() => undefined) : undefined;
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === MAGIC;
  } finally {
    await file.close();
  }
}

/** Writes a new identity that only its owner can read. Returns its recipient, which is no secret. */
export async function createIdentity(path: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  try {
    await writeFile(path, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'EEXIST') throw thrown;
    throw new BackupError(`${path} already exists. Choose another file name.`, { cause: thrown });
  }
  return recipient;
}

function streamOf(path: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
}

async function writeStream(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'wx', 0o600);
  try {
    try {
      await file.writeFile(stream);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
  await syncFolder(dirname(path));
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
