/** Things that the files of a test process share. Unlike the rest of the harness, it is loaded once in a process. */
const kept = new Map<string, { thing: Promise<unknown>; close: () => Promise<unknown> }>();

/** Opens a thing for the first file that needs it, and gives the same one to the files after it. */
export function keep<T>(
  name: string,
  open: () => Promise<T>,
  close: (thing: T) => Promise<unknown>,
): Promise<T> {
  const before = kept.get(name);
  if (before !== undefined) return before.thing as Promise<T>;
  const thing = open();
  kept.set(name, { thing, close: async () => close(await thing) });
  return thing;
}

/** Whether something is open that keeps the process alive. */
export function isKeeping(): boolean {
  return kept.size > 0;
}

export async function closeKept(): Promise<void> {
  for (const { close } of kept.values()) await close();
  kept.clear();
}
