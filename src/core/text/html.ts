/** Markup that is safe to send as it stands. Only `html` and `raw` make one. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template accepts between `${` and `}`. Null, undefined and booleans render nothing. */
export type HtmlValue = Html | string | number | bigint | boolean | null | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for text and for a quoted attribute value. Most text has nothing to escape and is given back as it is. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Escapes every interpolated value, except what `html` or `raw` already made. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  checkQuotes(parts);
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    markup += render(value) + (parts[index + 1] ?? '');
  }
  return new Html(markup);
}

/** Marks a string as safe markup. Only for text that we wrote or made ourselves, never for data. */
export function raw(trusted: string): Html {
  return new Html(trusted);
}

/** Joins pieces of markup with a separator that is escaped like any other value. */
export function join(pieces: readonly HtmlValue[], separator: HtmlValue = ''): Html {
  return new Html(pieces.map(render).join(render(separator)));
}

/**
 * Lets http(s), mailto, tel and site-relative addresses through and gives null for the rest.
 * A template renders null as nothing, so a refused address never becomes a live one.
 */
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

/** An unquoted attribute would let a space in the data start a second attribute, so it is a fault of the template. */
function checkQuotes(parts: TemplateStringsArray): void {
  if (checkedTemplates.has(parts)) return;
  for (let end = 1; end < parts.length; end += 1) {
    const before = parts.slice(0, end).join('');
    if (/(?:<\w[^<>]*|^\s[\w-]*)=\s*$/.test(before)) {
      throw new Error(`An attribute value must stand in double quotes: ${before.slice(-40)}`);
    }
  }
  checkedTemplates.add(parts);
}
