import { open } from 'node:fs/promises';

/** fsyncs the directory so that new entries survive a crash. Some shared folders do not support it (EINVAL). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'EINVAL') throw thrown;
  } finally {
    await handle.close();
  }
}
