import { ERRORS } from '../../../src/core/errors.ts';
import type { Exchange } from '../perform/exchange.ts';
import type { World } from '../world/world.ts';
import { fault, type Fault } from './fault.ts';
import { schemaFault } from './schema.ts';

/** RFC 9457, as CONTRACT 1.1 has it. */
export function problemFaults(world: World, { answer }: Exchange, where: string): Fault[] {
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(answer.text) as Record<string, unknown>;
  } catch {
    return [fault('a problem that is no JSON', where, answer.text)];
  }
  const faults: Fault[] = [];
  const wrong = schemaFault(world.openapi.components.schemas.Problem, problem);
  if (wrong !== undefined) faults.push(fault('a problem outside its schema', where, wrong));
  const { status, code, error, instance } = problem;
  const known =
    typeof code === 'string' && Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS] : undefined;
  if (known?.[0] !== answer.status || status !== answer.status || error !== code)
    faults.push(fault('a problem whose code and status differ', where, answer.text));
  if (instance !== answer.headers['x-request-id'])
    faults.push(fault('a problem with another id', where, answer.text));
  return faults;
}
