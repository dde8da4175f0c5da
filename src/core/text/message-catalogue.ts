import { IntlMessageFormat } from 'intl-messageformat';
import { lazy } from '../memory/lazy.ts';
import { memoizeText } from '../memory/memoize-text.ts';

const MESSAGES_MAX = 500;

type MessageRenderer = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the renderer of a catalogue of ICU messages, which is read, and each message compiled, on first use. */
export function messageRenderer(code: string, read: () => Readonly<Record<string, string>>): MessageRenderer {
  const patterns = lazy(read);
  const messageOf = memoizeText(
    (key) => new IntlMessageFormat(patterns()[key] as string, code, undefined, { ignoreTag: true }),
    MESSAGES_MAX,
  );
  return (key, values) => messageOf(key).format(values) as string;
}
