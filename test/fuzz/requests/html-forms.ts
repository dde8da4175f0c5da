/** A form as it stands on a page. */
export interface HtmlForm {
  action: string;
  method: 'GET' | 'POST';
  multipart: boolean;
  fields: HtmlField[];
}

export interface HtmlField {
  name: string;
  type: string;
  value: string;
  /** The values of a choice. */
  options: string[];
  maxLength: number;
}

type Attributes = Record<string, string>;

/** The forms of a page. Its markup is ours, so that a few patterns are enough to read it. */
export function formsIn(page: string): HtmlForm[] {
  return [...page.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].map(([, head = '', inside = '']) => {
    const { action = '', method = 'get', enctype = '' } = attributes(head);
    return {
      action,
      method: method.toLowerCase() === 'post' ? 'POST' : 'GET',
      multipart: enctype.includes('multipart'),
      fields: fieldsIn(inside),
    };
  });
}

function fieldsIn(inside: string): HtmlField[] {
  const fields = new Map<string, HtmlField>();
  const put = ({ name = '', type = 'text', value = '', maxlength }: Attributes, options: string[] = []) => {
    const held = fields.get(name);
    const choice = /^(radio|checkbox|submit)$/.test(type) ? [value] : options;
    if (held !== undefined) held.options.push(...choice);
    else if (name !== '')
      fields.set(name, { name, type, value, options: choice, maxLength: Number(maxlength ?? 200) });
  };
  for (const [, tag = '', head = '', rest = ''] of inside.matchAll(
    /<(input|button|select|textarea)\b((?:[^>"]|"[^"]*")*)>([^]*?(?=<\/select>|<\/textarea>|<input|<button|<select|<textarea|$))/g,
  )) {
    const held = attributes(head);
    if (tag === 'select')
      put(
        { ...held, type: 'select' },
        [...rest.matchAll(/<option value="([^"]*)"/g)].map(([, value = '']) => plain(value)),
      );
    else if (tag === 'textarea') put({ ...held, type: 'textarea', value: plain(rest.trim()) });
    else put(tag === 'button' ? { type: 'submit', ...held } : held);
  }
  return [...fields.values()];
}

function attributes(head: string): Attributes {
  return Object.fromEntries(
    [...head.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      plain(value),
    ]),
  );
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
