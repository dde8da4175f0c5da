/** Markup that is safe to send unchanged. Only `html` and `raw` create it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values that a template accepts between `${` and `}`. Null, undefined and booleans render nothing. */
export type HtmlValue = Html | string | number | bigint | boolean | null | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for text and for a quoted attribute value. Most text has nothing to escape and is returned unchanged. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Escapes every interpolated value, except results of `html` or `raw`. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  checkQuotes(parts);
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) markup += render(value) + (parts[index + 1] ?? '');
  return new Html(markup);
}

/** Marks a string as safe markup. Only for text that we wrote or generated ourselves, never for data. */
export function raw(trusted: string): Html {
  return new Html(trusted);
}

export function join(pieces: readonly HtmlValue[], separator: HtmlValue = ''): Html {
  return new Html(pieces.map(render).join(render(separator)));
}

/** Returns http(s), mailto, tel and site-relative URLs; null, which renders as nothing, for all others. */
export function safeHref(url: string): string | null {
  // Browsers drop tabs and newlines and read a backslash as a slash, which turns `/\host` into another site.
  if (/[\s\\]|\p{Cc}/u.test(url)) return null;
  if (/^(?:\/(?!\/)|#|\?)/.test(url)) return url;
  if (/^(?:mailto:|tel:)./i.test(url)) return url;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Html) return value.toString();
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return value.map(render).join('');
}

const checkedTemplates = new WeakSet<TemplateStringsArray>();

/** Throws on an unquoted attribute, in which a space in the data could start a second attribute. */
function checkQuotes(parts: TemplateStringsArray): void {
  if (checkedTemplates.has(parts)) return;
  for (let end = 1; end < parts.length; end += 1) {
    const before = parts.slice(0, end).join('');
    if (/(?:<\w[^<>]*|^\s[\w-]*)=\s*$/.test(before)) {
      throw new Error(`An attribute value must be in double quotes: ${before.slice(-40)}`);
    }
  }
  checkedTemplates.add(parts);
}
