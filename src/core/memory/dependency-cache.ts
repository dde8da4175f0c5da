interface Entry<Value> {
  value: Value;
  restsOn: readonly unknown[];
  bytes: number;
}

/** Caches values while their dependencies are identical, up to a number of bytes. The oldest entry is evicted first. */
export class DependencyCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  find(name: string, restsOn: readonly unknown[]): Value | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && sameDependencies(entry.restsOn, restsOn) ? entry.value : undefined;
  }

  /** True when an entry with this name exists, even if it is outdated. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  keep(name: string, restsOn: readonly unknown[], value: Value, bytes: number): void {
    this.#forget(name);
    const all = bytes + name.length * 2;
    if (all > this.#bytesMax) return;
    this.#bytes += all;
    this.#entries.set(name, { value, restsOn, bytes: all });
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

export function sameDependencies(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
