interface Kept<Value> {
  value: Value;
  restsOn: readonly unknown[];
  bytes: number;
}

/** Keeps what was made while the things that it rests on are the same, up to so many bytes. The oldest goes first. */
export class KeptWhile<Value> {
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  find(name: string, restsOn: readonly unknown[]): Value | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && isSame(kept.restsOn, restsOn) ? kept.value : undefined;
  }

  /** Whether something of this name is kept, even if it holds no longer. */
  has(name: string): boolean {
    return this.#kept.has(name);
  }

  keep(name: string, restsOn: readonly unknown[], value: Value, bytes: number): void {
    this.#forget(name);
    const all = bytes + name.length * 2;
    if (all > this.#bytesMax) return;
    this.#bytes += all;
    this.#kept.set(name, { value, restsOn, bytes: all });
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }
}

export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
