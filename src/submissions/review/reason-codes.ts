import { closedSet } from '../../core/input/closed-set.ts';

/** Rejection reasons: the code for programs, the default text, and the agent's remedy. */
export const reasonCodes = {
  not_a_real_place: {
    label: 'Not a real place',
    text: 'We could not confirm that this place exists.',
    fix: 'Submit only businesses that exist. A key that submits invented ones is revoked.',
  },
  closed: {
    label: 'Closed',
    text: 'This place appears to have closed for good.',
    fix: 'Submit it again with a source if it has reopened.',
  },
  duplicate: {
    label: 'Duplicate',
    text: 'The directory already lists this place.',
    fix: 'Send corrections with the external_ref, or with the name and address of the listed place.',
  },
  contact_not_verifiable: {
    label: 'Contact not verifiable',
    text: 'A contact detail could not be found anywhere that the business publishes.',
    fix: 'Leave the field empty, or give the detail as the business publishes it.',
  },
  relationship_not_supported: {
    label: 'Relationship not supported',
    text: 'Nothing supports the relationship that was declared.',
    fix: 'Submit it again with the relationship third_party.',
  },
  claim_unsourced: {
    label: 'Claim without a source',
    text: 'The description claims an award or a rating without a source.',
    fix: 'Give the source in claims, or leave the claim out.',
  },
  prohibited_content: {
    label: 'Prohibited content',
    text: 'The text contains something that the directory does not show.',
    fix: 'Describe the place plainly and submit it again.',
  },
  insufficient_detail: {
    label: 'Not enough detail',
    text: 'There is too little detail to tell which place this is.',
    fix: 'Add the street address, the coordinates or the website.',
  },
} as const satisfies Record<string, { label: string; text: string; fix: string }>;

export type ReasonCode = keyof typeof reasonCodes;

/**
 * Reason for an approval that became a rejection because the business denied the relationship. No reviewer chooses it.
 */
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
