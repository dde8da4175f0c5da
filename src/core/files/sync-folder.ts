import { open } from 'node:fs/promises';

/** Makes new names in a folder last. Some shared folders know no such thing and say so. */
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
