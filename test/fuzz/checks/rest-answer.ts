import type { Exchange } from '../perform/exchange.ts';
import { fault, type Fault } from './fault.ts';
import { schemaFault } from './schema.ts';

/** Statuses that every route may return because of how a request was sent. */
const ABOUT_SENDING = new Set([204, 400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 422, 431]);

/** The status is one that the operation declares, and the body is what the status declares. */
export function restFaults({ answer, expects, odd, request }: Exchange, where: string): Fault[] {
  if (expects.kind !== 'rest' || answer.status >= 500) return [];
  const declared = expects.operation.responses[String(answer.status)];
  const type = (answer.headers['content-type'] ?? '').replace(/;.*/, '');
  if (declared === undefined || (odd && !(type in declared.content))) {
    if (odd && ABOUT_SENDING.has(answer.status)) return wrongForm(answer.status, type, where, answer.text);
    return [fault(`an undeclared status ${answer.status}`, where, `${request.target}\n${answer.text}`)];
  }
  const schema = declared.content[type]?.schema;
  if (schema === undefined) return [fault(`an undeclared type ${type}`, where, answer.text)];
  // Problems are held to their schema wherever they stand.
  if (type !== 'application/json') return [];
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return [fault('no JSON', where, answer.text)];
  }
  const wrong = schemaFault(schema, body);
  return wrong === undefined
    ? []
    : [fault('an answer outside its schema', where, `${wrong}\n${answer.text}`)];
}

function wrongForm(status: number, type: string, where: string, text: string): Fault[] {
  if (status === 204 || type === 'application/problem+json') return [];
  return [fault(`a refusal ${status} that is no problem document`, where, text)];
}
