import type { operations } from './generated/api.ts';
import type { ROUTES } from './generated/operations.ts';

/** An operation by its name in openapi.json. */
export type OperationName = keyof typeof ROUTES;

/** The type itself; where there is none, one that adds nothing to others. */
type Given<Place> = [Exclude<Place, undefined>] extends [never] ? unknown : Exclude<Place, undefined>;
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Member<Object, Name extends string> = Object extends Partial<Record<Name, infer Value>> ? Value : never;

/** Input of an operation: the members of its path and query, or those of its body. */
export type Input<Name extends OperationName> = Given<Member<operations[Name]['parameters'], 'path'>> &
  Given<Member<operations[Name]['parameters'], 'query'>> &
  Given<Json<Member<operations[Name], 'requestBody'>>>;

/** Output of an operation when it succeeds. */
export type Output<Name extends OperationName> = Success<operations[Name]['responses']>;

type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 ? Json<Responses[Status]> : never;
}[keyof Responses];

export interface CallOptions {
  /** Calls the whole call off, the waits between attempts included. */
  signal?: AbortSignal;
  /** How long one attempt may take. */
  timeoutMs?: number;
  /** How often a call is sent again when that is safe and of use. */
  retries?: number;
  /** Your own name for a write. Without it each write gets a new one, which all its attempts carry. */
  idempotencyKey?: string;
}
