import reasonCodes from './reason-codes.json' with { type: 'json' };
import { closedSet } from '../../core/input/closed-set.ts';

/** Rejection reasons: the code for programs, the default text, and the agent's remedy. */
export { reasonCodes };

export type ReasonCode = keyof typeof reasonCodes;

/** Reason for an approval that became a rejection, because the business denied the relationship. */
export const RELATIONSHIP_DENIED = {
  code: 'relationship_denied',
  text: 'The business says that the operator does not act for it.',
  fix: 'Submit it with the relationship third_party, or have the business confirm you first.',
} as const;

/** Every reason that is reported to agents. */
export const reasonCodeSet = closedSet(
  'ReasonCode',
  Object.fromEntries(
    [...Object.entries(reasonCodes), [RELATIONSHIP_DENIED.code, RELATIONSHIP_DENIED] as const].map(
      ([code, { text }]) => [code, text],
    ),
  ),
);

export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(reasonCodes, code);
}
