import type { Surface } from '../../core/context.ts';
import testCases from './test-cases.json' with { type: 'json' };

/** A reviewer's prompt and the expected result. Tools are named like operations, without the prefix of the service. */
export interface TestCase {
  prompt: string;
  tools: readonly string[];
  expect: string;
}

/** An out-of-scope prompt, for which no tool must be called. */
export interface NegativeCase {
  prompt: string;
  because: string;
}

export const TEST_CASES: Record<Surface, readonly TestCase[]> = testCases.cases;

export const NEGATIVE_CASES: readonly NegativeCase[] = testCases.negative;
