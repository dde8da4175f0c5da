import { ownValue } from '../../../core/input/own-value.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import type { Html } from '../../../core/text/html.ts';
import type { AssetName } from '../assets.ts';
import type { FrameLabels, NavItem } from '../frame/layout.ts';

/** A request to a page, with everything the page needs. It is read-only. */
export interface PageRequest<Person = unknown> {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  person: Person;
  /** Path parameters, such as the id of a place. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  now: Date;
}

/** Message at the top of a page: what was done, or why it was not. */
export interface Notice {
  kind: 'good' | 'bad' | 'warn';
  text: string | Html;
}

/** Content of a page. The frame of its area adds navigation, heading and notice. */
export interface View {
  title: string;
  /** Purpose of the page, in one sentence under the heading. */
  lead?: string | Html | undefined;
  body: Html;
  /** Replaces the notice of the action. */
  notice?: Notice | undefined;
  scripts?: readonly AssetName[];
  status?: number;
  /** Set for a page that keeps itself up to date: when its data was read, in milliseconds since 1970. */
  live?: number | undefined;
  /** Set for a page in another language than English: its frame in that language, and the form that changes it. */
  language?: {
    code: string;
    direction: 'ltr' | 'rtl';
    skip: string;
    nav: readonly NavItem[];
    labels: FrameLabels;
    choice?: Html;
    /** Replaces the navigation. */
    menu?: Html;
  };
}

/** Outcome of a form, for the page that is shown again. */
export interface PageState {
  /** The action whose form was sent. */
  action?: string;
  status?: number;
  retryAfterSeconds?: number;
  notice?: Notice | undefined;
  /** Error message of each field, worded to follow its label. */
  faults?: Readonly<Record<string, string>>;
  /** True when the declared fields refused the form, before the action ran. */
  isInvalid?: boolean;
  /** The submitted form. */
  form?: URLSearchParams;
}

/** Returns the success message for the `done` key that an action put into the redirect URL. */
export function doneNotice(
  query: URLSearchParams,
  messages: Readonly<Record<string, string>>,
): Notice | undefined {
  const done = query.get('done') ?? '';
  const text = ownValue(messages, done);
  return text === undefined ? undefined : { kind: 'good', text };
}
