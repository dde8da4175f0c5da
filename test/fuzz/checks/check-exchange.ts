import type { Exchange } from '../perform/exchange.ts';
import type { World } from '../world/world.ts';
import type { Fault } from './fault.ts';
import { fault } from './fault.ts';
import { foreignWords } from './foreign-words.ts';
import { pageFaults } from './page-answer.ts';
import { problemFaults } from './problem-answer.ts';
import { restFaults } from './rest-answer.ts';
import { rpcFaults } from './rpc-answer.ts';
import { textFaults } from './answer-text.ts';

/** Where an exchange took place, without what differs from one to the next. */
export function placeOf({ request, expects }: Exchange): string {
  switch (expects.kind) {
    case 'rest':
      return expects.operation.operationId;
    case 'rpc':
      return `${request.target.replace(/\?.*/, '')} ${expects.tool?.name ?? '(message)'}`;
    case 'page':
      return `${request.method} ${expects.pattern}`;
    case 'endpoint':
      return expects.path;
  }
}

/** Everything that is wrong with an answer. */
export async function checkExchange(world: World, exchange: Exchange): Promise<Fault[]> {
  const { answer, expects } = exchange;
  const where = placeOf(exchange);
  const faults: Fault[] = [];
  if (answer.status >= 500 && !isDeclaredHalt(exchange))
    faults.push(fault(`status ${answer.status}`, where, answer.text));
  if (answer.headers['x-request-id'] === undefined)
    faults.push(fault('no x-request-id', where, JSON.stringify(answer.headers)));
  if (answer.status === 429 && answer.headers['retry-after'] === undefined)
    faults.push(fault('429 without Retry-After', where, answer.text));
  faults.push(...textFaults(exchange, where));
  if (exchange.request.method !== 'HEAD') {
    const type = answer.headers['content-type'] ?? '';
    if (type.startsWith('application/problem+json')) faults.push(...problemFaults(world, exchange, where));
    if (expects.kind === 'rest') faults.push(...restFaults(exchange, where));
    else if (expects.kind === 'rpc') faults.push(...rpcFaults(exchange, where));
    else faults.push(...pageFaults(world, exchange, where));
  }
  faults.push(...(await foreignWords(world, exchange, where)));
  return faults;
}

/** While bookings are halted, forms say so; that is declared, and says when to come again. */
function isDeclaredHalt({ answer, expects }: Exchange): boolean {
  return expects.kind === 'page' && answer.status === 503 && answer.headers['retry-after'] !== undefined;
}
