import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { Member } from '../../../members/member.ts';
import type { Around } from '../frame/around.ts';
import { checkCsrf } from '../form/csrf.ts';
import { member as memberAudience } from '../person/people.ts';
import { readForm } from '../form/form-body.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';

export const SIGN_IN_PATH = '/member/sign-in';

/** One request of a member who is signed in. */
export interface MemberVisit extends Around {
  member: Member;
  form: URLSearchParams;
  now: Date;
}

interface MemberRoute {
  method: 'GET' | 'POST';
  path: string;
  handle(visit: MemberVisit): Promise<FastifyReply>;
}

/** Mounts a page or a form of the member's own area: the session and the form's token are checked here, for all of them. */
export function memberRoute(scope: FastifyInstance, deps: Deps, route: MemberRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const member = await memberAudience.find(deps, request, reply);
      if (member === undefined) {
        if (route.method === 'GET')
          return reply.redirect(`${SIGN_IN_PATH}?next=${encodeURIComponent(request.url)}`, 303);
        throw new AppError('sign_in_required', 'You are no longer signed in. Nothing was changed.', {
          hint: `Sign in at ${SIGN_IN_PATH} and try again.`,
        });
      }
      if (route.method === 'POST') checkCsrf(deps, request);
      const form = readForm(request);
      return route.handle({ deps, request, reply, member, form, now: deps.clock.now() });
    },
  });
}

export interface Notice {
  kind: 'good' | 'bad';
  text: string | Html;
}

interface MemberPage {
  title: string;
  /** What the page is for, in one sentence under the heading. */
  lead: string | Html;
  body: Html;
  notice?: Notice | undefined;
  /** The address in the member's navigation that this page belongs to; absent before the sign-in. */
  current?: string;
  status?: number;
}

const NAV = [
  { href: '/member', label: 'Your tables' },
  { href: '/member/link', label: 'Partners' },
  { href: '/photos/mine', label: 'Photos' },
];

/** Sends a page for a member. None of them is for search engines or for anybody's cache. */
export function sendMemberPage(
  { deps, reply }: Pick<Around, 'deps' | 'reply'>,
  model: MemberPage,
): Promise<FastifyReply> {
  const { title, lead, body, notice, current, status = 200 } = model;
  reply.header('cache-control', 'no-store');
  const markup = page({
    site: siteOf(deps),
    title,
    description: 'For members: the name that venues see, tables, and partners who may ask for them.',
    indexed: false,
    styles: ['member.css'],
    ...(current !== undefined && { nav: NAV, current }),
    body: html`<div class="wrap page member">
      <header class="flow">
        <h1>${title}</h1>
        <p class="lead">${lead}</p>
      </header>
      ${
        notice !== undefined &&
        html`<div class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">
          <div>${notice.text}</div>
        </div>`
      }
      ${body}
    </div>`,
  });
  return sendPage(reply.code(status), markup);
}
