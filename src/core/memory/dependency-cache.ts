import { LRUCache } from 'lru-cache';

interface Entry<Value> {
  value: Value;
  restsOn: readonly unknown[];
}

export class DependencyCache<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>;

  constructor(bytesMax: number) {
    this.#entries = new LRUCache({ maxSize: bytesMax });
  }

  find(name: string, restsOn: readonly unknown[]): Value | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && sameDependencies(entry.restsOn, restsOn) ? entry.value : undefined;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  keep(name: string, restsOn: readonly unknown[], value: Value, bytes: number): void {
    this.#entries.set(name, { value, restsOn }, { size: bytes + name.length * 2 });
  }
}

export function sameDependencies(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
