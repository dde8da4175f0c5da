import { visibleText } from '../../../src/core/text/visible-text.ts';
import type { Exchange } from '../perform/exchange.ts';
import { SUM, TAG } from '../requests/hostile.ts';
import { fault, type Fault } from './fault.ts';

/** Patterns that reveal internals. The hostile texts contain none of them, so a match cannot come from the caller. */
const INSIDES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['stack', /\n\s+at .+:\d+:\d+\)?|\bat (?:async )?[\w.<>]+ \((?:file:|node:|\/)/],
  ['file path', /node_modules|file:\/\/\/(?!etc)|\/src\/[\w/-]+\.ts\b|\/tmp\/waypost/],
  [
    'SQL text',
    /syntax error at or near|violates (?:unique|check|foreign key|not-null|exclusion)|invalid input syntax for|relation "\w+" does not exist|duplicate key value|invalid byte sequence|value too long for type|out of range for type|\b(?:insert into|update|delete from) \w+ (?:\(|set|where)/i,
  ],
];

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Faults that any text may have, whatever it answers. */
export function textFaults({ answer, request }: Exchange, where: string): Fault[] {
  const { text } = answer;
  const type = answer.headers['content-type'] ?? '';
  if (text === '' || !/json|html|text\//.test(type)) return [];
  const faults: Fault[] = [];
  // Staff pages print commands that name the data folder; no other page may.
  const checked = where.includes(' /console') ? text.replaceAll(/DATA_DIR=\S+/g, '') : text;
  for (const [name, pattern] of INSIDES) {
    const found = pattern.exec(checked);
    if (found !== null) faults.push(fault(`${name} in an answer`, where, around(checked, found.index)));
  }
  const shown = type.includes('json') ? readable(withoutId(text)) : text;
  const visible = visibleText(shown);
  if (visible !== shown) faults.push(fault('invisible characters', where, firstDifference(shown, visible)));
  const control = CONTROL.exec(shown);
  if (control !== null) faults.push(fault('control characters', where, around(shown, control.index)));
  if (!shown.isWellFormed()) faults.push(fault('half a character', where, shown.slice(0, 300)));
  if (type.includes('html') && text.includes(`<${TAG}`))
    faults.push(fault('markup of a stranger', where, around(text, text.indexOf(`<${TAG}`))));
  if (text.includes(SUM) && !request.body?.includes(SUM))
    faults.push(fault('a template ran', where, around(text, text.indexOf(SUM))));
  if (answer.headers['set-cookie']?.some((line) => line.startsWith('zq7')) === true)
    faults.push(fault('a header of a stranger', where, ''));
  return faults;
}

/** JSON-RPC gives every id back as it came. */
function withoutId(text: string): string {
  return text.replace(/^(\{"jsonrpc":"2\.0","id":)"(?:[^"\\]|\\.)*"/, '$10');
}

/** JSON with its escapes undone, so that what it says can be seen. */
function readable(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|.)/gi, (whole, code: string | undefined) =>
    code === undefined ? whole : String.fromCharCode(parseInt(code, 16)),
  );
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 120), at + 200));
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  return around(one, at);
}
