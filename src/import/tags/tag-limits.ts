import { createHash } from 'node:crypto';
import { ADDRESS_MAX, cutAtWord, DESCRIPTION_MAX, NAME_MAX } from '../../core/text/limits.ts';
import type { Tags } from '../categories.ts';

const NAME_KEY = /(?:^|:)name(?::|$)/;
const ADDRESS_KEY = /(?:^|:)addr:/;
const HOURS_KEY = /(?:^|:)opening_hours/;
/** Maximum length of hours. Longer ones are dropped, because truncated hours would be wrong. */
const HOURS_MAX = 1_000;
const REFERENCE_MAX = 300;

/** Truncates texts beyond their limits before they are parsed, because parsing a long text may take long. */
export function limitTags(tags: Tags): { tags: Tags; cut: readonly string[] } {
  let limited: Map<string, string> | undefined;
  const cut: string[] = [];
  for (const [key, value] of tags) {
    if (value.length <= NAME_MAX) continue;
    const shortened = limitText(key, value);
    if (shortened === value) continue;
    limited ??= new Map(tags);
    limited.set(key, shortened);
    cut.push(cutAtWord(key, 40));
  }
  return limited === undefined ? { tags, cut } : { tags: limited, cut };
}

function limitText(key: string, value: string): string {
  if (HOURS_KEY.test(key)) return value.length > HOURS_MAX ? '' : value;
  if (NAME_KEY.test(key)) return cutAtWord(value, NAME_MAX);
  return cutAtWord(value, ADDRESS_KEY.test(key) ? ADDRESS_MAX : DESCRIPTION_MAX);
}

/** Returns the reference of an object in its source; the hash of a very long one. */
export function limitReference(reference: string): string {
  if (reference.length <= REFERENCE_MAX) return reference;
  return `sha256/${createHash('sha256').update(reference).digest('hex')}`;
}
