import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';

export const BODY_LIMIT_BYTES = 256 * 1024;
// Deep nesting costs stack in every walk over a body; nothing that we accept needs more.
const DEPTH_MAX = 32;

export function parseJson(body: Buffer): unknown {
  if (body.length === 0)
    throw new AppError('malformed_json', 'The body is empty; a JSON object is expected.');
  if (!isUtf8(body)) throw new AppError('malformed_json', 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new AppError('malformed_json', 'The body is not valid JSON.', { cause: thrown });
  }
  // The depth is checked first: the walk after it recurses, and a body of brackets would exhaust the stack.
  if (opensMoreThan(text, DEPTH_MAX) && depth(value, DEPTH_MAX) < 0)
    throw new AppError('malformed_json', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (text.includes('__proto__') || text.includes('\\u')) refuseProto(value);
  return value;
}

export function bodyParser(parse: (body: Buffer) => unknown) {
  return (_request: unknown, body: Buffer, done: (fault: Error | null, parsed?: unknown) => void): void => {
    try {
      done(null, parse(body));
    } catch (thrown) {
      done(thrown as Error);
    }
  };
}

export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    bodyParser(parseJson),
  );
}

/** True when a text has so many opening brackets that it may be nested too deep; most bodies have a handful. */
function opensMoreThan(text: string, max: number): boolean {
  let opened = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++opened > max) return true;
  return false;
}

/** Returns the number of unused levels; negative when the value is nested too deep. */
function depth(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null || left < 0) return left;
  let least = left;
  for (const member of Object.values(value)) least = Math.min(least, depth(member, left - 1));
  return least;
}

function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__'))
    throw new AppError('malformed_json', 'The body may not have a member named __proto__.');
  for (const member of Object.values(value)) refuseProto(member);
}
