import type { HttpAnswer, HttpRequest } from '../send.ts';
import type { Caller } from '../world/caller.ts';
import type { ListedTool, OpenApiOperation } from '../world/world.ts';

/** The expectations for an answer. */
export type Expectation =
  | { kind: 'rest'; operation: OpenApiOperation }
  | { kind: 'rpc'; tool: ListedTool | undefined }
  | { kind: 'page'; pattern: string }
  | { kind: 'endpoint'; path: string };

/** One request with its answer. */
export interface Exchange {
  /** Where it counts in the table at the end. */
  surface: string;
  caller: Caller;
  request: HttpRequest;
  answer: HttpAnswer;
  expects: Expectation;
  /** Set where the way of sending was odd, so that also what is said about that is an answer. */
  odd: boolean;
}
